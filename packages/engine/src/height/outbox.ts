import type { PeerMessage, PeerNetwork, Wal } from '../ports.ts';
import type { Signed } from '../signing/signing.ts';

/** The log, which is made durable first, and the network, which is told afterwards. */
export interface OutboxOptions {
  readonly wal: Pick<Wal, 'sync'>;
  readonly network: Pick<PeerNetwork, 'broadcast'>;
}

/**
 * What one turn of a height wants to send, held back until everything that was signed in the turn is durable: log first, then
 * the sign state, then the messages in the order in which they were made. One sync of each serves all signatures of the turn, for
 * example of a proposal and the prevote for it.
 *
 * Only the newest signature is recorded in the sign state. That is enough: its place (height, round, step) is later than those of all
 * others, and nothing is ever signed at or before the newest place. What came before it stands in the log, which is synced first.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #seal: (() => void) | null = null;
  #messages: PeerMessage[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** @param signed whose entry is in the log already, not yet synced */
  addSigned(signed: Signed<unknown>, message: PeerMessage): void {
    this.#seal = signed.seal;
    this.#messages.push(message);
  }

  add(message: PeerMessage): void {
    this.#messages.push(message);
  }

  /** To be called at the end of each turn, and before anything else that shows its signatures to the world. */
  release(): void {
    const seal = this.#seal;
    if (seal !== null) {
      this.#seal = null;
      this.#options.wal.sync();
      seal();
    }
    if (this.#messages.length === 0) return;
    const messages = this.#messages;
    this.#messages = [];
    for (const message of messages) this.#options.network.broadcast(message);
  }
}

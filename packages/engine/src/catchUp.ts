import type { Address, Height } from '@prime/primitives';
import type { Clock, PeerMessage, StoredBlock } from './ports.ts';

export interface CatchUpOptions {
  readonly clock: Clock;
  readonly head: () => Height;
  readonly send: (to: Address, message: PeerMessage) => boolean;
  /** Verifies and applies blocks in order; false when the peer's blocks are wrong. */
  readonly apply: (from: Address, blocks: readonly StoredBlock[]) => Promise<boolean>;
  readonly onFatal: (error: unknown) => void;
}

/** Blocks asked for at once. */
export const blocksPerRequest = 64;
/** How long a peer may take to answer, ms. */
const requestTimeoutMs = 5_000;
/** How long a peer may be one block ahead before the block is fetched, ms. */
const oneBehindGraceMs = 150;

/**
 * Fetches decided blocks from peers that are ahead.
 *
 * One range is under way at a time, asked of one peer, the next peer when it does not answer. A peer one block ahead is given a
 * moment first: the votes that decide the same block here are usually on their way.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #heads = new Map<Address, Height>();
  #request: { readonly id: number; readonly peer: Address; readonly cancel: () => void } | null = null;
  #applying = false;
  #nextId = 1;
  #attempts = 0;
  #cancelGrace: (() => void) | null = null;
  #stopped = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Highest head that a peer claims. */
  highest(): Height {
    let highest = 0;
    for (const head of this.#heads.values()) highest = Math.max(highest, head);
    return highest as Height;
  }

  /** A peer said how far it is. */
  onPeerHead(peer: Address, head: Height): void {
    this.#heads.set(peer, head);
    this.#consider();
  }

  onPeerGone(peer: Address): void {
    this.#heads.delete(peer);
    if (this.#request?.peer !== peer) return;
    this.#endRequest();
    this.#consider();
  }

  onBlocks(from: Address, message: PeerMessage & { readonly kind: 'blocks' }): void {
    if (this.#request === null || this.#request.id !== message.requestId || this.#request.peer !== from) return;
    this.#endRequest();
    if (message.blocks.length === 0) this.#heads.delete(from);
    this.#take(from, message.blocks).catch(this.#options.onFatal);
  }

  /** The own head moved. */
  onHead(): void {
    this.#consider();
  }

  stop(): void {
    this.#stopped = true;
    this.#request?.cancel();
    this.#cancelGrace?.();
  }

  #endRequest(): void {
    this.#request?.cancel();
    this.#request = null;
  }

  #consider(): void {
    const { head, clock } = this.#options;
    const gap = this.highest() - head();
    if (this.#stopped || gap <= 0) return;
    if (gap > 1) return this.#ask();
    const seen = head();
    this.#cancelGrace ??= clock.after(oneBehindGraceMs, () => {
      this.#cancelGrace = null;
      if (head() === seen) this.#ask();
      else this.#consider();
    });
  }

  #ask(): void {
    const from = (this.#options.head() + 1) as Height;
    const ahead = [...this.#heads].filter(([, head]) => head >= from);
    if (this.#stopped || this.#applying || this.#request !== null || ahead.length === 0) return;
    const [peer, head] = ahead[this.#attempts % ahead.length]!;
    this.#attempts += 1;
    const count = Math.min(blocksPerRequest, head - from + 1);
    const id = this.#nextId++;
    const cancel = this.#options.clock.after(requestTimeoutMs, () => {
      this.#request = null;
      this.#ask();
    });
    this.#request = { id, peer, cancel };
    if (this.#options.send(peer, { kind: 'blocksRequest', requestId: id, from, count })) return;
    this.#endRequest();
    this.#heads.delete(peer);
    this.#ask();
  }

  async #take(from: Address, blocks: readonly StoredBlock[]): Promise<void> {
    this.#applying = true;
    const good = await this.#options.apply(from, blocks);
    this.#applying = false;
    if (!good) this.#heads.delete(from);
    this.#consider();
  }
}

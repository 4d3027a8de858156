import type { Address, Height } from '@prime/primitives';
import type { Clock, PeerMessage, StoredBlock } from './ports.ts';

export interface CatchUpOptions {
  readonly clock: Clock;
  readonly head: () => Height;
  readonly send: (to: Address, message: PeerMessage) => boolean;
  /** Verifies and applies blocks in order, up to the first wrong one. */
  readonly apply: (from: Address, blocks: readonly StoredBlock[]) => Promise<void>;
  readonly onFatal: (error: unknown) => void;
}

/** Blocks asked for at once. */
export const blocksPerRequest = 64;
/** How long a peer may take to answer, ms. */
const requestTimeoutMs = 5_000;
/** How long a peer may be one block ahead before the block is fetched, ms. */
const oneBehindGraceMs = 150;

/** How long a peer is left alone that was of no help, ms; doubles each time until it is. */
const avoidMsMin = 2_000;
const avoidMsMax = 300_000;
/** Peers of no help that are remembered. */
const avoidedMax = 256;

/**
 * Fetches decided blocks from peers that are ahead.
 *
 * One range is under way at a time, asked of one peer, the next peer when it does not answer. A peer one block ahead is given a
 * moment first: the votes that decide the same block here are usually on their way.
 *
 * A peer that says it is ahead and does not deliver is not believed for a while: it must neither keep this node from voting nor
 * hold the place of one that would deliver.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #heads = new Map<Address, Height>();
  /** Survives the connection, or a peer would begin anew with each. */
  readonly #avoided = new Map<Address, { readonly untilMs: number; readonly forMs: number }>();
  #request: {
    readonly id: number;
    readonly peer: Address;
    readonly from: Height;
    readonly cancel: () => void;
  } | null = null;
  #applying = false;
  #nextId = 1;
  #attempts = 0;
  #cancelGrace: (() => void) | null = null;
  #stopped = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Highest head that a peer claims who is believed. */
  highest(): Height {
    let highest = 0;
    for (const [peer, head] of this.#heads) if (!this.#isAvoided(peer)) highest = Math.max(highest, head);
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
    const { from: wanted } = this.#request;
    this.#endRequest();
    this.#take(from, wanted, message.blocks).catch(this.#options.onFatal);
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
    const ahead = [...this.#heads].filter(([peer, head]) => head >= from && !this.#isAvoided(peer));
    if (this.#stopped || this.#applying || this.#request !== null || ahead.length === 0) return;
    const [peer, head] = ahead[this.#attempts % ahead.length]!;
    this.#attempts += 1;
    const count = Math.min(blocksPerRequest, head - from + 1);
    const id = this.#nextId++;
    const cancel = this.#options.clock.after(requestTimeoutMs, () => {
      this.#request = null;
      this.#avoid(peer);
      this.#ask();
    });
    this.#request = { id, peer, from, cancel };
    if (this.#options.send(peer, { kind: 'blocksRequest', requestId: id, from, count })) return;
    this.#endRequest();
    this.#heads.delete(peer);
    this.#ask();
  }

  async #take(from: Address, wanted: Height, blocks: readonly StoredBlock[]): Promise<void> {
    const { apply, head } = this.#options;
    this.#applying = true;
    if (blocks.length > 0) await apply(from, blocks);
    this.#applying = false;
    if (head() < wanted) this.#avoid(from);
    else this.#avoided.delete(from);
    this.#consider();
  }

  #isAvoided(peer: Address): boolean {
    return (this.#avoided.get(peer)?.untilMs ?? 0) > this.#options.clock.monotonicMs();
  }

  #avoid(peer: Address): void {
    const before = this.#avoided.get(peer);
    const forMs = before === undefined ? avoidMsMin : Math.min(avoidMsMax, 2 * before.forMs);
    this.#avoided.delete(peer);
    this.#avoided.set(peer, { untilMs: this.#options.clock.monotonicMs() + forMs, forMs });
    const [oldest] = this.#avoided.keys();
    if (this.#avoided.size > avoidedMax && oldest !== undefined) this.#avoided.delete(oldest);
  }
}

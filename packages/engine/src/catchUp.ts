import type { Address, Height } from '@prime/primitives';
import type { Clock, PeerMessage, StoredBlock } from './ports.ts';

/**
 * Fetches decided blocks from peers that are ahead.
 *
 * One range is under way at a time, asked of one peer, the next peer when it does not answer. A peer one block ahead is given a
 * moment first: the votes that decide the same block here are usually on their way.
 */
export interface CatchUp {
  /** A peer said how far it is. */
  onPeerHead(peer: Address, head: Height): void;
  onPeerGone(peer: Address): void;
  onBlocks(from: Address, message: PeerMessage & { readonly kind: 'blocks' }): void;
  /** The own head moved. */
  onHead(head: Height): void;
  /** Highest head that a peer claims. */
  highest(): Height;
  stop(): void;
}

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

export function createCatchUp(options: CatchUpOptions): CatchUp {
  const { clock } = options;
  const heads = new Map<Address, Height>();
  let request: { readonly id: number; readonly peer: Address; readonly cancel: () => void } | null = null;
  let applying = false;
  let nextId = 1;
  let attempts = 0;
  let cancelGrace: (() => void) | null = null;
  let stopped = false;

  const highest = (): Height => {
    let highestHead = 0;
    for (const head of heads.values()) highestHead = Math.max(highestHead, head);
    return highestHead as Height;
  };

  const ask = (): void => {
    const from = (options.head() + 1) as Height;
    const ahead = [...heads].filter(([, head]) => head >= from).map(([peer]) => peer);
    if (stopped || applying || request !== null || ahead.length === 0) return;
    const peer = ahead[attempts % ahead.length]!;
    attempts += 1;
    const count = Math.min(blocksPerRequest, heads.get(peer)! - from + 1);
    const id = nextId++;
    const cancel = clock.after(requestTimeoutMs, () => {
      request = null;
      ask();
    });
    request = { id, peer, cancel };
    if (options.send(peer, { kind: 'blocksRequest', requestId: id, from, count })) return;
    cancel();
    request = null;
    heads.delete(peer);
    ask();
  };

  const consider = (): void => {
    const gap = highest() - options.head();
    if (stopped || gap <= 0) return;
    if (gap > 1) return ask();
    const seen = options.head();
    cancelGrace ??= clock.after(oneBehindGraceMs, () => {
      cancelGrace = null;
      if (options.head() === seen) ask();
      else consider();
    });
  };

  const take = async (from: Address, blocks: readonly StoredBlock[]): Promise<void> => {
    applying = true;
    const good = await options.apply(from, blocks);
    applying = false;
    if (!good) heads.delete(from);
    consider();
  };

  return {
    highest,
    onPeerHead(peer, head) {
      heads.set(peer, head);
      consider();
    },
    onPeerGone(peer) {
      heads.delete(peer);
      if (request?.peer !== peer) return;
      request.cancel();
      request = null;
      consider();
    },
    onBlocks(from, message) {
      if (request === null || request.id !== message.requestId || request.peer !== from) return;
      request.cancel();
      request = null;
      if (message.blocks.length === 0) heads.delete(from);
      take(from, message.blocks).catch(options.onFatal);
    },
    onHead: consider,
    stop() {
      stopped = true;
      request?.cancel();
      cancelGrace?.();
    },
  };
}

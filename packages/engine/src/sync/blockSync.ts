import type { Header } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { bodyBytes } from '../block/blockRules.ts';
import type { EngineLog } from '../log.ts';
import type { Clock, PeerMessage } from '../ports.ts';
import { firstRequestId } from '../peers/requestIds.ts';
import { blocksBehind } from './blocksBehind.ts';
import { believedHead, type HeadStanding, HeadWatch, type Listeners, oldestKept } from './headWatch.ts';
import { type ReceivedBlock, type SyncEffect, SyncScheduler } from './scheduler.ts';

export type { ReceivedBlock } from './scheduler.ts';

/** Time, peers and the head of a node that catches up, and what becomes of blocks and of peers that send wrong ones. */
export interface BlockSyncOptions {
  readonly clock: Clock;
  readonly head: () => Height;
  readonly send: (to: Address, message: PeerMessage) => boolean;
  readonly ban: (peer: Address, reason: string) => void;
  /** A peer costs more than it gives: it is asked for nothing for a while, and need not stay. */
  readonly burden: (peer: Address, reason: string) => void;
  /** Proves and applies blocks in order from the own head on. @returns the first wrong one, null when there is none */
  readonly apply: (blocks: readonly ReceivedBlock[]) => Promise<WrongBlock | null>;
  readonly onFatal: (error: unknown) => void;
  /** Whose claims say whether this node is at the head. */
  readonly listeners: () => Listeners;
  readonly log: Pick<EngineLog, 'warn'>;
}

/** A block that does not belong to the chain: its sender lies. */
export interface WrongBlock {
  readonly peer: Address;
  readonly reason: string;
}

/** Time after which what peers do not keep is told again, ms. */
const keptAgainMs = 60_000;

/** What to do where no peer has the next block. @param height the oldest one that those ahead keep */
export const peersKeepFrom = (height: Height): string => `peers keep blocks from ${height}: start from a snapshot`;

/** What a block takes beside its body in an answer, bytes: header and certificates. */
const blockOverheadBytes = 1_024;

/** Fetches decided blocks from peers that are ahead: carries out what {@link SyncScheduler} decides, and has the blocks applied one after the other. */
export class BlockSync {
  readonly #options: BlockSyncOptions;
  readonly #scheduler: SyncScheduler;
  readonly #watch = new HeadWatch();
  #keptToldMs = Number.NEGATIVE_INFINITY;
  #applying = false;
  #stopped = false;
  #cancelWake: () => void = () => undefined;

  constructor(options: BlockSyncOptions) {
    this.#options = options;
    this.#scheduler = new SyncScheduler(0 as Height, firstRequestId(options.clock.nowMs()));
  }

  /** Highest head that a peer claims who is believed. */
  highest(): Height {
    return this.#scheduler.highest(this.#nowMs());
  }

  /** Whether this node is at the head. */
  standing(): HeadStanding {
    const head = this.#options.head();
    this.#watch.look(head, believedHead(this.#scheduler.claims, this.#options.listeners()), this.#nowMs());
    return { ...this.#watch.standing(), keptFrom: oldestKept(this.#scheduler.claims, head) };
  }

  /** To be called now and then: what an operator has to do is said again while it is so. */
  remind(): void {
    const { isCurrent, keptFrom } = this.standing();
    const nowMs = this.#nowMs();
    if (isCurrent || keptFrom === null || nowMs - this.#keptToldMs < keptAgainMs) return;
    this.#keptToldMs = nowMs;
    this.#options.log.warn(peersKeepFrom(keptFrom), { head: this.#options.head() });
  }

  /** {@link blocksBehind} of a block that was decided elsewhere or before. @param stored head that the own store knows of besides */
  behind(header: Header, stored: Height = 0 as Height): number {
    return blocksBehind(header, Math.max(stored, this.highest()) as Height, this.#options.clock.nowMs());
  }

  /** A peer said which blocks it has. */
  onPeerClaim(peer: Address, base: Height, head: Height): void {
    this.#run(this.#scheduler.onClaim(peer, base, head, this.#nowMs()));
    this.standing();
  }

  onPeerGone(peer: Address): void {
    this.#run(this.#scheduler.onPeerGone(peer, this.#nowMs()));
  }

  onBlocks(from: Address, { requestId, blocks }: PeerMessage & { readonly kind: 'blocks' }): void {
    let bytes = 0;
    for (const { block } of blocks) bytes += bodyBytes(block) + blockOverheadBytes;
    this.#run(this.#scheduler.onBlocks(from, requestId, blocks, bytes, this.#nowMs()));
  }

  /** The own head moved. */
  onHead(): void {
    this.#run(this.#scheduler.onHead(this.#options.head(), this.#nowMs()));
    this.standing();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelWake();
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #run(effects: readonly SyncEffect[]): void {
    if (this.#stopped) return;
    const { send, clock } = this.#options;
    for (const effect of effects) {
      if (effect.kind !== 'request') {
        this.#options[effect.kind](effect.peer, effect.reason);
        continue;
      }
      const { peer, requestId, from, count } = effect;
      if (!send(peer, { kind: 'blocksRequest', requestId, from, count }))
        this.#run(this.#scheduler.unsent(requestId, this.#nowMs()));
    }
    this.#cancelWake();
    const wakeAtMs = this.#scheduler.wakeAtMs(this.#nowMs());
    if (wakeAtMs !== null)
      this.#cancelWake = clock.after(Math.max(1, wakeAtMs - this.#nowMs()), () =>
        this.#run(this.#scheduler.plan(this.#nowMs())),
      );
    this.#applyReady().catch(this.#options.onFatal);
  }

  async #applyReady(): Promise<void> {
    if (this.#applying) return;
    const ready = this.#scheduler.ready();
    if (ready.length === 0) return;
    this.#applying = true;
    const wrong = await this.#options.apply(ready);
    this.#applying = false;
    const nowMs = this.#nowMs();
    const { head } = this.#options;
    this.#run([
      ...this.#scheduler.onHead(head(), nowMs),
      ...(wrong === null ? [] : this.#scheduler.rejected(wrong.peer, wrong.reason, nowMs)),
    ]);
  }
}

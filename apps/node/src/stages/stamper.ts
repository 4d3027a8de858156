import type { Hash, Height } from '@prime/primitives';
import { stampClock } from './stampClock.ts';
import { anchorUsOf, LaneWriter, type StampedStage, stampedStages, type StampingThread } from './stampRing.ts';

const stageIndex = Object.fromEntries(stampedStages.map((stage, index) => [stage, index])) as Readonly<
  Record<StampedStage, number>
>;

/** Stamps of one thread. Without a ring each call is one comparison. */
export class Stamper {
  readonly #thread: StampingThread;
  #target: { readonly lane: LaneWriter; readonly nowUs: () => number } | null = null;

  constructor(thread: StampingThread, ring: SharedArrayBuffer | null) {
    this.#thread = thread;
    this.use(ring);
  }

  /** From now on into this ring; null is none. */
  use(ring: SharedArrayBuffer | null): void {
    this.#target =
      ring === null ? null : { lane: new LaneWriter(ring, this.#thread), nowUs: stampClock(anchorUsOf(ring)) };
  }

  item(stage: StampedStage, item: Hash): void {
    const target = this.#target;
    if (target !== null) target.lane.write(stageIndex[stage], 0, null, item, target.nowUs());
  }

  block(stage: StampedStage, height: Height, block: Hash): void {
    const target = this.#target;
    if (target !== null) target.lane.write(stageIndex[stage], height, block, null, target.nowUs());
  }

  /** Of many items of one block at one moment. */
  items(stage: StampedStage, height: Height, block: Hash, items: readonly { readonly hash: Hash }[]): void {
    const target = this.#target;
    if (target === null) return;
    const atUs = target.nowUs();
    for (const { hash } of items) target.lane.write(stageIndex[stage], height, block, hash, atUs);
  }
}

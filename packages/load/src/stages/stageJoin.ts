import type { Hash } from '@prime/primitives';
import { type Percentiles, stageNames } from '../report/runReport.ts';
import { type Stamp, type StampedStage, stampedHexLength, stampedStages } from './stamps.ts';

/** What the generator knows of an operation. Times are ms since 1970, of the clock that exchanges with the nodes were measured by. */
export interface StageOperation {
  readonly hash: Hash;
  /** Index of the node that it was sent to; -1 where that is none of those whose stamps are joined. */
  readonly node: number;
  readonly scheduledMs: number;
  readonly sentMs: number;
  /** null where no answer came. */
  readonly acknowledgedMs: number | null;
}

/** Takes latencies of one stage. */
export interface LatencyRecorder {
  record(ms: number): void;
  percentiles(): Percentiles;
}

/** How many operations are followed through the nodes, and how latencies are counted. */
export interface StageJoinOptions {
  /** Nodes whose stamps are joined. */
  readonly nodes: number;
  readonly createRecorder: () => LatencyRecorder;
  /** Operations that are followed at most, those of others included; see {@link StageJoin}. Default 200 000, some 100 MB. */
  readonly itemsMax?: number;
}

type StageName = (typeof stageNames)[number];

/** Where the time of operations went, and of how many it is known. */
export interface StageLatencies {
  /** In the order of {@link stageNames}; those for which there is no stamp are left out. */
  readonly rows: readonly { readonly stage: StageName; readonly latency: Percentiles }[];
  readonly counts: {
    /** That were told, and that were followed: one in so many. */
    readonly operations: number;
    readonly followed: number;
    readonly oneIn: number;
    /** Of those followed: all stages are known. */
    readonly whole: number;
    /** No node tells that it took them into a block: they are in none, the proposer is not read, or its ring went round. */
    readonly untaken: number;
    /** The proposer that took them does not tell when it pooled them: its ring went round, or was made later. */
    readonly unpooled: number;
  };
}

/** A transaction or action that some node or the generator knows. */
interface Item {
  operation: StageOperation | null;
  /** By node, µs of its clock; the first time counts. */
  readonly pooledUs: (number | undefined)[];
  readonly takers: { readonly node: number; readonly block: string }[];
}

/** By node and stage, µs of the node's clock; NaN where nothing was told. */
type BlockTimes = Float64Array;

const itemsMaxDefault = 200_000;
const stages = stampedStages.length;

/**
 * Joins what the generator knows of its operations with what nodes stamped, by hash, in any order of telling.
 *
 * The node that proposed the block of an operation tells when it had it pooled, proposed, decided, durable and executed; the node that it was sent to, when
 * its callers saw the block. A stage lasts from the latest moment so far to its own: what came earlier, such as the pool of a proposer that heard of an
 * operation before the caller had its answer, took no time of the way, so that the stages of an operation add up to what it took.
 *
 * Memory is bounded: where more operations are told than are followed, each second one by its hash is let go, which is a fair sample of all.
 */
export class StageJoin {
  readonly #options: StageJoinOptions;
  readonly #itemsMax: number;
  readonly #items = new Map<string, Item>();
  readonly #blocks = new Map<string, BlockTimes>();
  #operations = 0;
  #oneIn = 1;

  constructor(options: StageJoinOptions) {
    this.#options = options;
    this.#itemsMax = Math.max(1, options.itemsMax ?? itemsMaxDefault);
  }

  addOperation(operation: StageOperation): void {
    this.#operations++;
    const item = this.#item(operation.hash.slice(0, stampedHexLength));
    if (item !== null) item.operation = operation;
  }

  /** @param node index of the node whose stamps they are */
  addStamps(node: number, stamps: readonly Stamp[]): void {
    for (const stamp of stamps) this.#addStamp(node, stamp);
  }

  /**
   * @param offsetsMs by node, how far its clock is ahead; null where it is not known: nothing is told of what it stamped
   */
  latencies(offsetsMs: readonly (number | null)[]): StageLatencies {
    const recorders = stageNames.map(() => this.#options.createRecorder());
    const counts = { followed: 0, whole: 0, untaken: 0, unpooled: 0 };
    const filled = stageNames.map(() => 0);
    for (const item of this.#items.values()) {
      if (item.operation === null) continue;
      counts.followed++;
      const taker = this.#takerOf(item);
      if (taker === null) counts.untaken++;
      else if (item.pooledUs[taker.node] === undefined) counts.unpooled++;
      const durations = durationsOf(this.#moments(item.operation, item, taker, offsetsMs));
      if (durations.every((ms) => ms !== null)) counts.whole++;
      for (const [index, ms] of durations.entries()) {
        if (ms === null) continue;
        filled[index]! += 1;
        recorders[index]!.record(ms);
      }
    }
    const rows = stageNames.flatMap((stage, index) =>
      filled[index] === 0 ? [] : [{ stage, latency: recorders[index]!.percentiles() }],
    );
    return { rows, counts: { operations: this.#operations, oneIn: this.#oneIn, ...counts } };
  }

  #addStamp(node: number, { stage, block, item, atUs }: Stamp): void {
    if (stage === 'pooled' || stage === 'taken') {
      const known = item === null ? null : this.#item(item);
      if (known === null) return;
      if (stage === 'pooled') known.pooledUs[node] = Math.min(atUs, known.pooledUs[node] ?? atUs);
      else if (block !== null) known.takers.push({ node, block });
    } else if (block !== null) {
      const times = this.#timesOf(block);
      const at = placeOf(node, stage);
      // Told again where the block is proposed again in a later round: the first time counts.
      if (!(times[at]! <= atUs)) times[at] = atUs;
    }
  }

  /** null for one that is not followed. */
  #item(name: string): Item | null {
    if (!this.#isFollowed(name)) return null;
    const known = this.#items.get(name);
    if (known !== undefined) return known;
    while (this.#items.size >= this.#itemsMax) {
      this.#oneIn *= 2;
      for (const other of this.#items.keys()) if (!this.#isFollowed(other)) this.#items.delete(other);
      if (!this.#isFollowed(name)) return null;
    }
    const item: Item = { operation: null, pooledUs: [], takers: [] };
    this.#items.set(name, item);
    return item;
  }

  /** By the lowest bits of what is known of the hash. */
  #isFollowed(name: string): boolean {
    return this.#oneIn === 1 || Number.parseInt(name.slice(-8), 16) % this.#oneIn === 0;
  }

  #timesOf(block: string): BlockTimes {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const times = new Float64Array(this.#options.nodes * stages).fill(Number.NaN);
    this.#blocks.set(block, times);
    return times;
  }

  /** Who proposed the block that the item is in: of those who took it, the one whose block was decided. */
  #takerOf({ takers }: Item): Item['takers'][number] | null {
    const isDecided = ({ node, block }: Item['takers'][number]): boolean =>
      !Number.isNaN(this.#blocks.get(block)?.[placeOf(node, 'decided')] ?? Number.NaN);
    return takers.find(isDecided) ?? null;
  }

  /** The moments between which the stages lie, ms of the clock here; null where one is not known. */
  #moments(
    { node, scheduledMs, sentMs, acknowledgedMs }: StageOperation,
    { pooledUs }: Item,
    taker: Item['takers'][number] | null,
    offsetsMs: readonly (number | null)[],
  ): readonly (number | null)[] {
    const here = (stamper: number, atUs: number | undefined): number | null => {
      const offsetMs = offsetsMs[stamper] ?? null;
      return atUs === undefined || Number.isNaN(atUs) || offsetMs === null ? null : atUs / 1_000 - offsetMs;
    };
    const times = taker === null ? undefined : this.#blocks.get(taker.block);
    const at = (stamper: number, stage: StampedStage): number | null => here(stamper, times?.[placeOf(stamper, stage)]);
    const own = (stage: StampedStage): number | null => (taker === null ? null : at(taker.node, stage));
    return [
      scheduledMs,
      sentMs,
      acknowledgedMs,
      taker === null ? null : here(taker.node, pooledUs[taker.node]),
      own('proposed'),
      own('polka'),
      own('decided'),
      own('durable'),
      own('executed'),
      at(node, 'visible'),
      at(node, 'delivered'),
    ];
  }
}

const placeOf = (node: number, stage: StampedStage): number => node * stages + stampedStages.indexOf(stage);

/** From each moment to the next, ms, at least 0; null where one of the two is not known. */
function durationsOf(moments: readonly (number | null)[]): readonly (number | null)[] {
  let reached = Number.NEGATIVE_INFINITY;
  const durations: (number | null)[] = [];
  for (const [index, moment] of moments.entries()) {
    const before = index === 0 ? null : moments[index - 1]!;
    if (index > 0) durations.push(moment === null || before === null ? null : Math.max(0, moment - reached));
    reached = Math.max(reached, moment ?? reached);
  }
  return durations;
}

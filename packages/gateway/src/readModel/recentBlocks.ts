import { type OpenedDelta, resultAt, type TransactionLocation, isRefusedAt } from '@prime/codec';
import { assert, type Hash, type Height } from '@prime/primitives';
import {
  blockLogEntries,
  type BlockRecord,
  type EventQuery,
  type ExecutedAction,
  type LogQuery,
  type EventEntry,
  type LogEntry,
} from '@prime/rpc';
import { matchesLog } from '../matching.ts';
import { BlockEvents } from './blockEvents.ts';
import { RecentIndex } from './recentIndex.ts';

/** A committed block as its delta told about it, without what only models take from a delta; what queries read again and again is made once. */
export interface RecentBlock extends BlockRecord {
  readonly height: Height;
  readonly results: Pick<OpenedDelta, 'opened' | 'actionResults'>;
  readonly logs: readonly LogEntry[];
  readonly events: BlockEvents;
  /** About how much of the memory it takes. */
  readonly bytes: number;
}

/** Up to when a block is answered from memory; whichever limit is reached first counts. */
export interface RecentBlocksLimits {
  /** Blocks kept, at least 1. */
  readonly blocks: number;
  /** Memory of all blocks that are kept, about; the newest block is kept whatever it takes. */
  readonly bytes: number;
}

/**
 * The newest blocks in memory, so that what clients ask right after a commit (receipt, block, logs) costs no read. Bounded by number and
 * by memory, as one block may have a hundred thousand events: a block that falls out takes its index entries along, and older
 * questions go to the readers.
 */
export class RecentBlocks {
  private readonly limits: RecentBlocksLimits;
  private bytes = 0;
  private readonly genesis: BlockRecord;
  private readonly byHeight = new Map<Height, RecentBlock>();
  private readonly heightByHash = new Map<Hash, Height>();
  private readonly locations = new Map<Hash, TransactionLocation>();
  /**
   * Actions that may stand in an earlier block, which is the one that counts: only who waits for their result is answered from here, and
   * whoever asks later by the database, which knows the first place.
   */
  private readonly refusedForNonce = new Map<Hash, TransactionLocation>();
  private readonly logIndex = new RecentIndex<LogEntry>(
    ({ address, topics }) => [address, ...topics.map(topicTerm)],
    ({ logIndex }) => logIndex,
  );
  private headRecord: BlockRecord;
  private baseFee: bigint;

  /**
   * @param genesis     what height 0 shows
   * @param head        newest committed block at start
   * @param nextBaseFee base fee of the block after it, wei
   */
  constructor(limits: RecentBlocksLimits, genesis: BlockRecord, head: BlockRecord, nextBaseFee: bigint) {
    this.limits = limits;
    this.genesis = genesis;
    this.headRecord = head;
    this.baseFee = nextBaseFee;
  }

  get head(): BlockRecord {
    return this.headRecord;
  }

  get headHeight(): Height {
    return this.headRecord.block.header.height;
  }

  get nextBaseFee(): bigint {
    return this.baseFee;
  }

  /** Oldest height that is answered from here; one above the head while nothing is. */
  get oldest(): Height {
    return (this.headHeight - this.byHeight.size + 1) as Height;
  }

  /** @returns false when the block is not newer than the head @throws InvariantError when a block was left out */
  add(delta: OpenedDelta): boolean {
    const { height } = delta.block.header;
    if (height <= this.headHeight) return false;
    assert(height === this.headHeight + 1, `delta of block ${height} follows block ${this.headHeight}`);
    const { block, hash, roots, certificate, transactionHashes, actionHashes } = delta;
    const record = { block, hash, roots, certificate, transactionHashes, actionHashes };
    const logs = blockLogEntries(record, delta.opened.logs);
    const events = new BlockEvents(record, delta.events);
    const { opened, actionResults } = delta;
    const bytes = memoryOf(delta, events.count);
    const results = { opened, actionResults };
    this.byHeight.set(height, { height, results, logs, events, bytes, ...record });
    this.logIndex.add(logs);
    this.heightByHash.set(hash, height);
    transactionHashes.forEach((id, index) => this.locations.set(id, { kind: 'transaction', height, index }));
    actionHashes.forEach((id, index) => {
      const isRefused = isRefusedAt(actionResults, index, 'CLOB_NONCE');
      (isRefused ? this.refusedForNonce : this.locations).set(id, { kind: 'action', height, index });
    });
    this.headRecord = record;
    this.baseFee = delta.nextBaseFee;
    this.bytes += bytes;
    while (this.byHeight.size > this.limits.blocks || (this.byHeight.size > 1 && this.bytes > this.limits.bytes))
      this.dropOldest();
    return true;
  }

  private dropOldest(): void {
    const height = this.oldest;
    const block = this.byHeight.get(height);
    assert(block !== undefined, `block ${height} is not kept, and ${this.byHeight.size} up to ${this.headHeight} are`);
    this.byHeight.delete(height);
    this.bytes -= block.bytes;
    this.logIndex.drop(block.logs);
    this.heightByHash.delete(block.hash);
    for (const id of block.transactionHashes) this.locations.delete(id);
    for (const id of block.actionHashes)
      for (const places of [this.locations, this.refusedForNonce])
        if (places.get(id)?.height === height) places.delete(id);
  }

  /** A block with everything in its delta, when it is recent. */
  recent(height: Height): RecentBlock | undefined {
    return this.byHeight.get(height);
  }

  recordByHeight(height: Height): BlockRecord | undefined {
    if (height === 0) return this.genesis;
    return height === this.headHeight ? this.headRecord : this.byHeight.get(height);
  }

  recordByHash(hash: Hash): BlockRecord | undefined {
    if (hash === this.genesis.hash) return this.genesis;
    if (hash === this.headRecord.hash) return this.headRecord;
    const height = this.heightByHash.get(hash);
    return height === undefined ? undefined : this.byHeight.get(height);
  }

  /** Matching logs of the recent part of the range, in order. */
  logs(query: LogQuery): readonly LogEntry[] {
    const topics = query.topics.map((wanted, position) => (wanted ?? []).map((topic) => topicTerm(topic, position)));
    return this.logIndex.candidates([query.addresses, ...topics], query).filter((entry) => matchesLog(entry, query));
  }

  /** Matching domain events of the recent part of the range, in order. */
  events(query: EventQuery): readonly EventEntry[] {
    const first = Math.max(query.fromHeight, this.oldest);
    const count = Math.max(0, Math.min(query.toHeight, this.headHeight) - first + 1);
    const heights = Array.from({ length: count }, (_, place) => (first + place) as Height);
    return heights.flatMap((height) => this.byHeight.get(height)!.events.matching(query));
  }

  location(hash: Hash): TransactionLocation | undefined {
    return this.locations.get(hash);
  }

  /** What became of an action, when its block is recent. */
  executedAction(hash: Hash): ExecutedAction | undefined {
    const location = this.locations.get(hash) ?? this.refusedForNonce.get(hash);
    if (location === undefined || location.kind !== 'action') return undefined;
    const { height, index } = location;
    const block = this.byHeight.get(height);
    return block && { hash, height, result: resultAt(block.results.actionResults, index) };
  }
}

/**
 * What an object of a kind takes in memory with its indexes, bytes, and how many times its encoding what is decoded from it takes. Measured by the heap after
 * collections, of a thousand of each in a block: transfers, ERC-20 transfers, orders, batches of 100 orders and trades are told within a quarter.
 */
const objectBytes = { transaction: 600, action: 300, event: 750 } as const;
const decodedFactors = { receipts: 6, logs: 10, actions: 2 } as const;

/** Decoded, as queries may have it; what nobody asks for takes less. */
function memoryOf({ block, actionHashes, transactionHashes, storedReceipts }: OpenedDelta, events: number): number {
  const { receipts, logs } = storedReceipts;
  return (
    lengthOf(block.transactions) +
    decodedFactors.actions * lengthOf(block.actions) +
    decodedFactors.receipts * receipts.length +
    decodedFactors.logs * (logs?.length ?? 0) +
    objectBytes.transaction * transactionHashes.length +
    objectBytes.action * actionHashes.length +
    objectBytes.event * events
  );
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const topicTerm = (topic: Hash, position: number): string => `${position}${topic}`;

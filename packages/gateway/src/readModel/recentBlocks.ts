import type { ActionResult, BlockDelta } from '@prime/codec';
import { assert, type Hash, type Height } from '@prime/primitives';
import {
  type BlockRecord,
  blockLogEntries,
  eventEntries,
  type EventQuery,
  type ExecutedAction,
  type LogQuery,
  type TransactionLocation,
} from '@prime/rpc';
import type { EventEntry, LogEntry } from '@prime/rpc';
import { matchesEvent, matchesLog } from '../matching.ts';
import { RecentIndex } from './recentIndex.ts';

/** A committed block as its delta told about it, with what queries read again and again made once. */
export interface RecentBlock extends BlockRecord {
  readonly height: Height;
  readonly delta: BlockDelta;
  readonly logs: readonly LogEntry[];
  readonly events: readonly EventEntry[];
}

export interface RecentBlocksLimits {
  /** Blocks kept, at least 1. */
  readonly blocks: number;
  /** Transactions, actions and events of all blocks that are kept; the newest block is kept whatever it holds. */
  readonly items: number;
}

/**
 * The newest blocks in memory, so that what clients ask right after a commit (receipt, block, logs) costs no read. Bounded by number and
 * by what they hold, as one block may have a hundred thousand events: a block that falls out takes its index entries along, and older
 * questions go to the readers.
 */
export class RecentBlocks {
  private readonly limits: RecentBlocksLimits;
  private items = 0;
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
  private readonly eventIndex = new RecentIndex<EventEntry>(
    ({ domain, kind }) => [domain, kindTerm(kind)],
    ({ index }) => index,
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
  add(delta: BlockDelta): boolean {
    const { height } = delta.block.header;
    if (height <= this.headHeight) return false;
    assert(height === this.headHeight + 1, `delta of block ${height} follows block ${this.headHeight}`);
    const { block, hash, roots, certificate, transactionHashes, actionHashes } = delta;
    const record = { block, hash, roots, certificate, transactionHashes, actionHashes };
    const logs = blockLogEntries(record, delta.receipts);
    const events = eventEntries(record, delta.events);
    this.byHeight.set(height, { height, delta, logs, events, ...record });
    this.logIndex.add(logs);
    this.eventIndex.add(events);
    this.heightByHash.set(hash, height);
    transactionHashes.forEach((id, index) => this.locations.set(id, { kind: 'transaction', height, index }));
    actionHashes.forEach((id, index) => {
      const isRefused = isRefusedForNonce(delta.actionResults[index]);
      (isRefused ? this.refusedForNonce : this.locations).set(id, { kind: 'action', height, index });
    });
    this.headRecord = record;
    this.baseFee = delta.nextBaseFee;
    this.items += itemsOf(delta);
    while (this.byHeight.size > this.limits.blocks || (this.byHeight.size > 1 && this.items > this.limits.items))
      this.dropOldest();
    return true;
  }

  private dropOldest(): void {
    const height = this.oldest;
    const block = this.byHeight.get(height);
    assert(block !== undefined, `block ${height} is not kept, and ${this.byHeight.size} up to ${this.headHeight} are`);
    this.byHeight.delete(height);
    this.items -= itemsOf(block.delta);
    this.logIndex.drop(block.logs);
    this.eventIndex.drop(block.events);
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
    const { domain, kind } = query;
    const groups = [domain === null ? [] : [domain], kind === null ? [] : [kindTerm(kind)]];
    return this.eventIndex.candidates(groups, query).filter((entry) => matchesEvent(entry, query));
  }

  location(hash: Hash): TransactionLocation | undefined {
    return this.locations.get(hash);
  }

  /** What became of an action, when its block is recent. */
  executedAction(hash: Hash): ExecutedAction | undefined {
    const location = this.locations.get(hash) ?? this.refusedForNonce.get(hash);
    if (location === undefined || location.kind !== 'action') return undefined;
    const result = this.byHeight.get(location.height)?.delta.actionResults[location.index];
    return result === undefined ? undefined : { hash, height: location.height, result };
  }
}

const itemsOf = ({ transactionHashes, actionHashes, events }: BlockDelta): number =>
  transactionHashes.length + actionHashes.length + events.length;

const topicTerm = (topic: Hash, position: number): string => `${position}${topic}`;
/** No domain has such a name. */
const kindTerm = (kind: string): string => `kind ${kind}`;

const isRefusedForNonce = (result: ActionResult | undefined): boolean =>
  result !== undefined && !result.ok && result.error.code === 'CLOB_NONCE';

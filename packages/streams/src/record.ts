import { allFillsFromEvents } from '@prime/sdk';
import { type ChainBlock, eventFields } from './chainBlock.ts';

/** The values of a record's `type`, as they stand in JSON. */
export const recordTypes = ['event', 'log', 'fill', 'block'] as const;
/** One of {@link recordTypes}. */
export type RecordType = (typeof recordTypes)[number];

/** Where a record stands. */
interface Place {
  readonly height: number;
  /** Place among all records of the block, from 0. */
  readonly index: number;
  readonly block_hash: string;
  /** Time of the block, ms since 1970. */
  readonly time_ms: number;
}

interface EventRecord extends Place {
  readonly type: 'event';
  /** Place among the events of the block, from 0. */
  readonly event_index: number;
  readonly domain: string;
  readonly kind: string;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: string | null;
  /** Number of the contract's write that caused it; null for any other. */
  readonly ticket: number | null;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

interface LogRecord extends Place {
  readonly type: 'log';
  readonly log_index: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transaction_hash: string;
  readonly transaction_index: number;
}

/** What changed a position of an account. */
interface FillRecord extends Place {
  readonly type: 'fill';
  /** Of the event that it follows from. */
  readonly event_index: number;
  readonly market_id: number;
  readonly account: string;
  readonly trade_id: number | null;
  readonly order_id: number | null;
  readonly side: string;
  readonly price: string | null;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly liquidity: string | null;
  readonly kind: string;
}

/** The block itself: what the chain agreed on of it, not its certificate, of which each node may hold another one. */
interface BlockRecord extends Place {
  readonly type: 'block';
  readonly parent_hash: string;
  readonly proposer: string;
  readonly gas_limit: string;
  readonly gas_used: string;
  readonly base_fee: string;
  readonly state_root: string;
  readonly receipts_root: string;
  readonly events_root: string;
  readonly validators_hash: string;
  readonly next_validators_hash: string;
  readonly transactions: number;
  readonly actions: number;
  /** How many records of each type stand before it. */
  readonly events: number;
  readonly logs: number;
  readonly fills: number;
}

/**
 * One thing that happened, as every sink holds it. Of a block come its events, its logs, its fills and at the end the block itself, which says
 * how many there were: `index` counts them from 0, so that after the record `block` of a height nothing follows but height + 1.
 *
 * Amounts are decimal text, as large as they are; ids, indexes and times are JSON numbers.
 */
export type ChainRecord = EventRecord | LogRecord | FillRecord | BlockRecord;

/** All records of a block, in order. */
export interface BlockRecords {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timeMs: number;
  /** The last one is the block itself. */
  readonly records: readonly ChainRecord[];
}

/** A record as a store gave it back. */
export interface StoredRecord {
  readonly height: number;
  readonly index: number;
  /** What is stored; null where it can not be read. */
  readonly record: ChainRecord | null;
  /** Where it stands, for people: a line of a file, a row. */
  readonly place: string;
}

/** Id of a record: dedupe by it. */
export const recordId = ({ height, index }: Pick<ChainRecord, 'height' | 'index'>): string => `${height}:${index}`;

/** A record that has no place yet. */
type Draft<record extends ChainRecord> = record extends ChainRecord ? Omit<record, keyof Place> : never;

const text = (value: bigint): string => value.toString();
const textOrNull = (value: bigint | null): string | null => (value === null ? null : text(value));

const eventsOf = ({ events }: ChainBlock): Draft<EventRecord>[] =>
  events.map(({ index, domain, kind, transactionHash, ticket, data }) => ({
    type: 'event',
    event_index: index,
    domain,
    kind,
    transaction_hash: transactionHash,
    ticket,
    data: eventFields(data, text),
  }));

const logsOf = ({ logs }: ChainBlock): Draft<LogRecord>[] =>
  logs.map((log) => ({
    type: 'log',
    log_index: log.logIndex,
    address: log.address,
    topics: log.topics,
    data: log.data,
    transaction_hash: log.transactionHash,
    transaction_index: log.transactionIndex,
  }));

const fillsOf = ({ events }: ChainBlock): Draft<FillRecord>[] =>
  allFillsFromEvents(events).map((fill) => ({
    type: 'fill',
    event_index: fill.index,
    market_id: fill.marketId,
    account: fill.account,
    trade_id: fill.tradeId,
    order_id: fill.orderId,
    side: fill.side,
    price: textOrNull(fill.price),
    size: text(fill.size),
    value: text(fill.value),
    fee: text(fill.fee),
    liquidity: fill.liquidity,
    kind: fill.kind,
  }));

const blockOf = ({ block, events, logs }: ChainBlock, fills: number): Draft<BlockRecord> => ({
  type: 'block',
  parent_hash: block.parentHash,
  proposer: block.proposer,
  gas_limit: text(block.gasLimit),
  gas_used: text(block.gasUsed),
  base_fee: text(block.baseFee),
  state_root: block.stateRoot,
  receipts_root: block.receiptsRoot,
  events_root: block.eventsRoot,
  validators_hash: block.validatorsHash,
  next_validators_hash: block.nextValidatorsHash,
  transactions: block.transactionCount,
  actions: block.actionCount,
  events: events.length,
  logs: logs.length,
  fills,
});

/** The records of a block. The same block gives the same records, whichever node told it. */
export function recordsOf(chainBlock: ChainBlock): BlockRecords {
  const { height, hash, block } = chainBlock;
  const fills = fillsOf(chainBlock);
  const drafts = [...eventsOf(chainBlock), ...logsOf(chainBlock), ...fills, blockOf(chainBlock, fills.length)];
  const records = drafts.map(({ type, ...rest }, index) => {
    const place: Place = { height, index, block_hash: hash, time_ms: block.timestampMs };
    // The type stands first, for eyes; what is spread is of that type.
    return { type, ...place, ...rest } as ChainRecord;
  });
  return { height, hash, parentHash: block.parentHash, timeMs: block.timestampMs, records };
}

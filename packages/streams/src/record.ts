import { allFillsFromEvents } from '@prime/sdk';
import { type ChainBlock, eventFields } from './chainBlock.ts';

/** What a field holds: `whole` are numbers below 2^53, `amount` integers of any size as decimal text; those with `?` may be null. */
interface Values {
  readonly whole: number;
  readonly amount: string;
  readonly text: string;
  readonly texts: readonly string[];
  readonly json: Readonly<Record<string, string | number | boolean | null>>;
}
/** One kind of field. */
export type FieldKind = keyof Values;
type ValueOf<kind> = kind extends `${infer base extends FieldKind}?` ? Values[base] | null : Values[kind & FieldKind];

/** Where a record stands: fields of every type, which come first. */
export const placeFields = {
  height: 'whole',
  // Place among all records of the block, from 0.
  index: 'whole',
  block_hash: 'text',
  // Time of the block, ms since 1970.
  time_ms: 'whole',
} as const;

/** Fields of each type of record behind its place, in their order. */
export const recordFields = {
  event: {
    // Place among the events of the block, from 0.
    event_index: 'whole',
    domain: 'text',
    kind: 'text',
    // Action or transaction that caused it; null for what the block does by itself.
    transaction_hash: 'text?',
    // Number of the contract's write that caused it; null for any other.
    ticket: 'whole?',
    data: 'json',
  },
  log: {
    log_index: 'whole',
    address: 'text',
    topics: 'texts',
    data: 'text',
    transaction_hash: 'text',
    transaction_index: 'whole',
  },
  // What changed a position of an account.
  fill: {
    // Of the event that it follows from.
    event_index: 'whole',
    market_id: 'whole',
    account: 'text',
    trade_id: 'whole?',
    order_id: 'whole?',
    side: 'text',
    price: 'amount?',
    size: 'amount',
    value: 'amount',
    fee: 'amount',
    liquidity: 'text?',
    kind: 'text',
  },
  // The block itself: what the chain agreed on of it, not its certificate, of which each node may hold another one.
  block: {
    parent_hash: 'text',
    proposer: 'text',
    gas_limit: 'amount',
    gas_used: 'amount',
    base_fee: 'amount',
    state_root: 'text',
    receipts_root: 'text',
    events_root: 'text',
    validators_hash: 'text',
    next_validators_hash: 'text',
    transactions: 'whole',
    actions: 'whole',
    // How many records of each type stand before it.
    events: 'whole',
    logs: 'whole',
    fills: 'whole',
  },
} as const;

/** A value of a record's `type`, as it stands in JSON. */
export type RecordType = keyof typeof recordFields;
/** All values of {@link RecordType}, in the order of their records in a block. */
export const recordTypes = Object.keys(recordFields) as readonly RecordType[];

type Fields<kinds> = { readonly [name in keyof kinds]: ValueOf<kinds[name]> };
type Place = Fields<typeof placeFields>;
type RecordOf<type extends RecordType> = Place & { readonly type: type } & Fields<(typeof recordFields)[type]>;

/**
 * One thing that happened, as every sink holds it. Of a block come its events, its logs, its fills and at the end the block itself, which says
 * how many there were: `index` counts them from 0, so that after the record `block` of a height nothing follows but height + 1.
 *
 * Amounts are decimal text, as large as they are; ids, indexes and times are JSON numbers.
 */
export type ChainRecord = { readonly [type in RecordType]: RecordOf<type> }[RecordType];

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

const eventsOf = ({ events }: ChainBlock): Draft<RecordOf<'event'>>[] =>
  events.map(({ index, domain, kind, transactionHash, ticket, data }) => ({
    type: 'event',
    event_index: index,
    domain,
    kind,
    transaction_hash: transactionHash,
    ticket,
    data: eventFields(data, text),
  }));

const logsOf = ({ logs }: ChainBlock): Draft<RecordOf<'log'>>[] =>
  logs.map((log) => ({
    type: 'log',
    log_index: log.logIndex,
    address: log.address,
    topics: log.topics,
    data: log.data,
    transaction_hash: log.transactionHash,
    transaction_index: log.transactionIndex,
  }));

const fillsOf = ({ events }: ChainBlock): Draft<RecordOf<'fill'>>[] =>
  allFillsFromEvents(events).map((fill) => ({
    type: 'fill',
    event_index: fill.eventIndex,
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

const blockOf = ({ block, events, logs }: ChainBlock, fills: number): Draft<RecordOf<'block'>> => ({
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

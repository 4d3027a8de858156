import { type DomainEvent, encodeEventFrames, eventsRoot, eventToJson } from '@prime/codec';
import type { DomainEventOf, NativeBlock } from '@prime/sdk';
import type { ChainBlock, ChainLog } from '../chainBlock.ts';
import { type BlockRecords, recordsOf } from '../record.ts';

/** Blocks as nodes tell them, for tests. */

export const hashOf = (name: string | number): `0x${string}` =>
  `0x${Buffer.from(`${name}`).toString('hex').padStart(64, '0')}`;
export const addressOf = (name: string): `0x${string}` => `0x${Buffer.from(name).toString('hex').padStart(40, '0')}`;

/** Time of block 0: eight seconds before an hour begins. */
const startMs = Date.UTC(2026, 1, 28, 12, 59, 52);
const blockMs = 1_000;

export interface BlockShape {
  readonly height: number;
  /** As consensus has them; their actions are numbered. */
  readonly events?: readonly DomainEvent[];
  readonly actionHashes?: readonly `0x${string}`[];
  readonly logs?: readonly ChainLog[];
  readonly timeMs?: number;
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());

/** As the SDK reads it: amounts are bigints, ids are numbers. */
const sdkData = ({ data }: DomainEvent): object =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [camel(name), value]));

export function blockOf({
  height,
  events = [],
  actionHashes = [],
  logs = [],
  timeMs = startMs + height * blockMs,
}: BlockShape): ChainBlock {
  const hash = hashOf(`block ${height}`);
  const block = {
    number: BigInt(height),
    hash,
    parentHash: hashOf(`block ${height - 1}`),
    proposer: addressOf('proposer'),
    timestampMs: timeMs,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    baseFee: 1_000_000_000n,
    stateRoot: hashOf('state'),
    ordersRoot: null,
    receiptsRoot: hashOf('receipts'),
    eventsRoot: eventsRoot(encodeEventFrames(events)) as `0x${string}`,
    validatorsHash: hashOf('validators'),
    nextValidatorsHash: hashOf('validators'),
    commit: null,
    lastCommitRound: null,
    transactionCount: logs.length,
    actionCount: actionHashes.length,
    transactions: [],
    domainEvents: [],
    evidence: [],
  } satisfies NativeBlock;
  const told = events.map((event, index) => ({
    blockNumber: BigInt(height),
    blockHash: hash,
    index,
    domain: eventToJson(event).domain,
    kind: event.kind,
    transactionHash:
      event.contract?.transactionHash ?? (event.actionIndex === null ? null : actionHashes[event.actionIndex]!),
    ticket: event.contract?.ticket ?? null,
    data: sdkData(event),
  }));
  return { height, hash, block, events: told as unknown as readonly DomainEventOf[], logs, actionHashes };
}

const amount = 10n ** 30n;

export const tradeOf = (tradeId: number, actionIndex: number | null): DomainEvent => ({
  domain: 'orders',
  kind: 'trade',
  actionIndex,
  data: {
    trade_id: tradeId,
    market_id: 1,
    price: amount,
    size: 4n,
    maker_order_id: 1,
    taker_order_id: 2,
    maker: addressOf('maker'),
    taker: addressOf('taker'),
    side: 'buy',
    fees: -3n,
  },
});

export const depositOf = (ticket: number): DomainEvent => ({
  domain: 'orders',
  kind: 'collateral_deposited',
  actionIndex: null,
  contract: { ticket, transactionHash: hashOf('transaction') as never },
  data: { address: addressOf('taker'), amount, collateral: -amount },
});

export const logOf = (logIndex: number): ChainLog => ({
  logIndex,
  address: addressOf('contract'),
  topics: [hashOf('topic')],
  data: '0x01',
  transactionHash: hashOf('transaction'),
  transactionIndex: 0,
});

/** A block with an event, a log and two fills. */
export const busyBlock = (height: number): ChainBlock =>
  blockOf({ height, events: [tradeOf(height + 1, 0)], actionHashes: [hashOf('action')], logs: [logOf(0)] });

export const busyRecords = (height: number): BlockRecords => recordsOf(busyBlock(height));
export const emptyRecords = (height: number, timeMs?: number): BlockRecords =>
  recordsOf(blockOf(timeMs === undefined ? { height } : { height, timeMs }));

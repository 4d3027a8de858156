import { crc32 } from 'node:zlib';
import { type BlockRecord, bookMessage, type EventEntry } from '@prime/rpc';

/** A chain for tests: blocks with the events that a test wants, and one order book. */

export interface TestEvent {
  readonly kind: string;
  readonly domain?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Levels = ReadonlyMap<bigint, bigint>;
/** Sizes that levels have from now on; 0 removes one. */
export interface LevelChanges {
  readonly bids?: readonly (readonly [price: bigint, size: bigint])[];
  readonly asks?: readonly (readonly [price: bigint, size: bigint])[];
}

interface TestBook {
  readonly sequence: number;
  readonly bids: Levels;
  readonly asks: Levels;
}

export interface TestBlock {
  /** With what messages are made from. */
  readonly record: BlockRecord;
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly events: readonly EventEntry[];
  /** After the block. */
  readonly book: TestBook;
  readonly change: LevelChanges | null;
}

type Side = 'bids' | 'asks';

function applied(side: Levels, changes: LevelChanges[Side] = []): Levels {
  const next = new Map(side);
  for (const [price, size] of changes)
    if (size === 0n) next.delete(price);
    else next.set(price, size);
  return next;
}

const ascending = (levels: Iterable<readonly [bigint, bigint]>): { price: bigint; size: bigint }[] =>
  [...levels].map(([price, size]) => ({ price, size })).toSorted((a, b) => (a.price < b.price ? -1 : 1));

/** As a node makes it, with the CRC-32 of zlib. */
function checksumOf({ bids, asks }: Pick<TestBook, Side>): string {
  const [buy, sell] = [ascending(bids).toReversed(), ascending(asks)];
  const parts: string[] = [];
  for (let index = 0; index < 25; index++)
    for (const level of [buy[index], sell[index]])
      if (level !== undefined) parts.push(`0x${level.price.toString(16)}:0x${level.size.toString(16)}`);
  return `0x${crc32(parts.join(':')).toString(16)}`;
}

export class TestChain {
  readonly name: string;
  readonly blocks: TestBlock[] = [];

  constructor(name = 'a') {
    this.name = name;
    this.add();
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  add(events: readonly TestEvent[] = [], change: LevelChanges | null = null): TestBlock {
    const height = this.blocks.length;
    const hash = `0x${Buffer.from(`${this.name} ${height}`).toString('hex').padStart(64, '0')}`;
    const before = this.blocks.at(-1);
    const old = before?.book ?? { sequence: 0, bids: new Map(), asks: new Map() };
    const book =
      change === null
        ? old
        : { sequence: height, bids: applied(old.bids, change.bids), asks: applied(old.asks, change.asks) };
    const record = { block: { header: { height, timestampMs: height * 1_000 } }, hash } as unknown as BlockRecord;
    const entries = events.map(({ kind, domain = 'orders', data }, index) => ({
      domain,
      kind,
      actionIndex: null,
      data,
      height,
      timestampMs: height * 1_000,
      blockHash: hash,
      index,
      transactionHash: null,
    }));
    const block: TestBlock = {
      record,
      height,
      hash,
      parentHash: before?.hash ?? `0x${'0'.repeat(64)}`,
      events: entries as unknown as readonly EventEntry[],
      book,
      change,
    };
    this.blocks.push(block);
    return block;
  }
}

/** What the `orderBook` stream says of a block. */
export function bookText(block: TestBlock, type: 'snapshot' | 'update', previous: number | null): object {
  const { book, change, record } = block;
  const levels = type === 'snapshot' ? book : { bids: change?.bids ?? [], asks: change?.asks ?? [] };
  return bookMessage({
    type,
    marketId: 1,
    head: record,
    sequence: book.sequence,
    previous: type === 'snapshot' ? null : previous,
    bids: ascending(levels.bids),
    asks: ascending(levels.asks),
    checksum: checksumOf(book),
    ...(type === 'snapshot' ? { part: { at: 1, count: 1 } } : {}),
  } as unknown as Parameters<typeof bookMessage>[0]);
}

import { describe, expect, it } from '@jest/globals';
import {
  type BlockPlace,
  type DomainEvent,
  encodeBlockLogs,
  encodeEventFrames,
  encodeStoredReceipts,
  heightKey,
  type Log,
  type LogMatch,
  postingLists,
  type Receipt,
  statePrefix,
} from '@prime/codec';
import type { MemoryDatabase } from '@prime/evm/testing';
import { type Address, type Hash, type Height, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { IndexedBlocks, indexedBlocks } from '../testing/indexedBlocks.ts';
import { blockHashesWrite } from './blockHashes.ts';
import { findAccountPlaces, findEvents, findLogs, type Places } from './historyIndex.ts';
import { postingsDown, type Range } from './postings.ts';
import { windowLimits } from './windows.ts';

const addresses = [1, 2, 3].map((name) => `0x${String(name).repeat(40)}` as Address);
const topics = [0, 1, 2, 3].map((name) => `0x${String(name).repeat(64)}` as Hash);
const heights = 40;

const log: fc.Arbitrary<Log> = fc.record({
  address: fc.constantFrom(...addresses),
  topics: fc.array(fc.constantFrom(...topics), { maxLength: 4 }),
  data: fc.constant(new Uint8Array(0)),
});
const block = fc.array(fc.array(log, { maxLength: 3 }), { maxLength: 3 });
const chain = fc.array(block, { minLength: 1, maxLength: heights });
const anyTerms: fc.Arbitrary<LogMatch> = fc.record({
  addresses: fc.array(fc.constantFrom(...addresses), { maxLength: 3 }),
  topics: fc.array(fc.option(fc.array(fc.constantFrom(...topics), { maxLength: 3 })), { maxLength: 4 }),
});
const range = fc.tuple(fc.nat({ max: heights }), fc.nat({ max: heights })).map(([a, b]) => ({
  fromHeight: Math.min(a, b),
  toHeight: Math.max(a, b),
}));

/** Windows of some blocks, and heights at which a process starts. */
const split = fc.record({
  limits: fc.record({
    blocks: fc.integer({ min: 1, max: 9 }),
    bytes: fc.constantFrom(300, windowLimits.bytes),
    terms: fc.constantFrom(3, windowLimits.terms),
    places: fc.constantFrom(5, windowLimits.places),
  }),
  startsAt: fc.array(fc.integer({ min: 1, max: heights }), { maxLength: 3 }),
});

const receiptOf = (logs: readonly Log[], transactionIndex: number): Receipt => ({ logs, transactionIndex }) as Receipt;

const logsOf = (blocks: readonly (readonly (readonly Log[])[])[]) =>
  blocks.map((content) => ({ logs: encodeBlockLogs(content.map(receiptOf)) }));

/** What a search reads. */
type Searched = Pick<MemoryDatabase, 'getSync' | 'scan'>;

/** Counts the entries that are read, and how many scans are open. */
function counting(database: MemoryDatabase) {
  const counts = { read: 0, open: 0 };
  const scan: MemoryDatabase['scan'] = (...range) => {
    const inner = database.scan(...range);
    counts.open++;
    return {
      ...inner,
      next: async (count) => {
        const entries = await inner.next(count);
        counts.read += entries.length;
        return entries;
      },
      close: async () => void counts.open--,
    };
  };
  return { counts, reads: { ...database, scan } };
}

async function places(found: AsyncIterable<Places>): Promise<Places[]> {
  const all: Places[] = [];
  for await (const { height, positions } of found) all.push({ height, positions });
  return all;
}

/** The slow and obvious way. */
function scan(blocks: readonly (readonly (readonly Log[])[])[], wanted: LogMatch, from: number, to: number): Places[] {
  const all: Places[] = [];
  const unbound = wanted.addresses.length === 0 && wanted.topics.every((any) => any === null || any.length === 0);
  for (let height = Math.max(from, 1); height <= Math.min(to, blocks.length); height++) {
    const logs = blocks[height - 1]!.flat();
    const positions = logs.flatMap((entry, position) => {
      const address = wanted.addresses.length === 0 || wanted.addresses.includes(entry.address);
      const topic = wanted.topics.every((any, at) => !any?.length || any.some((each) => each === entry.topics[at]));
      return address && topic ? [position] : [];
    });
    if (positions.length > 0) all.push({ height: height as Height, positions: unbound ? null : positions });
  }
  return all;
}

describe('index of logs', () => {
  it('any filter over any range names exactly what a scan of all logs finds', async () => {
    await fc.assert(
      fc.asyncProperty(chain, anyTerms, range, split, async (blocks, wanted, { fromHeight, toHeight }, windows) => {
        const database = await indexedBlocks(logsOf(blocks), windows.limits, windows.startsAt);
        const found = await places(findLogs(database, wanted, { fromHeight, toHeight }));
        expect(found).toEqual(scan(blocks, wanted, fromHeight, toHeight));
      }),
      { numRuns: 300 },
    );
  });

  it('a rare term beside a dense one: the dense list is not read through', async () => {
    const dense: Log = { address: addresses[0]!, topics: [topics[0]!], data: new Uint8Array(0) };
    const rare: Log = { ...dense, topics: [topics[1]!] };
    const blocks = Array.from({ length: 5000 }, (_, height) => [height % 2500 === 2499 ? [rare] : [dense]]);
    const { counts, reads } = counting(await indexedBlocks(logsOf(blocks), { ...windowLimits, blocks: 4 }));
    const wanted = { addresses: [addresses[0]!], topics: [[topics[1]!]] };
    const found = await places(findLogs(reads, wanted, { fromHeight: 0, toHeight: 5000 }));
    expect(found.map(({ height }) => height)).toEqual([2500, 5000]);
    expect(counts.read).toBeLessThan(50);
  });

  it('whoever stops early closes all lists', async () => {
    const blocks = Array.from({ length: 3 }, () => [
      [{ address: addresses[0]!, topics: [topics[0]!], data: new Uint8Array(0) }],
    ]);
    const { counts, reads } = counting(await indexedBlocks(logsOf(blocks), { ...windowLimits, blocks: 2 }));
    for await (const _ of findLogs(reads, { addresses, topics: [topics] }, { fromHeight: 0, toHeight: 9 })) break;
    expect(counts.open).toBe(0);
  });

  const one: Log = { address: addresses[0]!, topics: [], data: new Uint8Array(0) };
  const terms = { addresses: [one.address], topics: [] };
  const oneKey = { list: postingLists.logAddress, term: hexToBytes(one.address) };

  it.each<[string, (database: Searched, range: Range) => AsyncIterable<Places>]>([
    ['upwards', (database, range) => findLogs(database, terms, range)],
    ['downwards', (database, range) => postingsDown(database, oneKey, range)],
  ])('a window that is written while somebody looks %s loses nothing and tells nothing twice', async (_, search) => {
    const blocks = Array.from({ length: 8 }, () => [[one]]);
    let reads = 1;
    for (let at = 0; at < reads; at++) {
      const chain = new IndexedBlocks({ ...windowLimits, blocks: 4 });
      const records = logsOf(blocks);
      for (const each of records.slice(0, 7)) await chain.add(each);
      reads = 0;
      // In front of each read once: block 8, with which the window from 5 on is written.
      const late = (): void => {
        if (reads++ === at) void chain.add(records[7]!);
      };
      const database: Searched = {
        getSync(key) {
          late();
          return chain.database.getSync(key);
        },
        scan(...range) {
          late();
          return chain.database.scan(...range);
        },
      };
      const found = await places(search(database, { fromHeight: 1, toHeight: 7 }));
      expect([at, found.sort((a, b) => a.height - b.height)]).toEqual([at, scan(blocks, terms, 1, 7)]);
    }
    expect(reads).toBeGreaterThan(5);
  });

  it('is the same with one block less, as many, and one more than a window has', async () => {
    const { blocks: most } = windowLimits;
    for (const count of [most - 1, most, most + 1, 2 * most]) {
      const blocks = Array.from({ length: count }, () => [[one]]);
      const database = await indexedBlocks(logsOf(blocks));
      const found = await places(findLogs(database, terms, { fromHeight: 0, toHeight: count }));
      expect(found).toEqual(scan(blocks, terms, 0, count));
      let entries = 0;
      for await (const _ of database.entries(Uint8Array.of(statePrefix.postings))) entries++;
      expect(entries).toBe(Math.floor(count / most));
    }
  });
});

describe('index of accounts', () => {
  const orNone = fc.option(fc.constantFrom(...addresses));
  const hash = topics[0]!;
  const transactionOf = (from: Address): Receipt => ({
    transactionHash: hash,
    transactionIndex: 0,
    type: 2,
    from,
    to: null,
    status: 1,
    gasUsed: 21_000n,
    cumulativeGasUsed: 21_000n,
    effectiveGasPrice: 1n,
    contractAddress: null,
    logs: [],
    logsBloom: new Uint8Array(256),
    output: new Uint8Array(0),
  });
  const transaction = fc
    .tuple(fc.constantFrom(...addresses), orNone, orNone)
    .map(([from, to, contractAddress]) => ({ ...transactionOf(from), to, contractAddress }));
  const accounts = fc.uniqueArray(fc.constantFrom(...addresses), { minLength: 1, maxLength: 3 });
  const content = fc.record({
    receipts: fc.array(transaction, { maxLength: 3 }),
    actions: fc.array(accounts, { maxLength: 3 }),
  });

  interface BlockAccounts {
    readonly receipts: readonly Receipt[];
    readonly actions: readonly (readonly Address[])[];
  }
  const recordsOf = ({ receipts, actions }: BlockAccounts) => {
    const names = { transactionHashes: receipts.map(() => hash), actionHashes: actions.map(() => hash) };
    const { value } = blockHashesWrite(1 as Height, names, actions);
    return { receipts: encodeStoredReceipts(receipts).receipts, hashes: value };
  };

  /** The slow and obvious way. */
  const concerning = (blocks: readonly BlockAccounts[], address: Address): BlockPlace[] =>
    blocks.flatMap(({ receipts, actions }, at) =>
      [...receipts.map(({ from, to, contractAddress }) => [from, to, contractAddress]), ...actions].flatMap(
        (concerned, index) => (concerned.includes(address) ? [{ height: (at + 1) as Height, index }] : []),
      ),
    );

  it('pages of any length, one after the other, are what a scan of all blocks finds from the last one on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 1, maxLength: heights }),
        fc.constantFrom(...addresses),
        fc.integer({ min: 1, max: 7 }),
        split,
        async (blocks, address, count, { limits, startsAt }) => {
          const database = await indexedBlocks(blocks.map(recordsOf), limits, startsAt);
          const found: BlockPlace[] = [];
          let before: BlockPlace = { height: (blocks.length + 1) as Height, index: 0 };
          for (;;) {
            const page = await findAccountPlaces(database, address, before, count);
            found.push(...page);
            if (page.length < count) break;
            before = page.at(-1)!;
          }
          expect(found).toEqual(concerning(blocks, address).toReversed());
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a page reads little of a long history', async () => {
    const block = recordsOf({ receipts: [{ ...transactionOf(addresses[0]!) }], actions: [] });
    const { counts, reads } = counting(await indexedBlocks(Array.from({ length: 3000 }, () => block)));
    const page = await findAccountPlaces(reads, addresses[0]!, { height: 2000 as Height, index: 1 }, 10);
    expect(page.map(({ height }) => height)).toEqual(Array.from({ length: 10 }, (_, index) => 2000 - index));
    expect(counts.read).toBeLessThanOrEqual(2);
  });
});

describe('index of domain events', () => {
  const trade = {
    domain: 'orders',
    kind: 'faucet_used',
    actionIndex: null,
    data: { address: addresses[0]!, amount: 1n },
  } as const;
  const joined = {
    domain: 'validators',
    kind: 'joined',
    actionIndex: null,
    data: { validator: addresses[1]!, stake: 1n, power: 1n },
  } as const;
  const revoked = {
    domain: 'orders',
    kind: 'agent_revoked',
    actionIndex: null,
    data: { account: addresses[0]!, agent: addresses[1]! },
  } as const;
  const events: readonly DomainEvent[] = [trade, joined, revoked];
  const names = fc.option(
    fc.constantFrom('orders', 'validators', 'bridge', 'joined', 'faucet_used', 'agent_revoked', 'Orders'),
  );

  it('any filter over any range names exactly what a scan finds', async () => {
    const blocks = fc.array(fc.array(fc.constantFrom(...events), { maxLength: 4 }), { maxLength: heights });
    await fc.assert(
      fc.asyncProperty(blocks, names, names, range, split, async (chainEvents, domain, kind, asked, windows) => {
        const framesOf = (own: readonly DomainEvent[]) => (own.length === 0 ? null : encodeEventFrames(own));
        const [genesis = [], ...others] = chainEvents;
        const records = others.map((own) => ({ events: framesOf(own) }));
        const database = await indexedBlocks(records, windows.limits, windows.startsAt);
        const first = framesOf(genesis);
        if (first !== null)
          await database.write([{ key: heightKey(statePrefix.events, 0 as Height), value: first }], { sync: false });
        const expected: Places[] = [];
        for (let height = asked.fromHeight; height <= Math.min(asked.toHeight, chainEvents.length - 1); height++) {
          const own = chainEvents[height]!;
          const matching = own.flatMap((event, position) =>
            (domain ?? event.domain) === event.domain && (kind ?? event.kind) === event.kind ? [position] : [],
          );
          const positions = domain === null && kind === null ? null : matching;
          if (matching.length > 0) expected.push({ height: height as Height, positions });
        }
        expect(await places(findEvents(database, domain, kind, asked))).toEqual(expected);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  type BlockPlace,
  type DomainEvent,
  encodeBlockLogs,
  encodeEventFrames,
  heightKey,
  type Log,
  type LogMatch,
  type Receipt,
  statePrefix,
} from '@prime/codec';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import type { Address, Hash, Height } from '@prime/primitives';
import fc from 'fast-check';
import {
  accountIndexWrites,
  type BlockAccounts,
  findAccountPlaces,
  findEvents,
  findLogs,
  logIndexWrites,
  type Places,
} from './historyIndex.ts';
import { eventWrites } from './history.ts';

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
const terms: fc.Arbitrary<LogMatch> = fc.record({
  addresses: fc.array(fc.constantFrom(...addresses), { maxLength: 3 }),
  topics: fc.array(fc.option(fc.array(fc.constantFrom(...topics), { maxLength: 3 })), { maxLength: 4 }),
});
const range = fc.tuple(fc.nat({ max: heights }), fc.nat({ max: heights })).map(([a, b]) => ({
  fromHeight: Math.min(a, b),
  toHeight: Math.max(a, b),
}));

const receiptOf = (logs: readonly Log[], transactionIndex: number): Receipt => ({ logs, transactionIndex }) as Receipt;

async function stored(blocks: readonly (readonly (readonly Log[])[])[]): Promise<MemoryDatabase> {
  const database = createMemoryDatabase();
  for (const [index, content] of blocks.entries()) {
    const height = index as Height;
    const receipts = content.map(receiptOf);
    const logs = encodeBlockLogs(receipts);
    const own = logs === null ? [] : [{ key: heightKey(statePrefix.logs, height), value: logs }];
    await database.write([...own, ...logIndexWrites(height, receipts)], { sync: false });
  }
  return database;
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
  for (let height = from; height <= Math.min(to, blocks.length - 1); height++) {
    const logs = blocks[height]!.flat();
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
      fc.asyncProperty(chain, terms, range, async (blocks, wanted, { fromHeight, toHeight }) => {
        const database = await stored(blocks);
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
    const database = await stored(blocks);
    let read = 0;
    const counting: Pick<MemoryDatabase, 'scan'> = {
      scan: (from, before) => {
        const inner = database.scan(from, before);
        return {
          ...inner,
          next: async (count) => {
            const entries = await inner.next(count);
            read += entries.length;
            return entries;
          },
        };
      },
    };
    const wanted = { addresses: [addresses[0]!], topics: [[topics[1]!]] };
    const found = await places(findLogs(counting, wanted, { fromHeight: 0, toHeight: 4999 }));
    expect(found.map(({ height }) => height)).toEqual([2499, 4999]);
    expect(read).toBeLessThan(100);
  });

  it('whoever stops early closes all lists', async () => {
    const database = await stored(
      Array.from({ length: 3 }, () => [[{ address: addresses[0]!, topics: [topics[0]!], data: new Uint8Array(0) }]]),
    );
    let open = 0;
    const counting: Pick<MemoryDatabase, 'scan'> = {
      scan: (from, before) => {
        open++;
        const inner = database.scan(from, before);
        return { ...inner, close: async () => void open-- };
      },
    };
    for await (const _ of findLogs(counting, { addresses, topics: [topics] }, { fromHeight: 0, toHeight: 9 })) break;
    expect(open).toBe(0);
  });
});

describe('index of accounts', () => {
  const orNone = fc.option(fc.constantFrom(...addresses));
  const transaction = fc.record({ from: fc.constantFrom(...addresses), to: orNone, contractAddress: orNone });
  const accounts = fc.uniqueArray(fc.constantFrom(...addresses), { minLength: 1, maxLength: 3 });
  const content = fc.record({
    receipts: fc.array(transaction as fc.Arbitrary<Receipt>, { maxLength: 3 }),
    actions: fc.array(accounts, { maxLength: 3 }),
  });

  /** The slow and obvious way. */
  const concerning = (blocks: readonly BlockAccounts[], address: Address): BlockPlace[] =>
    blocks.flatMap(({ receipts, actions }, height) =>
      [...receipts.map(({ from, to, contractAddress }) => [from, to, contractAddress]), ...actions].flatMap(
        (concerned, index) => (concerned.includes(address) ? [{ height: height as Height, index }] : []),
      ),
    );

  it('pages of any length, one after the other, are what a scan of all blocks finds from the last one on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 1, maxLength: heights }),
        fc.constantFrom(...addresses),
        fc.integer({ min: 1, max: 7 }),
        async (blocks, address, count) => {
          const database = createMemoryDatabase();
          for (const [height, block] of blocks.entries())
            await database.write(accountIndexWrites(height as Height, block), { sync: false });
          const found: BlockPlace[] = [];
          let before: BlockPlace = { height: blocks.length as Height, index: 0 };
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

  it('a page reads no more of a long history than it shows', async () => {
    const database = createMemoryDatabase();
    const block = { receipts: [{ from: addresses[0]!, to: null, contractAddress: null } as Receipt], actions: [] };
    for (let height = 0; height < 3000; height++)
      await database.write(accountIndexWrites(height as Height, block), { sync: false });
    let read = 0;
    const counting: Pick<MemoryDatabase, 'scan'> = {
      scan: (...range) => {
        const inner = database.scan(...range);
        const next = async (count: number) => {
          read += count;
          return inner.next(count);
        };
        return { ...inner, next };
      },
    };
    const page = await findAccountPlaces(counting, addresses[0]!, { height: 2000 as Height, index: 1 }, 10);
    expect(page.map(({ height }) => height)).toEqual(Array.from({ length: 10 }, (_, index) => 2000 - index));
    expect(read).toBe(10);
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
      fc.asyncProperty(blocks, names, names, range, async (chainEvents, domain, kind, { fromHeight, toHeight }) => {
        const database = createMemoryDatabase();
        for (const [height, own] of chainEvents.entries())
          await database.write(eventWrites(height as Height, encodeEventFrames(own)), { sync: false });
        const expected: Places[] = [];
        for (let height = fromHeight; height <= Math.min(toHeight, chainEvents.length - 1); height++) {
          const own = chainEvents[height]!;
          const matching = own.flatMap((event, position) =>
            (domain ?? event.domain) === event.domain && (kind ?? event.kind) === event.kind ? [position] : [],
          );
          const positions = domain === null && kind === null ? null : matching;
          if (matching.length > 0) expected.push({ height: height as Height, positions });
        }
        expect(await places(findEvents(database, domain, kind, { fromHeight, toHeight }))).toEqual(expected);
      }),
    );
  });
});

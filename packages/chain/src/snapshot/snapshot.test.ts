import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  decodeSnapshotManifest,
  encodeSnapshotManifest,
  heightKey,
  type SnapshotManifest,
  snapshotChunkBytes,
  snapshotId,
  statePrefix,
  type StoredBlock,
} from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createNodeCommon } from '@prime/evm';
import { createMemoryDatabase, createTestAccount, createTestVerifier, type MemoryDatabase } from '@prime/evm/testing';
import type { Address, Hash, Height } from '@prime/primitives';
import fc from 'fast-check';
import { readBlockHashes } from '../history/blockHashes.ts';
import { readExecuted, readLastApplied, readOldest } from '../history/history.ts';
import {
  action,
  alice,
  certificateOf,
  createTestChain,
  type TestChain,
  testGenesis,
  orderOf,
} from '../testing/chain.ts';
import { chunkHash, openSnapshotSource, snapshotRecord } from './exportSnapshot.ts';
import { createChunkWriter, createRecordReader, type SnapshotRecord } from './records.ts';
import { createSnapshotRestore } from './restoreSnapshot.ts';

const chainId = 7919;
/** Keeps the hash of the block two before, and a counter that never repeats a slot, so that there is storage to rebuild. */
const keeper = `0x${'e1'.repeat(20)}` as Address;
// sstore(number, blockhash(number - 2))
const keeperCode = Uint8Array.from(Buffer.from('6002430340435500', 'hex'));
const takenAt = 12 as Height;

let chain: TestChain;
let stored: Map<Height, StoredBlock>;
let chunks: Uint8Array[];
let manifest: SnapshotManifest;
let contentAt: (index: number) => Parameters<TestChain['run']>[0];

const genesis = () => {
  const own = testGenesis();
  const empty = { nonce: 0, code: new Uint8Array(0), storage: [] };
  const sender = senderAccount.address;
  return {
    ...own,
    alloc: [
      ...own.alloc,
      { ...empty, address: sender, balance: 10n ** 20n },
      { ...empty, address: keeper, balance: 0n, code: keeperCode },
    ],
  };
};
let senderAccount: ReturnType<typeof createTestAccount>;

const order = (index: number) =>
  action(
    alice,
    orderOf({
      side: index % 2 === 0 ? 'buy' : 'sell',
      price: index % 2 === 0 ? 90n - BigInt(index) : 110n + BigInt(index),
      size: 1n,
    }),
  );

beforeAll(async () => {
  const provider = await cryptoProvider();
  const common = await createNodeCommon(chainId);
  senderAccount = createTestAccount('sender', common, provider);
  const verify = createTestVerifier(chainId, provider);
  const made: ReturnType<typeof contentAt>[] = [];
  contentAt = (index) =>
    (made[index] ??= {
      transactions: [
        verify(senderAccount.sign({ nonce: index, to: keeper, gasLimit: 100_000n, maxFeePerGas: 10n ** 11n })),
      ],
      actions: index === 0 ? [action(alice, { type: 'deposit', amount: 10n ** 12n })] : [order(index)],
    });
  chain = await createTestChain(genesis());
  stored = new Map();
  for (let index = 0; index < takenAt; index++) await runAndStore(chain, index, stored);
  const taken = await takeSnapshot(chain, takenAt);
  ({ chunks, manifest } = taken);
});

async function runAndStore(on: TestChain, index: number, into: Map<Height, StoredBlock>): Promise<void> {
  const delta = await on.run(contentAt(index));
  const { block, hash } = delta;
  into.set(block.header.height, {
    block,
    hash,
    certificate: certificateOf({ ...delta, transactions: [], actions: [] }),
  });
}

const blocksOf = (map: ReadonlyMap<Height, StoredBlock>) => ({
  get: (height: Height) => map.get(height) ?? null,
  validators: () => ({ validators: [] }),
});

async function takeSnapshot(of: TestChain, height: Height) {
  const source = openSnapshotSource(of.database, blocksOf(stored), height);
  const found: Uint8Array[] = [];
  for await (const chunk of source.chunks()) found.push(chunk);
  return { chunks: found, manifest: source.manifest() };
}

async function restore(parts: readonly Uint8Array[], of: SnapshotManifest): Promise<MemoryDatabase> {
  const database = createMemoryDatabase();
  const restoring = createSnapshotRestore(database, genesis(), of);
  for (const part of parts) await restoring.add(part);
  await restoring.finish();
  return database;
}

/** The same snapshot with other records, as somebody would make it up. */
async function forged(change: (records: SnapshotRecord[]) => SnapshotRecord[], fields: Partial<SnapshotManifest> = {}) {
  const reader = createRecordReader();
  const records = change(chunks.flatMap((chunk) => reader.add(chunk)));
  const writer = createChunkWriter();
  const parts = records.flatMap((record) => writer.add(record));
  const rest = writer.end();
  if (rest !== null) parts.push(rest);
  return restore(parts, { ...manifest, chunkHashes: parts.map(chunkHash), ...fields });
}
const refusedFor = (reason: RegExp) => ({
  code: 'CHAIN_SNAPSHOT_REFUSED',
  message: expect.stringMatching(reason),
});

const dumpOf = (database: MemoryDatabase, kinds: readonly number[]) =>
  database.dump().filter(([key]) => kinds.includes(key.charCodeAt(0)));

describe('a snapshot', () => {
  it('gives the state as it was: accounts, code, storage, order records and all trie nodes', async () => {
    const database = await restore(chunks, manifest);
    const { account, code, storage, clobRecord } = statePrefix;
    const flat = [account, code, storage, clobRecord];
    expect(dumpOf(database, flat)).toEqual(dumpOf(chain.database, flat));
    expect(readLastApplied(database)).toBe(takenAt);
    expect([readOldest(database, 'oldestState'), readOldest(database, 'oldestBlock')]).toEqual([takenAt, takenAt + 1]);
    for (let at = 0; at <= takenAt; at++)
      expect(readExecuted(database, at as Height)).toEqual(readExecuted(chain.database, at as Height));
    expect(readBlockHashes(database, takenAt)).toEqual(readBlockHashes(chain.database, takenAt));
  });

  it('goes on with the same roots as the chain that it is of, hashes of earlier blocks included', async () => {
    const restored = await createTestChain(genesis(), await restore(chunks, manifest));
    const other = new Map<Height, StoredBlock>();
    for (let index = takenAt as number; index < takenAt + 4; index++) {
      const [a, b] = [await chain.run(contentAt(index)), await restored.run(contentAt(index))];
      expect(b.roots).toEqual(a.roots);
      expect(b.receipts.map(({ status }) => status)).toEqual([1]);
      other.set(b.block.header.height, { ...b, certificate: certificateOf({ ...b, transactions: [], actions: [] }) });
    }
  });

  it('the views of the order book are made again when the chain is opened', async () => {
    const restored = await createTestChain(genesis(), await restore(chunks, manifest));
    const own = await createTestChain(genesis());
    for (let index = 0; index < takenAt; index++) await own.run(contentAt(index));
    const views = dumpOf(own.database, [statePrefix.orderView]);
    expect(views.length).toBeGreaterThan(0);
    expect(dumpOf(restored.database, [statePrefix.orderView])).toEqual(views);
  });

  it('is the same at every node that takes it of the same state', async () => {
    const restored = await createTestChain(genesis(), await restore(chunks, manifest));
    const again = await takeSnapshot(restored, takenAt);
    expect(snapshotId(again.manifest)).toBe(snapshotId(manifest));
    expect(again.chunks).toEqual(chunks);
  });

  it('is of the moment it was asked for, though blocks go on while it is read', async () => {
    const own = await createTestChain(genesis());
    const blocks = new Map<Height, StoredBlock>();
    for (let index = 0; index < 3; index++) await runAndStore(own, index, blocks);
    const source = openSnapshotSource(own.database, blocksOf(blocks), 3 as Height);
    await runAndStore(own, 3, blocks);
    const parts: Uint8Array[] = [];
    for await (const chunk of source.chunks()) parts.push(chunk);
    expect(readLastApplied(await restore(parts, source.manifest()))).toBe(3);
  });
});

describe('what is not a snapshot of a state is refused', () => {
  it('another chunk, one too many, one too few', async () => {
    const damaged = chunks.map((chunk, index) =>
      index === 0 ? chunk.map((byte, at) => (at === 100 ? byte ^ 1 : byte)) : chunk,
    );
    await expect(restore(damaged, manifest)).rejects.toMatchObject(refusedFor(/chunk 0/));
    await expect(restore([...chunks, chunks[0]!], manifest)).rejects.toMatchObject(refusedFor(/more chunks/));
    await expect(restore([], manifest)).rejects.toMatchObject(refusedFor(/complete/));
  });

  it('a format of a later version', async () => {
    expect(() => createSnapshotRestore(createMemoryDatabase(), genesis(), { ...manifest, format: 2 })).toThrow(
      expect.objectContaining({ code: 'CHAIN_SNAPSHOT_REFUSED' }),
    );
  });

  const kindIs = (kind: number) => (record: SnapshotRecord) => record.key[0] === kind;
  const without =
    (kind: number) =>
    (records: SnapshotRecord[]): SnapshotRecord[] =>
      records.filter((record) => record !== records.find(kindIs(kind)));
  const withChanged =
    (kind: number, change: (record: SnapshotRecord) => SnapshotRecord) =>
    (records: SnapshotRecord[]): SnapshotRecord[] => {
      const first = records.findIndex(kindIs(kind));
      return records.map((record, index) => (index === first ? change(record) : record));
    };
  const flipLast = ({ key, value }: SnapshotRecord): SnapshotRecord => ({
    key,
    value: value.map((byte, at) => (at === value.length - 1 ? byte ^ 1 : byte)),
  });

  it.each([
    ['an account is missing', without(statePrefix.account), /./],
    [
      'an account is richer',
      withChanged(statePrefix.account, ({ key, value }) => ({
        key,
        value: value.map((byte, at) => (at === 2 ? byte ^ 1 : byte)),
      })),
      /./,
    ],
    ['code is missing', without(statePrefix.code), /code of 1 accounts is missing/],
    ['code is changed', withChanged(statePrefix.code, flipLast), /code that is not the one of its hash/],
    ['storage is missing', without(statePrefix.storage), /storage|root/],
    ['a storage value is changed', withChanged(statePrefix.storage, flipLast), /storage|root/],
    ['an order record is missing', without(statePrefix.clobRecord), /./],
    ['an order record is changed', withChanged(statePrefix.clobRecord, flipLast), /./],
    [
      'a record of a kind that is no state',
      (records: SnapshotRecord[]) => [...records, { key: Uint8Array.of(0x74), value: Uint8Array.of(1) }],
      /kind/,
    ],
    [
      'a record twice',
      (records: SnapshotRecord[]) => [...records.slice(0, -1), records.at(-2)!, records.at(-1)!],
      /order/,
    ],
    ['the block is missing', without(snapshotRecord.block), /missing/],
    ['validators are missing', without(snapshotRecord.validators), /missing/],
    ['a header is missing', without(snapshotRecord.header), /header/],
    ['results are missing', without(statePrefix.executed), /missing/],
    [
      'a header of another time',
      withChanged(snapshotRecord.header, ({ value }) => ({
        key: heightKey(snapshotRecord.header, (2 ** 40) as Height),
        value,
      })),
      /of no use/,
    ],
    [
      'validators of another time',
      withChanged(snapshotRecord.validators, ({ value }) => ({
        key: heightKey(snapshotRecord.validators, (takenAt + 2) as Height),
        value,
      })),
      /of no use/,
    ],
  ])('%s', async (_name, change, reason) => {
    await expect(forged(change)).rejects.toMatchObject(refusedFor(reason));
  });

  const hasKind = (kind: number): boolean => {
    const reader = createRecordReader();
    return chunks.some((chunk) => reader.add(chunk).some(kindIs(kind)));
  };

  it.each([
    ['headers', snapshotRecord.header],
    ['validators', snapshotRecord.validators],
    ['results', statePrefix.executed],
    ['accounts', statePrefix.account],
    ['code', statePrefix.code],
    ['storage', statePrefix.storage],
    ['order records', statePrefix.clobRecord],
    ['what contracts left', statePrefix.contractWrites],
    ['the block', snapshotRecord.block],
  ])('%s that are no such thing: refused like any other lie, and never a broken invariant', async (_name, kind) => {
    // An empty list is no lie where there is none: of validators in this chain, of what contracts left in most.
    const empty = kind === snapshotRecord.validators || kind === statePrefix.contractWrites ? [] : ['c0'];
    const values = ['', '80', 'c2c0c0', 'c78080808080', 'c780808080808080', 'f84a', 'ff'.repeat(40), '00'.repeat(40)];
    for (const value of [...empty, ...values]) {
      const bytes = Uint8Array.from(Buffer.from(value, 'hex'));
      const change = withChanged(kind, ({ key }) => ({ key, value: bytes }));
      const cut = withChanged(kind, (record) => ({ key: record.key.slice(0, 3), value: bytes }));
      for (const damage of hasKind(kind) ? [change, cut] : [])
        await expect(forged(damage)).rejects.toMatchObject({ code: 'CHAIN_SNAPSHOT_REFUSED' });
      // Beside the true ones as well.
      const added = (records: SnapshotRecord[]): SnapshotRecord[] => [
        ...records.slice(0, -1),
        { key: heightKey(kind, takenAt), value: bytes },
        records.at(-1)!,
      ];
      await expect(forged(added)).rejects.toMatchObject({ code: 'CHAIN_SNAPSHOT_REFUSED' });
    }
  });

  it('another state root, orders root or block than its records give', async () => {
    const other = `0x${'77'.repeat(32)}` as Hash;
    for (const field of ['stateRoot', 'ordersRoot', 'blockHash'])
      await expect(forged((records) => records, { [field]: other })).rejects.toMatchObject(refusedFor(/root|block/));
  });
});

/** A stream of one record. */
function encoded(record: SnapshotRecord): Uint8Array {
  const writer = createChunkWriter();
  expect(writer.add(record)).toEqual([]);
  return writer.end()!;
}

it('a record that claims to be longer than any is: refused before it is waited for', () => {
  const head = encoded({ key: Uint8Array.of(statePrefix.account), value: new Uint8Array(0) });
  new DataView(head.buffer).setUint32(3, 0xffffffff);
  expect(() => createRecordReader().add(head)).toThrow(expect.objectContaining(refusedFor(/4294967295 bytes/)));
});

describe('the manifest', () => {
  it('decodes to what was encoded, and names the snapshot', () => {
    expect(decodeSnapshotManifest(encodeSnapshotManifest(manifest))).toEqual(manifest);
    expect(snapshotId({ ...manifest, height: 13 as Height })).not.toBe(snapshotId(manifest));
  });
});

it('records come out of chunks as they went in, wherever the stream is cut', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ key: bytes, value: bytes })),
      fc.integer({ min: 1, max: 500 }),
      (records, size) => {
        const writer = createChunkWriter(size);
        const cut = records.flatMap((record) => writer.add(record));
        const rest = writer.end();
        if (rest !== null) cut.push(rest);
        expect(cut.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
        const reader = createRecordReader();
        expect(cut.flatMap((chunk) => reader.add(chunk))).toEqual(records);
        expect(reader.rest).toBe(0);
      },
    ),
  );
  expect(encoded({ key: Uint8Array.of(1), value: Uint8Array.of(2, 3) })).toEqual(
    Uint8Array.of(0, 1, 1, 0, 0, 0, 2, 2, 3),
  );
  expect(snapshotChunkBytes).toBe(1_048_576);
});

import { describe, expect, it } from '@jest/globals';
import {
  type CommitOutcome,
  decodeEventFrames,
  decodeResultFrames,
  defaultMarketDecimals,
  ordersAddress,
  statePrefix,
  type VerifiedAction,
} from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';
import { createMemoryDatabase } from '@prime/evm/testing';
import type { PipelineWatch } from './blockStages.ts';
import {
  metaKey,
  readActionResults,
  readEventFrames,
  readEvents,
  readExecuted,
  readLocation,
  readReceipts,
} from '../history/history.ts';
import { readBlockHashes } from '../history/blockHashes.ts';
import { findEvents, type Places } from '../history/historyIndex.ts';
import {
  action,
  alice,
  bob,
  certificateOf,
  copyOf,
  createTestChain,
  faucet,
  testGenesis,
  testSyncIntervalBlocks,
  orderOf,
} from '../testing/chain.ts';
import type { ClobPort } from '../ports.ts';

const deposit = (account: Address, amount: bigint): VerifiedAction => action(account, { type: 'deposit', amount });
const order = (account: Address, side: 'buy' | 'sell', price: bigint, size: bigint): VerifiedAction =>
  action(account, orderOf({ side, price, size }));

/** The error codes of the results, null where an action went through. */
const codes = (results: Uint8Array): (string | null)[] =>
  decodeResultFrames(results).map((result) => (result.ok ? null : result.error.code));

describe('deposits in the boundary phase', () => {
  it('move wei from the account into escrow', async () => {
    const chain = await createTestChain(testGenesis());
    const delta = await chain.run({ actions: [deposit(bob, 400n)] });
    expect(codes(delta.actionResults)).toEqual([null]);
    expect(chain.balance(bob)).toBe(600n);
    expect(chain.balance(ordersAddress)).toBe(400n);
  });

  it('more than the account has is refused where there is no faucet, and moves nothing', async () => {
    const chain = await createTestChain(testGenesis());
    const delta = await chain.run({ actions: [deposit(bob, 1001n)] });
    expect(codes(delta.actionResults)).toEqual(['CLOB_INSUFFICIENT_FUNDS']);
    expect(chain.balance(bob)).toBe(1000n);
    expect(chain.balance(ordersAddress)).toBe(0n);
  });

  it('the faucet pays what is missing, and no wei is created', async () => {
    const chain = await createTestChain(testGenesis({ faucet }));
    const delta = await chain.run({ actions: [deposit(bob, 1500n)] });
    expect(codes(delta.actionResults)).toEqual([null]);
    expect(chain.balance(bob)).toBe(0n);
    expect(chain.balance(faucet)).toBe(10n ** 6n - 500n);
    expect(chain.balance(ordersAddress)).toBe(1500n);
    expect(decodeEventFrames(delta.events).map(({ kind }) => kind)).toContain('faucet_used');
  });

  it('one that a later block holds again, twice: it is found where it stands first, with the result it had there', async () => {
    const chain = await createTestChain(testGenesis());
    const once = deposit(bob, 400n);
    await chain.run({ actions: [once] });
    const delta = await chain.run({ actions: [once, once] });
    expect(codes(delta.actionResults)).toEqual(['CLOB_NONCE', 'CLOB_NONCE']);
    expect(readLocation(chain.database, once.hash)).toEqual({ kind: 'action', height: 1, index: 0 });
  });

  it('one that is refused for its nonce and was in no block before is found', async () => {
    const chain = await createTestChain(testGenesis());
    const [first, other] = [deposit(bob, 400n), deposit(bob, 300n)];
    const { nonce } = first.transaction;
    const repeated = action(bob, other.transaction.payload, nonce);
    await chain.run({ actions: [first] });
    await chain.run({ actions: [repeated, repeated] });
    expect(readLocation(chain.database, repeated.hash)).toEqual({ kind: 'action', height: 2, index: 0 });
  });

  it('a replayed one is given back to whoever paid', async () => {
    const chain = await createTestChain(testGenesis({ faucet }));
    const once = deposit(bob, 1500n);
    await chain.run({ actions: [once] });
    const delta = await chain.run({ actions: [once] });
    expect(decodeResultFrames(delta.actionResults)[0]).toMatchObject({ ok: false });
    expect(chain.balance(bob)).toBe(0n);
    expect(chain.balance(faucet)).toBe(10n ** 6n - 500n);
    expect(chain.balance(ordersAddress)).toBe(1500n);
  });
});

describe('optimistic execution', () => {
  it('a discarded block leaves no trace: the next one gives the same roots as without it', async () => {
    const [plain, tried] = await Promise.all([createTestChain(testGenesis()), createTestChain(testGenesis())]);
    const content = { actions: [deposit(alice, 10n ** 10n), order(alice, 'buy', 100n, 50n)] };
    const rejected = tried.block({ actions: [deposit(alice, 7n), order(alice, 'sell', 3n, 1n)] });
    expect((await tried.pipeline.check(rejected)).ok).toBe(true);
    await tried.pipeline.execute(rejected.hash);
    const [a, b] = [await plain.run(content), await tried.run(content)];
    expect(b.roots).toEqual(a.roots);
    expect(tried.database.dump()).toEqual(plain.database.dump());
  });

  it('the first block of a height alone, whichever is committed; of the next height again the first', async () => {
    const chain = await createTestChain(testGenesis());
    const deposits = (amount: bigint) => chain.block({ actions: [deposit(alice, amount)] });
    const [first, second] = [deposits(5n), deposits(6n)];
    for (const block of [first, second]) await chain.pipeline.check(block);
    expect(await chain.pipeline.execute(first.hash)).not.toBeNull();
    expect(await chain.pipeline.execute(second.hash)).toBeNull();
    expect(await chain.pipeline.execute(first.hash)).not.toBeNull();
    await chain.pipeline.commit(second.hash, certificateOf(second));
    expect(chain.balance(ordersAddress)).toBe(6n);
    const [third, fourth] = [deposits(7n), deposits(8n)];
    for (const block of [third, fourth]) await chain.pipeline.check(block);
    expect(await chain.pipeline.execute(fourth.hash)).not.toBeNull();
    await chain.pipeline.commit(fourth.hash, certificateOf(fourth));
    expect(chain.balance(ordersAddress)).toBe(14n);
  });

  it('while a block runs others of its height are judged, and those of the next height after its commit', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const waiting = (clob: ClobPort): ClobPort => ({
      ...clob,
      async execute(block) {
        await held;
        return clob.execute(block);
      },
    });
    const chain = await createTestChain(testGenesis(), undefined, undefined, waiting);
    const [first, second] = [
      chain.block({ actions: [deposit(alice, 5n)] }),
      chain.block({ actions: [deposit(alice, 6n)] }),
    ];
    await chain.pipeline.check(first);
    const running = chain.pipeline.execute(first.hash);
    expect(await chain.pipeline.check(second)).toEqual({ ok: true });
    const committed = chain.pipeline.commit(second.hash, certificateOf(second));
    const late = chain.pipeline.check(first);
    finish();
    expect(await running).not.toBeNull();
    expect(await committed).toMatchObject({ height: 1, hash: second.hash });
    expect(await late).toMatchObject({ ok: false, reason: 'height 1 does not follow 1' });
    expect(chain.balance(ordersAddress)).toBe(6n);
  });

  it('a block that was not checked is not executed, keeps no other from it, and can not be committed', async () => {
    const chain = await createTestChain(testGenesis());
    const [unchecked, checked] = [chain.block({}), chain.block({ actions: [deposit(alice, 5n)] })];
    expect(await chain.pipeline.execute(unchecked.hash)).toBeNull();
    await expect(chain.pipeline.commit(unchecked.hash, certificateOf(unchecked))).rejects.toMatchObject({
      code: 'CHAIN_UNKNOWN_BLOCK',
    });
    await chain.pipeline.check(checked);
    expect(await chain.pipeline.execute(checked.hash)).not.toBeNull();
  });
});

describe('restart', () => {
  it('goes on from the database with the same roots as without it', async () => {
    const whole = await createTestChain(testGenesis());
    const parts = await createTestChain(testGenesis());
    const opening = { actions: [deposit(alice, 10n ** 10n), deposit(bob, 900n), order(alice, 'sell', 100n, 50n)] };
    const trading = { actions: [order(bob, 'buy', 100n, 3n)] };
    await whole.run(opening);
    await parts.run(opening);
    const restarted = await createTestChain(testGenesis(), parts.database);
    expect(restarted.pipeline.status()).toEqual(whole.pipeline.status());
    const [a, b] = [await whole.run(trading), await restarted.run(trading)];
    expect(b.roots).toEqual(a.roots);
    expect(b.actionResults).toEqual(a.actionResults);
    expect(decodeResultFrames(a.actionResults)[0]).toMatchObject({ ok: true, value: { filled: 3n } });
  });

  it('another genesis is refused', async () => {
    const chain = await createTestChain(testGenesis());
    const other = testGenesis({ networkName: 'other' });
    await expect(createTestChain(other, chain.database)).rejects.toMatchObject({ code: 'CHAIN_GENESIS_MISMATCH' });
  });

  it('a database of another format is refused', async () => {
    const { database } = await createTestChain(testGenesis());
    await database.write([{ key: metaKey('format'), value: Uint8Array.of(99) }], { sync: true });
    await expect(createTestChain(testGenesis(), database)).rejects.toMatchObject({
      code: 'CHAIN_FORMAT_UNKNOWN',
      detail: { found: 99 },
    });
  });

  it('a lost record of the order book is noticed: its root is not the one in the state', async () => {
    const { database, run } = await createTestChain(testGenesis());
    await run({ actions: [deposit(alice, 10n ** 10n), order(alice, 'buy', 100n, 50n)] });
    const intact = await createTestChain(testGenesis(), database);
    expect(intact.pipeline.status().height).toBe(1);
    let lost: Uint8Array | null = null;
    for await (const [key] of database.entries(Uint8Array.of(statePrefix.clobRecord))) lost = key;
    await database.write([{ key: lost!, value: null }], { sync: true });
    await expect(createTestChain(testGenesis(), database)).rejects.toMatchObject({
      code: 'CHAIN_ORDERS_ROOT_MISMATCH',
    });
  });
});

describe('durability', () => {
  it('the state is forced to disk every few blocks, and not in between', async () => {
    const database = createMemoryDatabase();
    const synced: boolean[] = [];
    const recording = {
      ...database,
      write: (...args: Parameters<typeof database.write>) => {
        synced.push(args[1].sync);
        return database.write(...args);
      },
    };
    const chain = await createTestChain(testGenesis(), recording);
    for (let height = 1; height <= 2 * testSyncIntervalBlocks; height++) await chain.run({});
    // Genesis first, then blocks 1, 2, …
    expect(synced).toEqual([true, false, false, false, true, false, false, false, true]);
  });
});

describe('a block that does not fit its parent', () => {
  it.each([
    ['state root', { roots: { stateRoot: `0x${'11'.repeat(32)}` as Hash } }, true],
    ['parent hash', { hash: `0x${'22'.repeat(32)}` as Hash }, false],
    ['base fee', { nextBaseFee: 5n }, false],
  ])('wrong %s', async (_name, wrong, diverged) => {
    const chain = await createTestChain(testGenesis());
    const status = chain.pipeline.status();
    const roots = { ...status.roots, ...('roots' in wrong ? wrong.roots : {}) };
    const block = chain.block({ status: { ...wrong, roots } });
    expect(await chain.pipeline.check(block)).toMatchObject({ ok: false, diverged });
  });
});

describe('history in the database', () => {
  it('genesis: the events of its markets are stored and indexed at height 0', async () => {
    const markets = ['PRM/USD', 'BTC/USD'].map((symbol) => ({
      symbol,
      tickSize: 1n,
      lotSize: 1n,
      ...defaultMarketDecimals,
    }));
    const { database } = await createTestChain(testGenesis({ markets }));
    const events = readEvents(database, 0 as Height);
    expect(events.map(({ kind, data }) => [kind, data['symbol']])).toEqual([
      ['market_added', 'PRM/USD'],
      ['market_added', 'BTC/USD'],
    ]);
    const found: Places[] = [];
    for await (const place of findEvents(database, 'orders', 'market_added', { fromHeight: 0, toHeight: 9 }))
      found.push(place);
    expect(found).toEqual([{ height: 0, positions: [0, 1] }]);
  });

  it('a block: hashes, results and events come back as its delta told them', async () => {
    const chain = await createTestChain(testGenesis());
    const delta = await chain.run({ actions: [deposit(alice, 500n), deposit(bob, 1n)] });
    const { height, timestampMs } = delta.block.header;
    expect(readEventFrames(chain.database, height)).toEqual(delta.events);
    expect(readActionResults(chain.database, height)).toEqual(decodeResultFrames(delta.actionResults));
    expect(readReceipts(chain.database, height)).toEqual(delta.receipts);
    expect(readBlockHashes(chain.database, height)).toEqual({
      transactionHashes: delta.transactionHashes,
      actionHashes: delta.actionHashes,
    });
    expect(readExecuted(chain.database, height)).toMatchObject({ hash: delta.hash, timestampMs });
  });
});

describe('the results of a decided block', () => {
  /** A chain whose database takes the next batch only when it is told to. */
  async function heldChain() {
    const database = createMemoryDatabase();
    const chain = await createTestChain(testGenesis(), database);
    const write = database.write.bind(database);
    const hold = { isOver: false, fails: false, go: (): void => undefined };
    const held = new Promise<void>((resolve) => {
      hold.go = resolve;
    });
    database.write = async (...batch) => {
      await held;
      hold.isOver = true;
      if (hold.fails) throw new Error('the disk is full');
      return write(...batch);
    };
    const first = chain.block({ actions: [deposit(bob, 400n)] });
    await chain.pipeline.check(first);
    return { chain, hold, first };
  }

  it('are told before they are written; the next block is checked by them meanwhile, and executed afterwards', async () => {
    const { chain, hold, first } = await heldChain();
    let committed = Promise.resolve<unknown>(null);
    const outcome = await new Promise<CommitOutcome>((resolve) => {
      committed = chain.pipeline.commit(first.hash, certificateOf(first), 0, resolve);
    });
    expect(hold.isOver).toBe(false);
    expect(chain.deltas).toEqual([]);
    expect(chain.balance(bob)).toBe(1_000n);
    expect(outcome.accounts).toContainEqual({ address: bob, nonce: 0, balance: 600n });
    expect(chain.pipeline.status()).toMatchObject({ height: 1, hash: first.hash, roots: outcome.roots });
    const second = chain.block({ actions: [deposit(bob, 1n)] });
    expect(await chain.pipeline.check(second)).toEqual({ ok: true });
    const executed = chain.pipeline.execute(second.hash);
    expect(chain.deltas).toEqual([]);
    hold.go();
    expect(await committed).toEqual(outcome);
    expect(chain.deltas).toHaveLength(1);
    expect(chain.balance(bob)).toBe(600n);
    const roots = await executed;
    const next = await chain.pipeline.commit(second.hash, certificateOf(second));
    expect(next.roots).toEqual(roots);
    expect(chain.balance(bob)).toBe(599n);
  });

  it('that can not be written end in a failure, after they were told', async () => {
    const { chain, hold, first } = await heldChain();
    const told: unknown[] = [];
    const committed = chain.pipeline.commit(first.hash, certificateOf(first), 0, (outcome) =>
      told.push(outcome.height),
    );
    hold.fails = true;
    hold.go();
    await expect(committed).rejects.toThrow('the disk is full');
    expect(told).toEqual([1]);
    expect(chain.deltas).toEqual([]);
  });

  it('of a process that ends before they are written come out of the block once more', async () => {
    const { chain, first } = await heldChain();
    const left = await copyOf(chain.database);
    const outcome = await new Promise<CommitOutcome>((resolve) => {
      chain.pipeline.commit(first.hash, certificateOf(first), 0, resolve).catch(() => undefined);
    });
    const again = await createTestChain(testGenesis(), left);
    expect(again.pipeline.status().height).toBe(0);
    await again.pipeline.check(first);
    expect(await again.pipeline.commit(first.hash, certificateOf(first))).toEqual(outcome);
  });
});

describe('who watches a pipeline', () => {
  it('is told of each part of each block once, in order, and of what is too old and still there', async () => {
    const told: string[] = [];
    const sums = { parts: 0, whole: 0 };
    const watch: PipelineWatch = {
      executed(ms) {
        sums.whole += ms;
        told.push('executed');
      },
      phase(phase, ms) {
        // The order book goes on beside the transactions.
        if (phase !== 'orders') sums.parts += ms;
        told.push(phase);
      },
      commit: (stage) => told.push(stage),
      pruned: (left) => told.push(`left ${left}`),
    };
    const retention = { states: 2, blocks: 3 };
    const chain = await createTestChain(testGenesis(), createMemoryDatabase(), retention, undefined, watch);
    await chain.run({ actions: [deposit(bob, 400n)] });
    const sideBySide = new Set(['orders', 'evm']);
    const parts = ['boundary', 'root', 'executed', 'batch', 'write', 'keep', 'tell', 'left 0'];
    expect(told.filter((name) => !sideBySide.has(name))).toEqual(parts);
    expect(told.filter((name) => sideBySide.has(name)).toSorted()).toEqual(['evm', 'orders']);
    expect(sums.parts).toBeGreaterThan(0);
    expect(sums.whole).toBeGreaterThanOrEqual(sums.parts);
    for (let blocks = 0; blocks < 6; blocks++) await chain.run({});
    await chain.pipeline.close();
    expect(told.filter((name) => name.startsWith('left'))).toEqual(Array.from({ length: 7 }, () => 'left 0'));
  });
});

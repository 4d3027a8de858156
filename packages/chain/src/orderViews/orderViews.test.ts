import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, noBlockOverrides, ordersAddress, statePrefix, type VerifiedAction } from '@prime/codec';
import { createNodeCommon, createStateReader, type StateReader } from '@prime/evm';
import { bytesToHex, createPrng, type Height, hexToBytes, type MarketId } from '@prime/primitives';
import { Recount, clientHex } from '../testing/recount.ts';
import { metaKey, readExecuted } from '../history/history.ts';
import { archive } from '../history/pruner.ts';
import {
  action,
  alice,
  bob,
  copyOf,
  createTestChain,
  faucet,
  type TestChain,
  testGenesis,
  orderOf,
} from '../testing/chain.ts';
import { createActor, ordersCall, ordersResult } from '../testing/contracts.ts';
import { createOrderViews } from './orderViews.ts';

const owners = [alice, bob, faucet];
const clientIds = [1n, 2n, 3n];

/** Every read that there is, for what the streams below make. */
const reads: readonly (readonly [name: string, args: readonly unknown[]])[] = [
  ['markets', []],
  ['insuranceFund', []],
  ['clobRoot', []],
  ...[1, 2].flatMap((market): [string, unknown[]][] => [
    ['market', [market]],
    ['bestPrices', [market]],
    ['book', [market, 3]],
    ['book', [market, 100]],
    ...owners.map((owner): [string, unknown[]] => ['position', [owner, market]]),
  ]),
  ...owners.flatMap((owner): [string, unknown[]][] => [
    ['account', [owner]],
    ['isLiquidatable', [owner]],
    ...clientIds.map((id): [string, unknown[]] => ['orderByClientId', [owner, id]]),
  ]),
  ...Array.from({ length: 40 }, (_, index): [string, unknown[]] => ['order', [BigInt(index + 1)]]),
];

/** What the contract answers on the state after a block. */
async function ask(chain: TestChain, reader: StateReader, height: Height, name: string, args: readonly unknown[]) {
  const { roots, timestampMs } = readExecuted(chain.database, height)!;
  const message = {
    from: null,
    to: ordersAddress,
    value: 0n,
    data: hexToBytes(ordersCall(name, args)),
    gas: null,
    gasPrice: null,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    nonce: null,
    accessList: null,
    authorizationList: [],
    stateOverrides: [],
    blockOverrides: noBlockOverrides,
  };
  const at = {
    stateRoot: roots.stateRoot,
    height,
    timestampMs,
    proposer: alice,
    gasLimit: 30_000_000n,
    baseFee: 1n,
    parentHash: roots.stateRoot,
  };
  return reader.call(message as never, at);
}

async function readerOf({ database, genesis }: TestChain): Promise<StateReader> {
  const common = await createNodeCommon(genesis.chainId);
  const orderViews = createOrderViews({ database, minTrades: 0 });
  return createStateReader({ database, common, blockHashOf: () => null, orderViews });
}

/** Random actions of a few owners on a few prices, so that much of it meets. */
function randomActions(seed: number): () => VerifiedAction[] {
  const random = createPrng(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const order = (): ActionPayload =>
    orderOf({
      marketId: pick([1, 1, 1, 2]) as MarketId,
      side: pick(['buy', 'sell'] as const),
      price: BigInt(95 + random.below(10)),
      size: BigInt(1 + random.below(5)),
      tif: pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok'] as const),
      clientId: pick([null, ...clientIds.map(clientHex)]),
    });
  const payload = (): ActionPayload => {
    switch (random.below(10)) {
      case 0:
        return { type: 'cancel', orderId: (1 + random.below(40)) as never };
      case 1:
        return { type: 'cancelByClientId', marketId: 1 as MarketId, clientId: clientHex(pick(clientIds)) };
      case 2:
        return { type: 'modify', orderId: (1 + random.below(40)) as never, price: 99n, size: 2n };
      case 3:
        return { type: 'deposit', amount: BigInt(random.below(200)) };
      default:
        return order();
    }
  };
  return () => Array.from({ length: random.below(6) }, () => action(pick(owners), payload()));
}

describe('reads of the order book', () => {
  it.each([1, 2])(
    'after any blocks, of all heights at the end, they are what a recount says: seed %i',
    async (seed) => {
      const base = testGenesis();
      const markets = [
        ...base.markets,
        { symbol: 'ETH/USD', tickSize: 1n, lotSize: 1n, baseDecimals: 36, quoteDecimals: 0 },
      ];
      const chain = await createTestChain({ ...base, markets, faucet, clob: { ...base.clob, orderMemoryBlocks: 4 } });
      const actions = randomActions(seed);
      await chain.run({ actions: owners.map((owner) => action(owner, { type: 'deposit', amount: 400n })) });
      const recounts: Recount[] = [];
      const reader = await readerOf(chain);
      const blocks = 12;
      for (let count = 0; count < blocks; count++) {
        const delta = await chain.run({ actions: actions() });
        recounts[delta.block.header.height] = await Recount.of(chain.database);
        // A reader that looks at the newest height now, and at all of them in the end.
        await ask(chain, reader, delta.block.header.height, 'book', [1, 2]);
      }
      const late = await readerOf(chain);
      for (const [height, recount] of recounts.entries()) {
        if (recount === undefined) continue;
        for (const [name, args] of reads) {
          const outcome = await ask(chain, late, height as Height, name, args);
          expect({ name, args, height, status: outcome.status }).toMatchObject({ status: 'success' });
          if (name === 'clobRoot') continue;
          const shown = ordersResult(name, (outcome as { output: Uint8Array }).output);
          expect({ name, args, height, shown }).toEqual({ name, args, height, shown: recount.answer(name, args) });
        }
      }
    },
  );

  it('a transaction sees the order book before its block, not what the block or the transaction does', async () => {
    const [base, maker] = [testGenesis(), await createActor('maker', 7919)];
    const rich = { address: maker.address, balance: 10n ** 20n, nonce: 0, code: new Uint8Array(0), storage: [] };
    const chain = await createTestChain({ ...base, alloc: [...base.alloc, rich] });
    const best = () => maker.orders('bestPrices', [1]);
    const bids = (output: Uint8Array) => (ordersResult('bestPrices', output) as bigint[])[0];
    await chain.run({ transactions: [maker.orders('deposit', [], 10n ** 18n)] });
    const submit = maker.orders('submitOrder', [1, true, 50n, 1n, 0, 0, 0n]);
    const n = await chain.run({ transactions: [submit, best()] });
    const next = await chain.run({ transactions: [best()] });
    const after = await chain.run({ transactions: [best()] });
    expect([n.receipts[1]!, next.receipts[0]!, after.receipts[0]!].map(({ output }) => bids(output))).toEqual([
      0n,
      0n,
      50n,
    ]);
  });

  it('made again from the records, as after a snapshot: the head is right, and the time before is refused', async () => {
    const before = await createTestChain({ ...testGenesis(), faucet });
    const actions = randomActions(5);
    await before.run({ actions: owners.map((owner) => action(owner, { type: 'deposit', amount: 400n })) });
    for (let count = 0; count < 8; count++) await before.run({ actions: actions() });
    const database = await copyOf(before.database);
    const views = [statePrefix.orderView, statePrefix.orderHistory];
    const stale = database.dump().filter(([key]) => views.includes(key.charCodeAt(0) as never));
    expect(stale.length).toBeGreaterThan(30);
    const keys = [...stale.map(([key]) => Uint8Array.from(Buffer.from(key, 'latin1'))), metaKey('orderViews')];
    await database.write(
      keys.map((key) => ({ key, value: null })),
      { sync: true },
    );
    const chain = await createTestChain(before.genesis, database);
    const isView = ([key]: readonly [string, string]): boolean => key.charCodeAt(0) === statePrefix.orderView;
    expect(database.dump().filter(isView)).toEqual(before.database.dump().filter(isView));
    const { height } = chain.pipeline.status();
    await chain.run({ actions: actions() });
    const reader = await readerOf(chain);
    expect(await ask(chain, reader, height, 'book', [1, 9])).toMatchObject({ status: 'success' });
    await expect(ask(chain, reader, (height - 1) as Height, 'book', [1, 9])).rejects.toMatchObject({
      code: 'EVM_NODE_MISSING',
    });
  });

  it('pruned: the past that is kept stays right, and what is deleted leaves no entries', async () => {
    const chain = await createTestChain({ ...testGenesis(), faucet }, undefined, { ...archive, states: 5 });
    const actions = randomActions(9);
    await chain.run({ actions: owners.map((owner) => action(owner, { type: 'deposit', amount: 400n })) });
    const recounts: Recount[] = [];
    for (let count = 0; count < 20; count++) {
      const delta = await chain.run({ actions: actions() });
      recounts[delta.block.header.height] = await Recount.of(chain.database);
    }
    await chain.pipeline.close();
    const reader = await readerOf(chain);
    const head = recounts.length - 1;
    for (let height = head - 4; height <= head; height++)
      for (const [name, args] of reads.filter(([, [of]]) => of !== 2)) {
        const outcome = await ask(chain, reader, height as Height, name, args);
        if (name !== 'clobRoot' && !(name === 'position' && args[1] === 2))
          expect({ height, shown: ordersResult(name, (outcome as { output: Uint8Array }).output) }).toEqual({
            height,
            shown: recounts[height]!.answer(name, args),
          });
      }
    const heights = chain.database
      .dump()
      .filter(([key]) => key.charCodeAt(0) === statePrefix.orderHistory)
      .map(([key]) => key.charCodeAt(key.length - 1));
    expect(Math.min(...heights)).toBeGreaterThan(head - 5);
    await expect(ask(chain, reader, (head - 10) as Height, 'markets', [])).rejects.toMatchObject({
      code: 'EVM_NODE_MISSING',
    });
  });
});

it('what costs more than its gas is made once for a height, whoever asks', async () => {
  const chain = await createTestChain(testGenesis());
  await chain.run({ actions: [action(alice, { type: 'deposit', amount: 10n })] });
  const views = createOrderViews({ database: chain.database, minTrades: 0 });
  const ask = (height: number) => views.read(hexToBytes(ordersCall('markets', [])), height as Height);
  const first = await ask(1);
  expect(await ask(1)).toBe(first);
  await chain.run({});
  const second = await ask(2);
  expect(second).not.toBe(first);
  expect(second).toEqual(first);
});

describe('bad input', () => {
  it.each([
    ['bestPrices', [3], 'unknown market 3'],
    ['market', [0], 'unknown market 0'],
    ['position', [alice, 9], 'unknown market 9'],
    ['book', [1, 101], 'depth is more than 100'],
  ])('%s%j reverts with %s and keeps the rest of the gas', async (name, args, reason) => {
    const chain = await createTestChain(testGenesis());
    const outcome = await ask(chain, await readerOf(chain), 0 as Height, name, args);
    expect(outcome).toMatchObject({ status: 'revert' });
    const { output, gasUsed } = outcome as { output: Uint8Array; gasUsed: bigint };
    expect(Buffer.from(output).toString('latin1')).toContain(reason);
    expect(gasUsed < 60_000n).toBe(true);
    expect(bytesToHex(output.subarray(0, 4))).toBe('0x08c379a0');
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { type ClobBlock, type ClobOutcome, createClobEngine, createPooledEngine, type PooledEngine } from '@prime/clob';
import {
  factsOf,
  type ActionPayload,
  defaultClobParams,
  defaultMarketDecimals,
  type VerifiedAction,
} from '@prime/codec';
import {
  type Address,
  createPrng,
  type Hash,
  type Height,
  type MarketId,
  type OrderId,
  type Prng,
  type TimestampMs,
} from '@prime/primitives';
import { fromWire, toWire } from './shardMessages.ts';
import { openShardPool, type ShardPool } from './shardPool.ts';
import type { ThreadError } from '../threads/threads.ts';

const params = { ...defaultClobParams, maxOpenOrders: 10_000 };
const marketCount = 5;
const genesisMarkets = Array.from({ length: marketCount }, (_, index) => ({
  symbol: `M${index}/USD`,
  tickSize: 1n,
  lotSize: 1n,
  ...defaultMarketDecimals,
}));
const addressOf = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address;
const traders = Array.from({ length: 12 }, (_, index) => addressOf(index));

/** Silence after which a thread counts as hung: long for one that works, however busy the machine is. */
const hangMs = 5_000;
let pool: ShardPool | null = null;
const openPool = (
  shards: number,
  onFatal: (error: ThreadError) => void = (error) => {
    throw error;
  },
): ShardPool => openShardPool({ shards, params, hangMs, onFatal });
afterEach(async () => {
  await pool?.close();
  pool = null;
});

/** Blocks of makers and takers around a price that stands still, with cancels of orders that may be gone. */
class Blocks {
  #nonce = 1_700_000_000_000_000;
  #height = 0;
  #newest = 1;
  readonly #random: Prng;

  constructor(seed: number) {
    this.#random = createPrng(seed);
  }

  make(payloads: readonly (readonly [Address, ActionPayload])[]): ClobBlock {
    const actions = payloads.map(
      ([account, payload]): VerifiedAction => ({
        raw: new Uint8Array(0),
        hash: `0x${(++this.#nonce).toString(16).padStart(64, '0')}` as Hash,
        signer: addressOf(999),
        facts: factsOf(payload),
        transaction: {
          chainId: 1,
          nonce: this.#nonce,
          expiresAt: 0,
          account,
          payload,
          signatureKind: 'gateway',
          signature: new Uint8Array(65),
        },
      }),
    );
    const deposits = payloads.flatMap(([, { type }], actionIndex) =>
      type === 'deposit' ? [{ actionIndex, funded: true, faucetAmount: 0n }] : [],
    );
    const height = ++this.#height as Height;
    return { height, timestampMs: (1_700_000_000_000 + height * 100) as TimestampMs, actions, deposits };
  }

  deposits(): ClobBlock {
    return this.make(traders.map((trader) => [trader, { type: 'deposit', amount: 10n ** 15n }]));
  }

  trades(count: number): ClobBlock {
    const random = this.#random;
    return this.make(
      Array.from({ length: count }, () => {
        const account = traders[random.below(traders.length)]!;
        if (random.chance(1, 4))
          return [account, { type: 'cancel', orderId: Math.max(1, this.#newest - random.below(80)) as OrderId }];
        this.#newest++;
        return [
          account,
          {
            type: 'order',
            marketId: (1 + random.below(marketCount)) as MarketId,
            side: random.chance(1, 2) ? 'buy' : 'sell',
            price: BigInt(95 + random.below(11)),
            size: BigInt(1 + random.below(30)),
            tif: random.chance(1, 5) ? 'ioc' : 'gtc',
            postOnly: false,
            reduceOnly: false,
            selfTrade: 'cancel_maker',
            clientId: random.chance(1, 3) ? `0x${this.#newest.toString(16).padStart(32, '0')}` : null,
            expiresAt: 0,
          },
        ];
      }),
    );
  }
}

const textOf = ({ results, events, writes, ordersRoot }: ClobOutcome): string =>
  JSON.stringify([ordersRoot, results, events, writes.length], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );

async function sameAs(
  pooled: PooledEngine,
  alone: ReturnType<typeof createClobEngine>,
  block: ClobBlock,
): Promise<void> {
  const [found, expected] = [await pooled.execute(block), alone.execute(block)];
  expect(textOf(found)).toBe(textOf(expected));
  pooled.commit();
  alone.commit();
}

describe('shards in threads', () => {
  it('give the results of one thread, block by block, with blocks that are taken back and after a restart', async () => {
    pool = openPool(3);
    const alone = createClobEngine(params, 'open');
    let pooled = createPooledEngine(params, 'open', pool.ports, 20);
    const records = new Map<string, readonly [Uint8Array, Uint8Array]>();
    const note = ({ writes }: ClobOutcome): void => {
      for (const { key, value } of writes)
        if (value === null) records.delete(String(key));
        else records.set(String(key), [key.slice(), value.slice()]);
    };
    const genesis = pooled.genesis(genesisMarkets);
    note(genesis);
    expect(genesis.ordersRoot).toBe(alone.genesis(genesisMarkets).ordersRoot);
    pooled.commit();
    alone.commit();
    const blocks = new Blocks(1);
    for (let index = 0; index < 16; index++) {
      const block = index === 0 ? blocks.deposits() : blocks.trades(index % 4 === 3 ? 10 : 150);
      if (index === 6) {
        await pooled.execute(block);
        pooled.rollback();
      }
      const outcome = await pooled.execute(block);
      note(outcome);
      expect(textOf(outcome)).toBe(textOf(alone.execute(block)));
      pooled.commit();
      alone.commit();
      pooled.settle();
    }
    expect(pooled.counts.shared).toBeGreaterThan(5);
    await pool.close();
    pool = openPool(2);
    pooled = createPooledEngine(params, 'open', pool.ports, 20);
    pooled.restore(records.values());
    expect(pooled.ordersRoot()).toBe(alone.ordersRoot());
    for (let index = 0; index < 4; index++) await sameAs(pooled, alone, blocks.trades(150));
    expect(pooled.counts.shared).toBeGreaterThan(2);
  });

  it('end with an error that is told', async () => {
    const errors: unknown[] = [];
    pool = openPool(1, (error) => errors.push(error));
    const [port] = pool.ports;
    // No such account: what a front would never say.
    const work = {
      height: 1,
      timestampMs: 1,
      accounts: { from: 5, addresses: [addressOf(1)] },
      items: { numbers: new Float64Array(0), clientIds: [], bigs: [] },
    };
    await expect(port!.run(work)).rejects.toThrow('missed an account');
    expect(errors).toEqual([]);
  });

  it.each([
    ['throw', 'THREAD_FAILED'],
    ['end', 'THREAD_FAILED'],
    ['hang', 'THREAD_HUNG'],
  ] as const)('one that fails by %s is told of once, by its name, and ends what waits for it', async (how, code) => {
    const errors: ThreadError[] = [];
    await new Promise<void>((resolve) => {
      pool = openPool(2, (error) => {
        errors.push(error);
        resolve();
      });
      pool.fail(1, how);
    });
    expect(errors).toMatchObject([{ code, detail: { thread: 'clob-shard1' } }]);
  });
});

it('columns and maps of messages arrive as they were', () => {
  const message = {
    numbers: new Float64Array([1, 2.5, Number.NaN]).subarray(1),
    rows: { kinds: new Uint8Array([1, 2, 3]).subarray(1, 2), ids: new Map([[3, 'x']]), counts: new Int32Array([7]) },
    bigs: [1n, 10n ** 40n],
    none: null,
  };
  expect(fromWire(toWire(message))).toEqual(message);
});

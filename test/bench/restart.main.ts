import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clobInThread, clobWrites, restoreClob } from '@prime/chain';
import { type ClobBlock, createClobEngine } from '@prime/clob';
import {
  factsOf,
  type ActionPayload,
  type ClobParams,
  defaultClobParams,
  defaultMarketDecimals,
  type GenesisMarket,
  type VerifiedAction,
} from '@prime/codec';
import { type Address, createPrng, type Hash, type Height, type MarketId, type TimestampMs } from '@prime/primitives';
import { openStateDatabase } from '@prime/storage';
import { benchArguments } from '@prime/testkit/arguments';

/**
 * How long the order book of a node takes to come back: an engine is filled with live orders through blocks, whose records go into the state
 * database as a node writes them; then a new process opens the database, gives the records to a new engine as a node does, and asks it for the
 * root, which must be the one from before. Told are wall time and processor time of the second process, from reading to root; in a node, records
 * pass a ring between two threads besides.
 *
 *   npm run bench:restart [-- --orders 1000000 --rounds 3]
 */
const given = benchArguments('bench:restart', {
  orders: { meaning: 'live orders', usual: 1_000_000 },
  rounds: { meaning: 'rounds of reading, building and root', usual: 3 },
  open: { meaning: 'database folder; of the processes that this one starts', usual: '' },
});

const params: ClobParams = { ...defaultClobParams, maxOpenOrders: 1_000_000 };
const markets: readonly GenesisMarket[] = Array.from({ length: 100 }, (_, index) => ({
  symbol: `M${index + 1}/USD`,
  tickSize: 5n,
  lotSize: 10n,
  ...defaultMarketDecimals,
}));
const owners = 2000;
const blockActions = 5000;
const collateral = 10n ** 24n;
const middle = 1000;
const gateway = `0x${'9'.repeat(40)}` as Address;
const addressOf = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address;

/** Orders that rest on both sides of a price, of many owners in many markets. */
async function fill(folder: string, orders: number): Promise<Hash> {
  const database = await openStateDatabase(folder);
  const engine = createClobEngine(params, 'open');
  const random = createPrng(1);
  let [height, nonce] = [0, 0];
  const run = async (payloads: readonly (readonly [Address, ActionPayload])[]): Promise<void> => {
    height++;
    const actions = payloads.map(([account, payload]): VerifiedAction => {
      nonce++;
      const transaction = { chainId: 1, nonce, expiresAt: 0, account, payload, signatureKind: 'gateway' } as const;
      const hash = `0x${nonce.toString(16).padStart(64, '0')}` as Hash;
      const signature = new Uint8Array(65);
      const facts = factsOf(payload);
      return { raw: new Uint8Array(0), hash, signer: gateway, facts, transaction: { ...transaction, signature } };
    });
    const deposits = payloads.flatMap(([, { type }], actionIndex) =>
      type === 'deposit' ? [{ actionIndex, funded: true, faucetAmount: 0n }] : [],
    );
    const timestampMs = (1_700_000_000_000 + height * 100) as TimestampMs;
    const block: ClobBlock = { height: height as Height, timestampMs, actions, deposits };
    const { results, writes } = engine.execute(block);
    if (results.some(({ ok }) => !ok)) throw new Error(`block ${height} refused something`);
    engine.commit();
    await database.write(clobWrites(writes), { sync: false });
  };
  await database.write(clobWrites(engine.genesis(markets).writes), { sync: false });
  engine.commit();
  await run(Array.from({ length: owners }, (_, index) => [addressOf(index), { type: 'deposit', amount: collateral }]));
  let live = 0;
  for (let id = 1; live < orders; ) {
    const payloads: (readonly [Address, ActionPayload])[] = [];
    for (let at = 0; at < blockActions && live < orders; at++, id++, live++) {
      const isBuy = random.chance(1, 2);
      const away = 1 + random.below(200);
      const order = {
        type: 'order',
        marketId: (1 + random.below(markets.length)) as MarketId,
        side: isBuy ? 'buy' : 'sell',
        price: BigInt(isBuy ? middle - away : middle + away) * 5n,
        size: BigInt(1 + random.below(50)) * 10n,
        tif: 'gtc',
        postOnly: false,
        reduceOnly: false,
        selfTrade: 'cancel_maker',
        clientId: random.chance(1, 10) ? `0x${id.toString(16).padStart(32, '0')}` : null,
        expiresAt: 0,
      } as const;
      payloads.push([addressOf(random.below(owners)), order]);
    }
    await run(payloads);
  }
  await database.write([], { sync: true });
  await database.close();
  return engine.ordersRoot();
}

/** What the second process tells. */
interface Opened {
  readonly root: Hash;
  readonly readSeconds: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function open(folder: string): Promise<Opened> {
  const database = await openStateDatabase(folder);
  const engine = createClobEngine(params, 'open');
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await restoreClob(database, clobInThread(engine));
  const read = performance.now();
  const root = engine.ordersRoot();
  const { user, system } = process.cpuUsage(cpu);
  const done = performance.now();
  await database.close();
  return {
    root,
    readSeconds: (read - begun) / 1e3,
    seconds: (done - begun) / 1e3,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.memoryUsage().rss / 2 ** 20,
  };
}

async function openElsewhere(folder: string): Promise<Opened> {
  const child = fork(fileURLToPath(import.meta.url), ['--open', folder]);
  const [opened] = (await once(child, 'message')) as [Opened];
  return opened;
}

async function main(): Promise<void> {
  if (given.open !== '') {
    process.send!(await open(given.open));
    process.disconnect();
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'prime-restart-'));
  try {
    const { orders, rounds } = given;
    const root = await fill(folder, orders);
    console.log(`${orders} live orders: seconds to read the records, to the root, of the processor; MB of the process`);
    for (let round = 0; round < rounds; round++) {
      const opened = await openElsewhere(folder);
      if (opened.root !== root) throw new Error(`the root is ${opened.root}, it was ${root}`);
      const { readSeconds, seconds, cpuSeconds, megabytes } = opened;
      console.log([readSeconds, seconds, cpuSeconds].map((value) => value.toFixed(2)).join('  '), megabytes.toFixed(0));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

await main();

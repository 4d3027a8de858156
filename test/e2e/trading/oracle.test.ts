/**
 * Prices from outside: feeders of four validators, some of which end, and a validator that is killed in between. Two of them read a file and a program, two
 * ask exchanges.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { PrimeProcess } from '../operations/program.ts';
import { Exchanges } from './exchange.ts';
import { addressesOf, hex, refusal } from './trading.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      (genesis['consensus'] as Record<string, number>)['emptyBlockIntervalMs'] = 500;
      const oracle = { maxMoveBps: 0, resumeMoveBps: 100_000, premiumMaxBps: 200 };
      Object.assign(genesis['clob'] as object, { oracle });
      (genesis['markets'] as { oracle?: boolean }[])[0]!.oracle = true;
    },
  });
  await Promise.all([testnet.startAll(), exchanges.open()]);
  await tell(100);
  await writeFile(configs.files, await feederFile());
  await writeFile(configs.exchanges, `interval_ms = 1000\n${exchanges.market((await market(0)).symbol)}`);
});
const feeders = new Map<number, PrimeProcess>();
const exchanges = new Exchanges();
afterAll(async () => {
  exchanges.close();
  for (const feeder of feeders.values()) feeder.child.kill('SIGKILL');
  await testnet.destroy();
});

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const [alice, bob, carol] = addressesOf('alice', 'bob', 'carol');

const configs = {
  get files() {
    return join(testnet.directory, 'files.toml');
  },
  get exchanges() {
    return join(testnet.directory, 'exchanges.toml');
  },
};

interface Market {
  readonly symbol: string;
  readonly base_decimals: number;
  readonly quote_decimals: number;
  readonly mark_price: string | null;
  readonly oracle?: { readonly index_price: string | null; readonly stale_since_ms: string | null };
}
const market = async (index: number): Promise<Market> => (await call<Market[]>(index, 'primeorders_getMarkets'))[0]!;

/** A second source is always wrong; two that agree outvote it. */
async function feederFile(): Promise<string> {
  const { symbol } = await market(0);
  const price = join(testnet.directory, 'price.json');
  const source = `[[markets.sources]]\nkind = "file"\nfile = "${price}"\npath = "data.0.price"\n`;
  const wrong = `[[markets.sources]]\nkind = "exec"\ncommand = ["${process.execPath}", "-p", "1e9"]\n`;
  const head = `interval_ms = 1000\n[[markets]]\nsymbol = "${symbol}"\nquorum = 2\nmax_age_ms = 3600000\n`;
  return `${head}${source}${source}${wrong}`;
}

/** Has the world outside know another price, wei for one base unit. */
async function tell(price: number): Promise<void> {
  const { base_decimals: base, quote_decimals: quote } = await market(0);
  await writeFile(
    join(testnet.directory, 'price.json'),
    JSON.stringify({ data: [{ price: `${price}e${base - quote}` }] }),
  );
  exchanges.price = (price / 10 ** (quote - base)).toFixed(quote - base);
}

/** With a key of its own where one is given, to another node than that of its validator, which may be down, or to those that are given. */
function feed(index: number, own: readonly string[] = [], nodes: readonly number[] = [(index + 1) % 4]): PrimeProcess {
  const config = index < 2 ? configs.files : configs.exchanges;
  const urls = nodes.map((node) => testnet.url(node)).join(',');
  const flags = ['--config', config, '--rpc', urls, '--home', testnet.home(index), ...own];
  const feeder = new PrimeProcess(['oracle', 'feed', ...flags]);
  feeders.set(index, feeder);
  return feeder;
}

const addressIn = async (keystore: string): Promise<string> =>
  `0x${(JSON.parse(await readFile(keystore, 'utf8')) as { address: string }).address}`;

const place = (
  index: number,
  owner: string,
  side: 'buy' | 'sell',
  price: number,
  size: number,
): Promise<{ order_id: string }> =>
  call(index, 'primeorders_submitOrder', [
    { owner, market_id: 1, side, price: hex(price), size: hex(size), tif: 'gtc' },
  ]);

interface Account {
  readonly collateral: string;
  readonly equity: string;
  readonly withdrawable: string;
  readonly positions: readonly object[];
}
const account = (index: number, owner: string): Promise<Account> => call(index, 'primeorders_getAccount', [owner]);

const indexIs = (price: number, nodes: readonly number[] = all) =>
  until(`the index is ${price}`, async () =>
    (await Promise.all(nodes.map(market))).every(({ oracle }) => oracle?.index_price === hex(price)),
  );

it('opens the market when more than two thirds of the power report', async () => {
  for (const owner of [alice, bob]) await call(0, 'primeorders_depositCollateral', [owner, hex(100_000)]);
  expect((await market(0)).oracle).toMatchObject({ index_price: null, stale_since_ms: '0x0' });
  expect(await refusal(place(0, alice, 'buy', 100, 1))).toMatchObject({ data: { kind: 'oracle_stale', market_id: 1 } });
  for (const index of all) feed(index);
  await indexIs(100);
  await place(0, bob, 'sell', 100, 10);
  await place(1, alice, 'buy', 100, 10);
});

it('does not follow a bid that nobody fills', async () => {
  await place(2, alice, 'buy', 300, 20);
  const height = await heightOf(2);
  await until('some blocks went by', async () => (await heightOf(2)) >= height + 5);
  for (const index of all) expect((await market(index)).mark_price).toBe(hex(100));
});

it('goes on while a validator is down, with what the others tell', async () => {
  await testnet.kill(3, 'SIGKILL');
  await tell(110);
  await indexIs(110, [0, 1, 2]);
  await testnet.start(3);
  await indexIs(110);
  expect((await market(3)).oracle?.stale_since_ms).toBeNull();
});

it('stays fresh while the first node of all feeders hangs', async () => {
  for (const index of all) expect(await feeders.get(index)!.end('SIGTERM')).toBe(0);
  for (const index of all) feed(index, [], [3, 0, 1]);
  await tell(115);
  await indexIs(115);
  const timestamp = async (): Promise<number> =>
    Number((await call<{ timestamp: string }>(0, 'eth_getBlockByNumber', ['latest', false])).timestamp);
  testnet.pause(3);
  try {
    const began = await timestamp();
    let isStale = false;
    await until('more than the age went by at which prices are stale', async () => {
      isStale ||= (await market(0)).oracle?.stale_since_ms !== null;
      return isStale || (await timestamp()) > began + 25;
    });
    expect(isStale).toBe(false);
    await tell(110);
    await indexIs(110, [0, 1, 2]);
  } finally {
    testnet.resume(3);
  }
  await indexIs(110);
});

it('pays a winner whole who closed while the loser holds on, out of his loss at the index', async () => {
  const [seller, buyer] = addressesOf('dave', 'erin');
  for (const owner of [carol, seller, buyer]) await call(0, 'primeorders_depositCollateral', [owner, hex(100_000)]);
  await call(0, 'primeorders_cancelAll', [alice]);
  await place(0, seller, 'sell', 110, 10);
  await place(1, buyer, 'buy', 110, 10);
  await tell(120);
  await indexIs(120);
  // He sold lower than the other one, so he lost most.
  const held = await account(2, bob);
  await place(2, carol, 'buy', 120, 10);
  await place(3, buyer, 'sell', 120, 10);
  for (const index of all)
    await until('all of the profit may leave', async () => (await account(index, buyer)).withdrawable === hex(100_100));
  await call(1, 'primebridge_enqueueOrdersToEvm', [{ from: buyer, to: buyer, amount: hex(100_100) }]);
  expect(await account(1, buyer)).toMatchObject({ collateral: '0x0', positions: [] });
  const { positions, ...now } = await account(1, bob);
  expect(now).toMatchObject({ equity: held.equity, collateral: hex(99_900), withdrawable: held.withdrawable });
  expect(positions).toMatchObject([{ size: '-0xa', entry: hex(1100) }]);
  const { liquidations } = await call<{ readonly liquidations: readonly object[] }>(0, 'primeorders_getLiquidations', [
    bob,
    {},
  ]);
  expect(liquidations).toMatchObject([{ kind: 'loss_settled', market_id: 1, amount: '0x64', value: hex(1100) }]);
  await tell(110);
  await indexIs(110);
});

it('takes orders that reduce, and no others, while too few report', async () => {
  for (const index of [0, 1]) {
    expect(await feeders.get(index)!.end('SIGTERM')).toBe(0);
  }
  await until('the index is stale', async () => (await market(0)).oracle?.stale_since_ms !== null);
  expect(await refusal(place(1, bob, 'buy', 110, 11))).toMatchObject({ data: { kind: 'oracle_stale' } });
  expect(await refusal(place(1, alice, 'buy', 110, 1))).toMatchObject({ data: { kind: 'oracle_stale' } });
  await place(1, alice, 'sell', 120, 4);
  await call(2, 'primeorders_cancelAll', [alice]).catch(() => undefined);
  await testnet.kill(2, 'SIGKILL');
  await testnet.start(2);
  for (const index of [0, 1]) feed(index);
  await until('the index is fresh', async () => (await market(2)).oracle?.stale_since_ms === null);
  await place(2, alice, 'buy', 90, 1);
});

it('reports nothing where too few exchanges agree, and again when they do', async () => {
  exchanges.closed.add('second');
  const silent = [2, 3].map((index) => feeders.get(index)!);
  const since = silent.map(({ lines }) => lines.length);
  for (const words of [
    'too few sources agree',
    'HTTP 503',
    'HTTP 302',
    'longer than 100000 bytes',
    'timeout',
    'fetch failed',
  ])
    await until(`both feeders say ${words}`, async () =>
      silent.every(({ lines }, place) => lines.slice(since[place]).some((line) => line.includes(words))),
    );
  exchanges.closed.clear();
  await tell(112);
  await indexIs(112);
  for (const way of ['first', 'second', 'wrong', 'slow', 'redirects', 'huge'])
    expect([way, exchanges.asked[way]! > 0]).toEqual([way, true]);
});

it('counts what the oracle key of the owner signs, and refuses what the one before signs', async () => {
  const [first, second] = ['first', 'second'].map((name) => join(testnet.directory, `${name}.json`)) as [
    string,
    string,
  ];
  const owner = (await addressIn(testnet.ownerKey(3))).toLowerCase();
  const register = async (key: string): Promise<void> => {
    const flags = ['--home', testnet.home(3), '--rpc', testnet.url(0), '--key', await addressIn(key)];
    await run(['validator', 'set-oracle-key', ...flags]);
  };
  for (const key of [first, second]) await run(['key', 'new', '--kind', 'owner', '--out', key, '--generate-password']);
  await register(first);
  // From now on each of three is needed.
  for (const index of [0, 3]) await feeders.get(index)!.end('SIGTERM');
  const before = feed(3, ['--key', first, '--validator', owner]);
  await tell(114);
  await indexIs(114);
  await register(second);
  await until('the key before is refused', async () =>
    before.lines.some((line) => /does not report for an active validator/.test(line)),
  );
  await before.end('SIGTERM');
  feed(3, ['--key', second, '--validator', owner]);
  await tell(116);
  await indexIs(116);
  expect((await market(3)).oracle).toMatchObject({ stale_since_ms: null });
});

it('is one chain, whose events tell what happened', async () => {
  const height = `0x${(await heightOf(0)).toString(16)}`;
  await until('all have the block', async () =>
    (await Promise.all(all.map(heightOf))).every((at) => at >= Number(height)),
  );
  const roots = await Promise.all(
    all.map(
      async (index) => (await call<{ stateRoot: string }>(index, 'eth_getBlockByNumber', [height, false])).stateRoot,
    ),
  );
  expect(new Set(roots).size).toBe(1);
  const told = await call<{ kind: string }[]>(3, 'prime_getDomainEvents', [
    { fromBlock: '0x0', toBlock: 'latest', domain: 'orders' },
  ]);
  const kinds = new Set(told.map(({ kind }) => kind));
  for (const kind of ['index_set', 'oracle_stale', 'oracle_resumed']) expect(kinds).toContain(kind);
});

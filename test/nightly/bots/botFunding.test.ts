import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fundAccount } from '@prime/bot';
import { rpc } from '@prime/load/rpc';
import { definePrimeChain, primeActions, primeWalletActions, type Side } from '@prime/sdk';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { createWalletClient, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { BotProcess } from '../../soak/bot/botProcess.ts';

/** A maker on a network with funding, killed in between: what it has counted of its loss is what the chain says, to the wei. */

const strategy = `
strategy = "maker"
name = "funded"
market = "PRM/USD"
[maker]
levels = 1
size = "1"
max_position = "10"
[fair_price]
start = "100"
[execution]
order_seconds = 600
refresh_seconds = 300
tick_ms = 100
[limits]
position = "10"
loss = "50000"
`;

let testnet: Testnet;
let folder: string;
let bot: BotProcess;
let state: string;
let address: string;
let customer: Awaited<ReturnType<typeof customerOf>>;

async function customerOf() {
  const id = Number(await rpc<string>(testnet.url(0), 'eth_chainId'));
  const chain = definePrimeChain({ id, http: testnet.urls() as [string, ...string[]] });
  const account = privateKeyToAccount(generatePrivateKey());
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await fundAccount({ urls: testnet.urls(), account, collateral: parseEther('100000'), sleep });
  const wallet = createWalletClient({ account, chain, transport: http(testnet.url(0)) })
    .extend(primeActions())
    .extend(primeWalletActions());
  const market = await wallet.getMarket({ market: 'PRM/USD' });
  const order = (side: Side, price: string, size: string, tif: 'gtc' | 'ioc') =>
    wallet.placeOrder({ market, side, price: market.price(price), size: market.size(size), tif });
  return { market, order };
}

interface Account {
  readonly collateral: string;
  readonly positions: readonly { readonly size: string; readonly entry: string; readonly unsettled_funding?: string }[];
}
const accountOf = (): Promise<Account> => rpc(testnet.url(0), 'primeorders_getAccount', [address]);
const signed = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text));
const quotes = (side: Side): Promise<unknown> =>
  until(`it has a ${side} order`, async () => {
    const open = await rpc<readonly { readonly side: string }[]>(testnet.url(0), 'primeorders_getOpenOrders', [
      address,
    ]);
    return open.some((order) => order.side === side);
  });
const owes = (): Promise<unknown> =>
  until('funding was counted', async () => signed((await accountOf()).positions[0]?.unsettled_funding ?? '0x0') !== 0n);
/** `block amount` of all that the chain settled for the bot. */
async function settled(): Promise<readonly string[]> {
  const events = await rpc<readonly { readonly block_number: string; readonly data: { readonly amount: string } }[]>(
    testnet.url(0),
    'prime_getDomainEvents',
    [{ fromBlock: '0x0', toBlock: 'latest', kind: 'funding_paid', address }],
  );
  return events.map(({ block_number: block, data }) => `${BigInt(block)} ${signed(data.amount)}`);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-bot-funding-'));
  testnet = await createTestnet({
    validators: 1,
    genesis: (genesis) => {
      const funding = { intervalSeconds: 1, maxRateBps: 1000, premiumIntervals: 1, referenceWeight: 1 };
      Object.assign(genesis['clob'] as object, { funding });
    },
  });
  await testnet.startAll();
  const [file, keyFile] = [join(folder, 'maker.toml'), join(folder, 'key')];
  state = join(folder, 'loss.json');
  const key = generatePrivateKey();
  address = privateKeyToAccount(key).address.toLowerCase();
  writeFileSync(file, strategy);
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  const common = ['--rpc', testnet.url(0), '--fund', '100000', '--state', state];
  bot = new BotProcess(['maker', '--strategy', file, '--key-file', keyFile, ...common]);
  customer = await customerOf();
});
afterAll(async () => {
  await bot.kill('SIGKILL');
  await testnet.destroy();
  rmSync(folder, { recursive: true, force: true });
});

it('counts funding once, also what was settled while it was dead', async () => {
  bot.start();
  await Promise.all([quotes('buy'), quotes('sell')]);
  const begun = signed((await accountOf()).collateral);
  const isFunding = bot.line('funding', ({ msg }) => msg === 'funding');
  expect((await customer.order('buy', '101', '1', 'ioc')).filled).toBe(customer.market.size('1'));
  // The market runs ahead: the middle of what others quote is 120, and the bot follows.
  await customer.order('sell', '121', '5', 'gtc');
  await customer.order('buy', '119', '5', 'gtc');
  await owes();
  await quotes('sell');
  await customer.order('buy', '121', '1', 'ioc');
  await isFunding;
  await owes();
  await quotes('buy');
  await bot.kill('SIGKILL');
  const before = (await settled()).length;
  expect((await customer.order('sell', '100', '1', 'ioc')).filled).toBeGreaterThan(0n);
  await until('it was settled while the bot was dead', async () => (await settled()).length > before);
  bot.start();
  await Promise.all([quotes('buy'), quotes('sell')]);
  expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const lines = bot.lives.flatMap((life) => life.lines).filter(({ msg }) => msg === 'funding');
  const told = [...new Set(lines.map(({ blockNumber, amount }) => `${String(blockNumber)} ${String(amount)}`))];
  expect(told).toEqual(await settled());
  // Profit is what the account has more than before, but for the cost of what it holds.
  const { collateral, positions } = await accountOf();
  const { size, entry } = positions[0]!;
  const cost = signed(size) < 0n ? -signed(entry) : signed(entry);
  const kept = JSON.parse(readFileSync(state, 'utf8')) as Readonly<Record<'position' | 'cash', string>>;
  expect([kept.position, kept.cash]).toEqual([`${signed(size)}`, `${signed(collateral) - begun - cost}`]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fundAccount } from '@prime/bot';
import { rpc } from '@prime/load/rpc';
import { definePrimeChain, type Market, primeActions, primeWalletActions } from '@prime/sdk';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { createWalletClient, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { BotProcess } from '../../soak/bot/botProcess.ts';

/** Bots as their users run them, against four validators: an agent's key, a price from outside, a loss limit, and what ends each of them. */

type Answer = (response: ServerResponse, price: string) => unknown;
const good: Answer = (response, price) => response.end(JSON.stringify({ data: { price } }));

/** A source of prices that answers as it is told to. */
class PriceServer {
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  price = '100';
  #answer: Answer = good;

  constructor() {
    this.#server = createServer((_, response) => {
      this.#open.add(response);
      response.once('close', () => this.#open.delete(response));
      this.#answer(response, this.price);
    });
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }
  /** What hangs is let go, so that the next answer is of the new kind. */
  become(answer: Answer): void {
    this.#answer = answer;
    for (const response of this.#open) response.destroy();
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/price`;
  }
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const strategyOf = (name: string, url: string, limits: string): string => `
strategy = "maker"
name = "${name}"
market = "PRM/USD"
[maker]
levels = 2
size = "1"
max_position = "10"
[fair_price]
source = "http"
url = "${url}"
field = "data.price"
poll_ms = 100
max_age_ms = 1000
[execution]
order_seconds = 20
refresh_seconds = 10
action_ttl_ms = 2000
tick_ms = 100
[limits]
position = "10"
${limits}
`;

const prices = new PriceServer();
let testnet: Testnet;
let folder: string;
const bots: BotProcess[] = [];

function walletOf(key: `0x${string}`) {
  const chain = definePrimeChain({ id: chainId, http: testnet.urls() as [string, ...string[]] });
  return createWalletClient({ account: privateKeyToAccount(key), chain, transport: http(testnet.url(3)) })
    .extend(primeActions())
    .extend(primeWalletActions());
}
let chainId: number;
let market: Market;

async function funded() {
  const wallet = walletOf(generatePrivateKey());
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await fundAccount({ urls: testnet.urls(), account: wallet.account, collateral: parseEther('100000'), sleep });
  // It was seen at the first node, and another one is asked: that refuses who has nothing.
  const { address } = wallet.account;
  await until('its own node knows', async () =>
    (await wallet.getAccount({ address })).collateral > 0n ? 'yes' : null,
  );
  return wallet;
}
type Wallet = Awaited<ReturnType<typeof funded>>;

function botOf(name: string, key: `0x${string}`, limits: string, ...more: readonly string[]): BotProcess {
  const [file, keyFile] = [join(folder, `${name}.toml`), join(folder, `${name}.key`)];
  writeFileSync(file, strategyOf(name, prices.url, limits));
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  const args = ['maker', '--strategy', file, '--key-file', keyFile, '--rpc', testnet.urls().join(',')];
  const bot = new BotProcess([...args, ...more]);
  bots.push(bot);
  return bot;
}

const openOrders = (address: string): Promise<readonly { readonly order_id: string; readonly side: string }[]> =>
  rpc(testnet.url(2), 'primeorders_getOpenOrders', [address]);
const quoting = (address: string): Promise<string> =>
  until('it quotes both sides', async () => {
    const sides = new Set((await openOrders(address)).map(({ side }) => side));
    return sides.size === 2 ? 'both' : null;
  });
const pulled = (address: string): Promise<string> =>
  until('nothing of it rests', async () => ((await openOrders(address)).length === 0 ? 'none' : null));
const isLine =
  (name: string) =>
  ({ msg }: { readonly msg: string }): boolean =>
    msg === name;
const lastLine = (bot: BotProcess, name: string) => bot.lives.at(-1)!.lines.findLast(({ msg }) => msg === name);
const sent = (bot: BotProcess): number => bot.lives.at(-1)!.lines.filter(({ msg }) => msg === 'send').length;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-bots-'));
  await prices.start();
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  chainId = Number(await rpc<string>(testnet.url(0), 'eth_chainId'));
  market = await walletOf(generatePrivateKey()).getMarket({ market: 'PRM/USD' });
});
afterAll(async () => {
  await Promise.all(bots.map((bot) => bot.kill('SIGKILL')));
  await testnet.destroy();
  prices.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a maker with the key of an agent and a price from outside', () => {
  const agentKey = generatePrivateKey();
  const agent = privateKeyToAccount(agentKey).address;
  let owner: Wallet;
  let address: string;
  let bot: BotProcess;
  const noMore = expect.stringContaining(`signer ${agent.toLowerCase()} may not act for`);

  it('quotes for its owner, whose key it does not have', async () => {
    owner = await funded();
    address = owner.account.address.toLowerCase();
    await owner.approveAgent({ agent, permissions: ['trade', 'cancel'], name: 'bot' });
    bot = botOf('agent', agentKey, '', '--owner', address);
    bot.start();
    expect(await quoting(address)).toBe('both');
    expect(await openOrders(agent)).toEqual([]);
  });

  it.each<readonly [string, Answer, RegExp]>([
    ['answers 500 with a number', (response, price) => good(response.writeHead(500), price), /status 500/],
    ['answers garbage', (response) => response.end('<html>soon</html>'), /JSON/],
    ['answers without the field', (response) => response.end('{"data":{}}'), /no number at "data\.price"/],
    ['answers what is no price', (response) => good(response, 'soon'), /"soon" is no decimal/],
    ['hangs', () => undefined, /timeout/],
    ['hangs in the middle', (response) => response.write('{"data":'), /timeout/],
    ['is gone', (response) => response.destroy(), /fetch failed/],
  ])('takes its quotes back while the source %s, says why, and comes back with it', async (_, answer, reason) => {
    const told = bot.line(
      'why there is no price',
      ({ msg, reason: said }) => msg === 'no fair price' && reason.test(String(said)),
    );
    prices.become(answer);
    await told;
    expect(await pulled(address)).toBe('none');
    prices.become(good);
    expect(await quoting(address)).toBe('both');
    expect(bot.running).toBe(true);
  });

  it('whose agent is revoked says so and what it can not take back, ends with 70, and its orders end by themselves', async () => {
    await owner.revokeAgent({ agent });
    expect(await bot.ended()).toEqual({ code: 70, signal: null });
    expect(lastLine(bot, 'halted')).toMatchObject({ why: 'refused_for_good', refusal: noMore });
    const said = (lastLine(bot, 'orders remain')?.['orders'] ?? []) as readonly { readonly isOwn: boolean }[];
    expect(said.every(({ isOwn }) => isOwn)).toBe(true);
    const rests = await openOrders(address);
    // Some may have ended since.
    expect(said.length).toBeGreaterThanOrEqual(rests.length);
    expect(await pulled(address)).toBe('none');
  });

  it('that is started again with a revoked key says so and sends nothing that counts', async () => {
    bot.start();
    expect(await bot.ended()).toEqual({ code: 70, signal: null });
    expect(lastLine(bot, 'halted')).toMatchObject({ refusal: noMore });
    expect(await openOrders(address)).toEqual([]);
  });
});

describe('a maker with a loss limit', () => {
  const key = generatePrivateKey();
  const address = privateKeyToAccount(key).address.toLowerCase();
  let state: string;
  let bot: BotProcess;
  let taker: Wallet;

  /** Buys from the bot, at about the fair price. */
  const take = (): Promise<{ readonly filled: bigint }> =>
    taker.placeOrder({ market, side: 'buy', price: market.price('110'), size: market.size('1'), tif: 'ioc' });
  async function expectStopped(): Promise<void> {
    bot.start();
    expect(await bot.ended()).toEqual({ code: 70, signal: null });
    expect(lastLine(bot, 'halted')).toMatchObject({ why: 'loss_limit' });
    expect([sent(bot), await openOrders(address)]).toEqual([0, []]);
  }
  const reset = (): ReturnType<typeof run> => run(['bot', 'loss', state, '--reset']);

  it('that is killed the moment that it stops stays stopped, also when the price comes back', async () => {
    taker = await funded();
    prices.price = '100';
    state = join(folder, 'loss.json');
    bot = botOf('loser', key, 'loss = "50"', '--state', state, '--fund', '100000');
    bot.start();
    await quoting(address);
    const fill = bot.line('a fill', isLine('fill'));
    expect((await take()).filled).toBe(market.size('1'));
    await fill;
    const halted = bot.line('that it stops', isLine('halted'));
    prices.price = '200';
    expect(await halted).toMatchObject({ why: 'loss_limit' });
    await bot.kill('SIGKILL');
    prices.price = '100';
    await expectStopped();
    await expectStopped();
  });

  it('quotes again when somebody resets it', async () => {
    await reset();
    bot.start();
    expect(await quoting(address)).toBe('both');
  });

  it('counts what traded while it was dead', async () => {
    await quoting(address);
    await bot.kill('SIGKILL');
    expect((await take()).filled).toBe(market.size('1'));
    // Short 2 since the reset counted from 1: only what traded without a process makes more than 50 of this.
    prices.price = '130';
    await expectStopped();
    expect(lastLine(bot, 'account read')).toMatchObject({ earlier: 1 });
    prices.price = '100';
    await expectStopped();
  });

  it('does not start with a file that is damaged or of another account, and leaves it as it is', async () => {
    const text = readFileSync(state, 'utf8');
    writeFileSync(state, text.replace('"reached": true', '"reached": false'));
    bot.start();
    expect((await bot.ended())?.code).toBe(78);
    expect(JSON.stringify(bot.lives.at(-1)!.lines)).toContain('BOT_STATE_DAMAGED');
    writeFileSync(state, text);
    const other = botOf('other', generatePrivateKey(), 'loss = "50"', '--state', state, '--fund', '1000');
    other.start();
    expect((await other.ended())?.code).toBe(64);
    expect(JSON.stringify(other.lives.at(-1)!.lines)).toContain('BOT_STATE_FOREIGN');
    expect(readFileSync(state, 'utf8')).toBe(text);
    await reset();
    bot.start();
    expect(await quoting(address)).toBe('both');
    expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

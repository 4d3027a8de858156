/** `prime` as a client, as its users type it: the bundled program against a network of processes. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { cli, PrimeProcess } from '../operations/program.ts';

/** Whose keys the nodes of a local network hold. */
const maker = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const taker = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const stranger = '0x00000000000000000000000000000000000000e1';

let testnet: Testnet;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-client-'));
  testnet = await createTestnet({ validators: 2 });
  await testnet.startAll();
});
afterAll(async () => {
  await testnet.destroy();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The node is named by the environment; so that the test's own machine says nothing, no other variable of prime is there. */
const environmentOf = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PRIME_'))),
  PRIME_RPC_URL: testnet.url(0),
  ...more,
});

const withEnvironment = (more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: environmentOf(more) };
    execFile(process.execPath, [cli, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const typed = (words: string): Promise<Ended> => withEnvironment({}, ...words.split(' '));

/** What a command prints that works. */
async function prime(words: string): Promise<string> {
  const ended = await typed(words);
  expect({ words, ...ended }).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

/** What a command prints; these two go on into other commands. */
type Json = Readonly<Record<string, unknown>> & { readonly orderId: number; readonly address: string };
const json = async <Value = Json>(words: string): Promise<Value> => JSON.parse(await prime(`${words} --json`)) as Value;

/** A command that is refused says so in one line, and nothing else. */
async function expectRefused(words: string, code: number, message: RegExp): Promise<void> {
  const ended = await typed(words);
  expect({ words, ...ended }).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
}

const place = (words: string, from = maker): Promise<Json> => json(`order place ${words} --from ${from}`);

describe('a trader who types', () => {
  it('finds the markets and their steps', async () => {
    const markets = await json<Json[]>('market list');
    expect(markets.map(({ id, symbol, tickSize }) => [id, symbol, tickSize])).toEqual([
      [1, 'PRM/USD', '0.01'],
      [2, 'ETH/USD', '0.05'],
    ]);
    expect(await prime('market show eth-usd')).toMatch(/^market +ETH\/USD \(2\), trading\n/);
    expect(await prime('market list')).toMatch(/^id {2}market/);
  });

  it('deposits, and sees it in the account', async () => {
    expect(await json(`deposit 2000 --from ${maker}`)).toMatchObject({ amount: '2000', collateral: '2000' });
    await prime(`deposit 2000.5 --from ${taker}`);
    const account = await json(`account ${maker}`);
    expect(account).toMatchObject({ balance: '8000', collateral: '2000', freeCollateral: '2000', positions: [] });
  });

  it('places, lists, modifies and cancels an order', async () => {
    const placed = await place('buy 0.25 ETH-USD @ 3012.55 --client-id maker-1');
    expect(placed).toMatchObject({
      market: 'ETH/USD',
      status: 'open',
      price: '3012.55',
      remaining: '0.25',
      trades: [],
    });
    const { orderId } = placed;
    expect(await json<Json[]>(`order list ${maker}`)).toMatchObject([
      { orderId, side: 'buy', price: '3012.55', size: '0.25', status: 'open', owner: maker },
    ]);
    expect(await prime(`order list --from ${maker}`)).toMatch(/ETH\/USD {2}buy +3012\.55 +0\.25 +0\.25 {2}maker-1\n/);
    // Less at the same price keeps its place, another price does not.
    expect(await json(`order modify ${orderId} 0.2 --from ${maker}`)).toMatchObject({ orderId, replaced: null });
    const moved = await json(`order modify ${orderId} @ 3011 --from ${maker}`);
    expect(moved).toMatchObject({ replaced: orderId, remaining: '0.2' });
    expect(await json(`order show --client-id maker-1 --from ${maker}`)).toMatchObject({
      orderId: moved.orderId,
      price: '3011',
      remaining: '0.2',
    });
    expect(await json(`order cancel ${moved.orderId} --from ${maker}`)).toMatchObject({
      cancelled: [moved.orderId],
    });
    expect(await json(`order show ${moved.orderId}`)).toMatchObject({ status: 'cancelled', reason: 'user' });
    expect(await prime(`order list ${maker}`)).toBe(`no open orders of ${maker}\n`);
  });

  it('cancels by client id, several at once, and all in a market; what is refused does not stop the rest', async () => {
    const ids: number[] = [];
    for (const price of ['3000', '3001', '3002', '3003']) ids.push((await place(`buy 0.1 2 ${price}`)).orderId);
    const named = await place('buy 0.1 ETH-USD @ 2999 --client-id mine');
    expect(await json(`order cancel --client-id mine --market ETH-USD --from ${maker}`)).toMatchObject({
      cancelled: [named.orderId],
    });
    const some = await typed(`order cancel ${ids[0]} 999999 ${ids[1]} --json --from ${maker}`);
    expect(some).toMatchObject({ code: 65, stderr: expect.stringContaining('1 of 3 cancels refused') });
    expect(JSON.parse(some.stdout)).toMatchObject({
      cancelled: [ids[0], ids[1]],
      refused: [{ orderId: 999_999, kind: 'unknown_order', reason: 'unknown order 999999' }],
    });
    expect(await json(`order cancel --all --market PRM-USD --from ${maker}`)).toMatchObject({ cancelled: [] });
    expect(await json(`order cancel --all --from ${maker}`)).toMatchObject({ cancelled: [ids[2], ids[3]] });
  });

  it('trades, and has a position', async () => {
    await place('sell 0.5 ETH-USD @ 3010 --post-only');
    const bought = await place('buy 0.2 ETH-USD @ 3020 --tif ioc', taker);
    expect(bought).toMatchObject({
      status: 'filled',
      filled: '0.2',
      trades: [{ size: '0.2', price: '3010', side: 'buy' }],
    });
    expect(await json(`account ${taker}`)).toMatchObject({
      positions: [{ market: 'ETH/USD', side: 'long', size: '0.2', entryPrice: '3010' }],
    });
    expect(await prime(`account ${maker}`)).toMatch(/\n1 position:\nmarket .*\nETH\/USD {2}short +0\.2 +3010 /);
    const rest = await place('buy 1 ETH-USD @ 3010 --tif ioc', taker);
    expect(rest).toMatchObject({ status: 'cancelled', reason: 'ioc', filled: '0.3' });
  });

  it('sees the book as a ladder, and as JSON', async () => {
    await place('sell 0.5 ETH-USD @ 3015.05');
    await place('buy 0.25 ETH-USD @ 3009');
    await place('buy 1 ETH-USD @ 3008');
    const lines = (await prime('book ETH-USD --trades 1')).split('\n');
    expect(lines.map((line) => line.replaceAll(/ +[█▏▎▍▌▋▊▉]+$/g, ''))).toMatchObject([
      ' ETH/USD',
      '   price  size  total',
      ' 3015.05  0.50   0.50',
      expect.stringMatching(/^ spread 6\.05 USD \(20\.08 bps\), mark /),
      ' 3009.00  0.25   0.25',
      ' 3008.00  1.00   1.25',
      '',
      ' last trades',
      expect.stringMatching(/^ buy +0\.3 @ 3010\.00 {2}block \d+$/),
      '',
    ]);
    expect(await json('book 2 --depth 1')).toMatchObject({ bids: [['3009', '0.25']], asks: [['3015.05', '0.5']] });
    await prime(`order cancel --all --from ${maker}`);
  });

  it('sees candles, with mark and index beside the prices of trades', async () => {
    const { candles, ...named } = await json<{ readonly candles: readonly Json[] }>('candles ETH-USD --interval 1d');
    expect(named).toEqual({ market: 'ETH/USD', interval: '1d' });
    const prices = { open: '3010', high: '3010', low: '3010', close: '3010' };
    expect(candles.at(-1)).toMatchObject({ ...prices, volume: '0.5', quoteVolume: '1505', trades: 2, index: null });
    const [title, ...lines] = (await prime('candles ETH-USD --interval 1d --limit 1')).trimEnd().split('\n');
    expect(title).toMatch(/^begin \(UTC\) +open +high +low +close +volume +trades +mark +index$/);
    expect(lines).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d +(3010 +){4}0\.5 +2 +\d+(\.\d+)? +-$/)]);
    expect(await json('candles ETH-USD --to 2026-01-31T12:00')).toMatchObject({ candles: [] });
    expect(await prime('candles ETH-USD --to 2026-01-31')).toBe('nothing was traded, and no price moved\n');
    await expectRefused('candles ETH-USD --from yesterday', 64, /--from must be a time .*got yesterday.*\[CLI_USAGE\]/);
    await expectRefused('candles ETH-USD --from 2026-02-31', 64, /--from must be a time .*got 2026-02-31/);
    await expectRefused('candles ETH-USD --interval 7m', 64, /Allowed choices are 1s, 1m, .*\[CLI_USAGE\]/);
    await expectRefused('candles ETH-USD --limit 1001', 64, /--limit must be .*1000.*\[CLI_USAGE\]/);
  });

  it('moves collateral: to another account, and back into a balance', async () => {
    expect(await json(`transfer 5.25 ${stranger} --from ${taker}`)).toMatchObject({ amount: '5.25', to: stranger });
    expect(await json(`account ${stranger}`)).toMatchObject({ balance: '0', collateral: '5.25' });
    expect(await json(`withdraw 10 --to ${stranger} --from ${taker}`)).toMatchObject({
      status: 'completed',
      balance: '10',
    });
  });
});

describe('keys', () => {
  it('a new one goes to a file that nobody else reads, and never over another file', async () => {
    await expectRefused('account new --out new.json', 64, /needs its password.*\[CONFIG_KEY_PASSWORD_MISSING\]/);
    const made = 'account new --out new.json --generate-password';
    const { address, keyFile } = await json<{ address: string; keyFile: string }>(made);
    expect((await stat(join(folder, keyFile))).mode & 0o777).toBe(0o600);
    expect(await json('account --key-file new.json')).toMatchObject({ address, collateral: '0' });
    await expectRefused('account new --out new.json', 64, /new\.json is there already.*\[CLI_NOT_EMPTY\]/);
  });

  it('come from files and the environment, and from no file that others may read', async () => {
    const { address } = await json<{ address: string }>('key inspect new.json');
    const privateKey = (await prime('key export new.json --yes')).trim();
    await writeFile(join(folder, 'hex.key'), `${privateKey}\n`, { mode: 0o600 });
    const shown = [
      await withEnvironment({}, 'account', '--json', '--key-file', 'hex.key'),
      await withEnvironment({ PRIME_KEY_FILE: 'new.json' }, 'account', '--json'),
      await withEnvironment({ PRIME_PRIVATE_KEY: privateKey }, 'account', '--json'),
      await withEnvironment({ PRIME_PRIVATE_KEY: privateKey.slice(2), PRIME_FROM: maker }, 'account', '--json'),
    ];
    expect(shown.map(({ stdout }) => (JSON.parse(stdout) as Json).address)).toEqual(Array(4).fill(address));
    await chmod(join(folder, 'hex.key'), 0o640);
    await expectRefused('account --key-file hex.key', 64, /others may read or write it: chmod 600/);
    const { stderr } = await withEnvironment({ PRIME_PRIVATE_KEY: `${privateKey}00` }, 'account');
    expect(stderr).toContain('PRIME_PRIVATE_KEY must hold a private key');
    expect(stderr).not.toContain(privateKey.slice(2));
  });

  it('an agent trades and cancels for its owner, moves no money, and ends when it is revoked', async () => {
    const { address: agent } = await json('account new --out agent.json --generate-password');
    await prime(`agent approve ${agent} --name bot --valid-for 1d --from ${maker}`);
    expect(await json(`agent list ${maker}`)).toMatchObject([
      { agent, status: 'live', name: 'bot', permissions: ['trade', 'cancel'] },
    ]);
    const asAgent = `--key-file agent.json --owner ${maker}`;
    const { orderId } = await json(`order place buy 0.1 ETH-USD @ 2900 ${asAgent}`);
    expect(await json(`order show ${orderId}`)).toMatchObject({ owner: maker, status: 'open' });
    await expectRefused(`transfer 1 ${stranger} ${asAgent}`, 65, /its approval does not allow that/);
    expect(await json(`order cancel --all ${asAgent}`)).toMatchObject({ cancelled: [orderId] });
    await prime(`agent revoke ${agent} --from ${maker}`);
    expect(await prime(`agent list ${maker}`)).toMatch(new RegExp(`${agent} {2}revoked`));
    await expectRefused(`order place buy 0.1 ETH-USD @ 2900 ${asAgent}`, 65, /its approval is revoked/);
  });
});

describe('what is wrong is said, with what is allowed', () => {
  it.each([
    ['buy 0.25 BTC-USD @ 3012.55', 66, /no market BTC\/USD: there are PRM\/USD, ETH\/USD \[CLI_NOT_FOUND\]/],
    ['buy 0.25 ETH-USD @ 3012.57', 64, /multiples of 0\.05; the nearest are 3012\.55 and 3012\.6.*\[CLI_USAGE\]/],
    [
      'buy 0.0000000000000001 ETH-USD @ 3012.55',
      64,
      /multiples of 0\.000000000000001; the least is 0\.000000000000001 \[/,
    ],
    ['buy 1e2 ETH-USD @ 3012.55', 64, /"1e2" is no decimal number/],
    ['buy -1 ETH-USD @ 3012.55', 64, /-1 is no size of ETH\/USD: .*the least is/],
    ['hold 1 ETH-USD @ 3012.55', 64, /Allowed choices are buy, sell/],
    ['buy 1 ETH-USD', 64, /a price is needed/],
    ['buy 1 ETH-USD @ 3012.55 --tif day', 64, /Allowed choices are gtc, ioc, fok/],
    ['buy 1 ETH-USD @ 3012.55 --client-id seventeen-letters', 64, /1 to 16 bytes of text/],
    ['buy 10000 ETH-USD @ 3012.55', 65, /the order needs \d+ PRIME of margin, and [\d.]+ are free/],
  ] as const)('order place %s', async (words, code, message) => {
    await expectRefused(`order place ${words} --from ${maker}`, code, message);
  });

  it('a price between two steps goes where --round says', async () => {
    const placed = await place('buy 0.1 ETH-USD @ 2900.07 --round down');
    expect(placed).toMatchObject({ price: '2900.05' });
    await prime(`order cancel ${placed.orderId} --from ${maker}`);
  });

  it('no key, a key that the node does not hold, and two at once', async () => {
    await expectRefused('deposit 1', 64, /no key to sign with: give --key-file/);
    await expectRefused(
      `deposit 1 --from ${stranger}`,
      66,
      /does not hold the key of 0x0+e1; it holds those of 0xf39fd6/,
    );
    await expectRefused(`deposit 1 --from ${maker} --key-file new.json`, 64, /give one of --key-file and --from/);
  });

  it('amounts, addresses and orders', async () => {
    await expectRefused(`deposit 0 --from ${maker}`, 64, /above zero/);
    await expectRefused(`deposit 2000000000 --from ${maker}`, 65, /insufficient_funds/);
    await expectRefused(`transfer 5 0x12 --from ${maker}`, 64, /TO must be an address/);
    await expectRefused(
      `transfer 500000 ${taker} --from ${maker}`,
      65,
      /[\d.]+ PRIME of collateral may leave, not more/,
    );
    await expectRefused('order show 424242', 66, /there is no order 424242/);
    await expectRefused(`order modify 424242 1 --from ${maker}`, 66, /there is no order 424242/);
    await expectRefused('account', 64, /give an ADDRESS/);
  });

  it('a node that is not there', async () => {
    await expectRefused('market list --rpc http://127.0.0.1:1', 69, /no answer from http:\/\/127\.0\.0\.1:1/);
    await expectRefused('market list --rpc nonsense', 64, /must be the address of a node/);
    const several = await json<Json[]>(`market list --rpc http://127.0.0.1:1,${testnet.url(1)}`);
    expect(several).toHaveLength(2);
  });
});

describe('prime rpc', () => {
  it('calls any method, with words, numbers and JSON', async () => {
    expect(await prime('rpc eth_chainId')).toBe('0x1eef\n');
    expect(await prime('rpc eth_chainId --json')).toBe('"0x1eef"\n');
    expect(JSON.parse(await prime('rpc eth_getBlockByNumber 0 false'))).toMatchObject({ number: '0x0' });
    expect(JSON.parse(await prime('rpc primeorders_getOrderBook 2'))).toEqual({ bids: [], asks: [] });
    const called = await prime(`rpc eth_call {"to":"${stranger}","data":"0x"} latest`);
    expect(called).toBe('0x\n');
  });

  it('tells what the node refuses, and which method may be meant', async () => {
    await expectRefused('rpc eth_getBalance 0x12 latest', 65, /address must be 0x and 40 hex digits.*\(-32602\)/);
    await expectRefused('rpc eth_blokNumber', 66, /there is no method eth_blokNumber; did you mean eth_blockNumber/);
    await expectRefused('rpc eth_call {"to":', 64, /transaction looks like JSON and is none/);
  });

  it('lists and describes methods', async () => {
    const methods = await json<Json[]>('rpc');
    expect(methods.length).toBeGreaterThan(80);
    expect(await prime('rpc primeorders_getOrderBook --describe')).toContain(
      'example: prime rpc primeorders_getOrderBook',
    );
  });
});

const watchers: PrimeProcess[] = [];
afterAll(() => {
  for (const { child } of watchers) child.kill('SIGKILL');
});

/** A program that goes on. */
function watch(words: string): PrimeProcess {
  const watching = new PrimeProcess(words.split(' '), { env: environmentOf({}) });
  watchers.push(watching);
  return watching;
}

describe('a book that is watched', () => {
  it('goes on line by line where the output is no terminal, and ends at Ctrl-C', async () => {
    const watching = watch('book ETH-USD --watch');
    await until('the book is shown', async () => watching.stdout.some((line) => line.includes('no orders')));
    const placed = await place('buy 0.25 ETH-USD @ 2900');
    await until('the order is shown', async () =>
      watching.stdout.some((line) => line.includes('bid 2900 x 0.25  no ask  no asks')),
    );
    await place('sell 0.1 ETH-USD @ 2900', taker);
    await until('the trade is shown', async () =>
      watching.stdout.some((line) => line.includes('trade sell 0.1 @ 2900')),
    );
    await prime(`order cancel ${placed.orderId} --from ${maker}`);
    await until('it is gone', async () => watching.stdout.at(-1)!.includes('no bid'));
    expect(await watching.end('SIGINT')).toBe(0);
    expect(watching.stderr).toEqual([]);
  });

  it('writes an object a line with --json, says when the node is away, and goes on at another one', async () => {
    const urls = `${testnet.url(1)},${testnet.url(0)}`;
    const watching = watch(`book 2 --watch --json --rpc ${urls}`);
    const told = (type: string): Json[] =>
      watching.stdout.map((line) => JSON.parse(line) as Json).filter((each) => each['type'] === type);
    await until('the book is there', async () => told('book').length > 0);
    const before = told('book').length;
    await testnet.kill(1, 'SIGKILL');
    await until('it is told', async () => told('status').some(({ status }) => status === 'interrupted'));
    await testnet.start(1);
    await place('buy 0.5 ETH-USD @ 2901');
    await until('the order is shown', async () =>
      told('book')
        .slice(before)
        .some(({ bids }) => JSON.stringify(bids) === '[["2901","0.5"]]'),
    );
    expect(told('book').at(-1)).toMatchObject({
      market: 'ETH/USD',
      checksum: expect.stringMatching(/^0x[0-9a-f]{8}$/),
    });
    expect(await watching.end('SIGTERM')).toBe(0);
  });

  it('ends when nobody reads any more', async () => {
    const watching = watch('book ETH-USD --watch --json');
    await until('it began', async () => watching.stdout.length > 0);
    watching.child.stdout!.destroy();
    await place('buy 0.1 ETH-USD @ 2902');
    await place('buy 0.1 ETH-USD @ 2903');
    expect(await watching.end()).toBe(0);
  });
});

it('a shell reads the completion', async () => {
  const script = await prime('completion bash');
  const offered = await new Promise<string>((resolve, reject) => {
    const source = `${script}\nCOMP_WORDS=(prime rpc primeorders_getOr); COMP_CWORD=2; _prime; echo "\${COMPREPLY[*]}"`;
    execFile('bash', ['-c', source], (error, stdout) => (error === null ? resolve(stdout.trim()) : reject(error)));
  });
  expect(offered.split(' ').sort()).toEqual([
    'primeorders_getOrder',
    'primeorders_getOrderBook',
    'primeorders_getOrderHistory',
  ]);
});

/** What `prime why` says of a network that is well, of traders whom it refuses and liquidates, and of one whose validators go away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, isAtHand, run, type Testnet, until } from '@prime/testkit';
import { addressesOf, Desk, hex, refusal } from '../e2e/trading/trading.ts';
import { cli } from '../e2e/operations/program.ts';

interface Told {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
  readonly facts: unknown;
}

let testnet: Testnet;
let desk: Desk;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      genesis['staking'] = {
        minValidators: 3,
        downtimeWindowMs: 4_000,
        downtimeMinSignedBps: 1_000,
        downtimeJailMs: 600_000,
      };
      // Else nobody is ever seen to be in trouble.
      Object.assign(genesis['clob'] as object, { autoLiquidatePerBlock: 0 });
    },
  });
  desk = new Desk(testnet);
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

/** An answer for programs. */
async function why(words: readonly string[]): Promise<Told> {
  const { output } = await run(['why', ...words, '--rpc', testnet.url(0), '--json']);
  return JSON.parse(output) as Told;
}
/** Asks until the answer has these words. */
function untilWhy(words: readonly string[], wanted: RegExp): Promise<Told> {
  return until(`why ${words.join(' ')} says ${wanted}`, async () => {
    const told = await why(words);
    return wanted.test(`${told.title} ${told.text}`) && told;
  });
}
const failure = (words: readonly string[]): Promise<string> =>
  run(['why', ...words, '--rpc', testnet.url(0)]).then(
    () => {
      throw new Error(`why ${words.join(' ')} answered`);
    },
    (error: Error) => error.message,
  );

interface Check {
  readonly name: string;
  readonly verdict: string;
}
/** What `prime doctor` finds in a home; it fails where something can not work. */
async function diagnosed(home: string): Promise<readonly Check[]> {
  const child = spawn(process.execPath, [cli, 'doctor', '--home', home, '--rpc', testnet.url(0), '--json']);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  await once(child, 'close');
  return JSON.parse(output) as readonly Check[];
}

interface Terminal {
  readonly child: ChildProcess;
  readonly code: Promise<number>;
  shown(): string;
}
/** A command in a terminal of its own, of 100 columns. */
function openTerminal(words: readonly string[]): Terminal {
  const command = ['stty cols 100 rows 30;', process.execPath, cli, ...words].join(' ');
  const child = spawn('script', ['-qfec', command, '/dev/null'], { env: { ...process.env, TERM: 'xterm' } });
  let shown = '';
  child.stdout.on('data', (chunk) => (shown += String(chunk)));
  return { child, shown: () => shown, code: once(child, 'close').then(([code]) => code as number) };
}

describe('a network that is well', () => {
  it('has nothing to explain: blocks come, nobody is behind, nobody is jailed', async () => {
    await until('blocks come', async () => (await desk.height()) > 3);
    const told = await untilWhy(['no-block'], /Blocks come/);
    expect(told.tone).toBe('good');
    expect(await untilWhy(['behind'], /not behind/)).toMatchObject({ tone: 'good' });
    expect(await untilWhy(['behind', 'validator2'], /validator2 is not behind/)).toMatchObject({ tone: 'good' });
    expect(await why(['jailed', 'validator1'])).toMatchObject({ tone: 'good', title: 'validator1 is not jailed' });
    const { output } = await run(['why', 'no-block', '--rpc', testnet.url(0)]);
    expect(output).toMatch(/^Blocks come as they should\n\nEach waits [^]*\nnewest block {2}\d+, /);
  });

  it('doctor finds nothing in any home, while it runs', async () => {
    // What the machine is like, and not the network: another one may be short of it.
    const ofMachine = ['node', 'http', 'open files', 'memory', 'disk', 'disk sync'];
    await until('clocks were compared', async () => (await desk.height()) > 40);
    const homes = await Promise.all([0, 1, 2, 3].map((index) => diagnosed(testnet.home(index))));
    for (const checks of homes) {
      expect(checks.filter(({ name, verdict }) => verdict !== 'ok' && !ofMachine.includes(name))).toEqual([]);
      expect(checks.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          ...ofMachine,
          'keys',
          'key use',
          'config lint',
          'peers',
          'reached by',
          'peer versions',
          'clock',
          'disk growth',
          'network',
        ]),
      );
    }
  });

  it('status shows it once, and live in a terminal that it gives back', async () => {
    const { output } = await run(['status', '--rpc', testnet.urls().join(',')]);
    expect(output).toMatch(/^prime-local, chain 7919 {2}block [\d,]+ .* nodes 4\/4\n/);
    for (const url of testnet.urls()) expect(output).toMatch(new RegExp(`^${url} +[\\d,]+ `, 'm'));
    for (const name of ['validator0', 'validator3', 'PRM/USD']) expect(output).toMatch(new RegExp(`^${name} `, 'm'));
    // bsdutils of Linux; others have one with other options.
    if (!isAtHand('script', existsSync('/usr/bin/script'))) return;
    for (const key of ['q', '\u0003']) {
      const terminal = openTerminal(['status', '--watch', '--rpc', testnet.url(0)]);
      await until('it draws', async () => terminal.shown().includes('deciding'));
      terminal.child.stdin!.write(key);
      expect(await terminal.code).toBe(0);
      // The page and the cursor that were there before.
      expect(terminal.shown().trimEnd().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    }
  });

  it('a name that nobody has, or something else’s, says what is allowed', async () => {
    expect(await failure(['jailed', 'validator9'])).toMatch(/validator3[^]*\[CLI_NOT_FOUND\]/);
    expect(await failure(['order', `0x${'ab'.repeat(32)}`])).toMatch(/prime why transaction 0xab[^]*\[CLI_USAGE\]/);
    expect(await failure(['order', '999999'])).toMatch(/there is no order 999999[^]*\[CLI_NOT_FOUND\]/);
    expect(await failure(['transaction', '17'])).toMatch(/prime why order 17[^]*\[CLI_USAGE\]/);
    expect(await failure(['liquidated', 'alice'])).toMatch(/0x and 40 hex digits[^]*\[CLI_USAGE\]/);
    expect(await why(['transaction', `0x${'00'.repeat(32)}`])).toMatchObject({
      tone: 'warn',
      title: expect.stringContaining('knows no transaction'),
    });
  });
});

/** Market whose tick and lot are not one unit. */
const coarseMarket = 2;

describe('what traders are refused', () => {
  const [alice, bob, carol, makerA, makerB] = addressesOf('alice', 'bob', 'carol', 'makera', 'makerb');
  const refused = async (owner: string, more: object): Promise<Told> => {
    const fields = { owner, market_id: 1, side: 'buy', price: hex(100), size: hex(10), tif: 'gtc', ...more };
    const error = await refusal(desk.call('primeorders_submitOrder', fields));
    return why(['transaction', (error.data as { readonly hash: string }).hash]);
  };
  it('an order: for want of margin, off tick, off lot, post-only, each with its figures', async () => {
    await desk.deposit(alice, 1_000);
    for (const address of [bob, carol, makerA, makerB]) await desk.deposit(address, 1_000_000);
    const margin = await refused(alice, { size: hex(1_000) });
    expect(margin).toMatchObject({ tone: 'bad', title: expect.stringContaining('insufficient margin') });
    expect(margin.text).toMatch(
      /^It needs 10,000 wei of margin, and 1,000 wei of the collateral are free: 9,000 wei are missing\./,
    );
    const [market] = (
      await rpc<{ market_id: number; tick_size: string; lot_size: string }[]>(testnet.url(0), 'primeorders_getMarkets')
    ).filter(({ market_id }) => market_id === coarseMarket);
    const [tick, lot] = [BigInt(market!.tick_size), BigInt(market!.lot_size)];
    const coarse = {
      market_id: coarseMarket,
      price: `0x${(10n * tick).toString(16)}`,
      size: `0x${(10n * lot).toString(16)}`,
    };
    const off = (value: bigint): string => `0x${(value + 1n).toString(16)}`;
    expect((await refused(bob, { ...coarse, price: off(10n * tick) })).text).toMatch(
      /^Prices of ETH\/USD are multiples of 0\.05, .* The nearest are 0\.5 and 0\.55\./,
    );
    const lotText = (await refused(bob, { ...coarse, size: off(10n * lot) })).text;
    if (lot > 1n) expect(lotText).toMatch(/^Sizes of ETH\/USD are multiples of /);
    const rests = await desk.place(bob, 'sell', 120, 10);
    const postOnly = await refused(carol, { price: hex(120), post_only: true });
    expect(postOnly.text).toMatch(/^It was to rest and not to trade \(post-only\)/);
    const open = await untilWhy(['order', `${Number(rests.order_id)}`], /rests/);
    expect(open).toMatchObject({ tone: 'good', title: `Order ${Number(rests.order_id)} rests` });
    await desk.cancelAll(bob);
    expect(await untilWhy(['order', rests.order_id], /its owner asked for it/)).toMatchObject({
      text: expect.stringMatching(/cancelled it \(0x[0-9a-f]{64}\)/),
    });
  });

  it('an order that ended by its own terms says which, and what traded', async () => {
    const rests = await desk.place(bob, 'sell', 130, 4);
    const ioc = await desk.place(carol, 'buy', 130, 10, { tif: 'ioc' });
    const told = await why(['order', ioc.order_id]);
    expect(told).toMatchObject({ tone: 'warn', title: expect.stringContaining('it was not to rest') });
    expect(told.text).toMatch(/the book had no more at .* or better/);
    const killed = await desk.place(carol, 'buy', 130, 10, { tif: 'fok' });
    expect((await why(['order', killed.order_id])).title).toContain('it could not trade whole');
    expect((await why(['order', rests.order_id])).title).toContain('is filled');
  });

  it('a transaction that a contract reverted has its reason and its gas', async () => {
    const [sender] = await desk.call<string[]>('eth_accounts');
    // market(uint32) of the order book, for a market that there is not.
    const data = `0x${'dd985929'}${'ff'.padStart(64, '0')}`;
    const hash = await desk.call<string>('eth_sendTransaction', {
      from: sender,
      to: '0x0000000000000000000000000000000000000100',
      data,
      gas: hex(200_000),
    });
    await until('it is in a block', async () => (await desk.call('eth_getTransactionReceipt', hash)) !== null);
    const told = await why(['transaction', hash]);
    expect(told).toMatchObject({ tone: 'bad', title: 'It reverted' });
    expect(told.text).toMatch(
      /^The reason: .+\. Nothing of it counts, but block \d+ took the gas: [\d,]+ of 200,000\.$/,
    );
  });

  it('an account that was liquidated has the margin that was missing, and how its position was closed', async () => {
    // Alice buys 100 at 100 with 1000; then the price falls to 94, where she has 400 and needs 470.
    await desk.place(bob, 'sell', 100, 100);
    await desk.place(alice, 'buy', 100, 100);
    expect((await untilWhy(['liquidated', alice], /maintenance margin/)).title).toBe('It was not liquidated');
    await desk.place(makerA, 'buy', 94, 1);
    await desk.place(makerB, 'sell', 94, 1);
    await desk.place(carol, 'buy', 93, 40);
    await untilWhy(['liquidated', alice], /may be liquidated now/);
    const first = await desk.call<{ block_number: string }>('primeorders_liquidate', alice);
    const told = await untilWhy(['liquidated', alice], /was liquidated in block/);
    expect(told.title).toBe(`It was liquidated in block ${Number(first.block_number)}`);
    expect(told.text).toMatch(/its equity was 400 wei and its maintenance margin 470 wei: 70 wei were missing\./);
    expect(told.text).toMatch(/The book took .* in PRM|The book took 0\.\d+ PRM at /);
    expect(told.text).not.toMatch(/closed against/);
    // At 85 she has 683 − 900, and the book is empty.
    await desk.place(makerA, 'buy', 85, 1);
    await desk.place(makerB, 'sell', 85, 1);
    const second = await desk.call<{ block_number: string }>('primeorders_liquidate', alice);
    const again = await untilWhy(['liquidated', alice], new RegExp(`in block ${Number(second.block_number)}\\b`));
    expect(again.text).toMatch(/its equity was −217 wei/);
    expect(again.text).toMatch(/closed against 1 position of others/);
  });
});

const heightsGoOn = async (): Promise<void> => {
  const from = await desk.height();
  await until('blocks go on', async () => (await desk.height()) > from + 1);
};

describe('validators that are away', () => {
  it('two of four: both are named, with the power that is missing; afterwards blocks go on', async () => {
    await Promise.all([2, 3].map((index) => testnet.kill(index, 'SIGKILL')));
    const told = await untilWhy(['no-block'], /too few vote/);
    const { output } = await run(['status', '--rpc', testnet.urls().join(',')]);
    expect(output).toMatch(/^.* nodes 2\/4\n\nNo block for .*: too few vote\n/);
    expect(output.match(/AWAY/g)).toHaveLength(2);
    expect(told).toMatchObject({ tone: 'bad', title: expect.stringMatching(/^No block for .*: too few vote$/) });
    expect(told.text).toMatch(/validator[23] and validator[23] are missing/);
    const { validators } = told.facts as { readonly validators: readonly { votingPower: string }[] };
    const [power] = validators.map(({ votingPower }) => Number(votingPower));
    expect(told.text).toContain('Only 50 % of the power votes');
    expect(told.text.replaceAll(',', '')).toContain(`with a power of ${2 * power!}`);
    await Promise.all([2, 3].map((index) => testnet.start(index)));
    await heightsGoOn();
    await untilWhy(['no-block'], /Blocks come/);
  });

  it('one that stands still is behind, and then jailed for it: how many blocks it signed, and when it may come back', async () => {
    testnet.pause(3);
    try {
      const behind = await untilWhy(['behind', 'validator3'], /validator3 is (?:away|[\d,]+ blocks behind)/);
      expect(behind.text).toMatch(/The newest block that it signed is [\d,]+\.|It signed none of the blocks/);
      const jailed = await untilWhy(['jailed', 'validator3'], /validator3 is jailed/);
      expect(jailed).toMatchObject({ tone: 'bad', title: 'validator3 is jailed: it was away' });
      expect(jailed.text).toMatch(
        /of the [\d,]+ blocks of 4\.00 s \(\d\.\d %\), where at least 10 % have to be|less than 10 % of the blocks of 4\.00 s/,
      );
      expect(jailed.text).toMatch(
        /of its stake were taken\. From .* UTC on, in .*, prime validator unjail of its owner brings it back\.$/,
      );
    } finally {
      testnet.resume(3);
    }
    await heightsGoOn();
  });
});

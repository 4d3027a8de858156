import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { BotProcess } from '../../soak/bot/botProcess.ts';
import { positionAt, readFacts } from '../../soak/bot/chainFacts.ts';
import { judge } from '../../soak/bot/judge.ts';

/** A market maker and a taker as processes against four validators, killed where it hurts. */

const levels = 3;
/** Whole base of the default network, base units. */
const base = 10n ** 16n;
const market = 1;
const strategy = `
strategy = "maker"
name = "e2e"
market = "PRM/USD"
[maker]
levels = ${levels}
size = "1"
max_position = "10"
[fair_price]
start = "100"
[execution]
order_seconds = 8
refresh_seconds = 3
action_ttl_ms = 2000
tick_ms = 100
[limits]
position = "10"
`;

let testnet: Testnet;
let folder: string;
let maker: BotProcess;
let taker: BotProcess;
let address: string;

function keyFile(name: string): { readonly path: string; readonly address: string } {
  const key = generatePrivateKey();
  const path = join(folder, `${name}.key`);
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return { path, address: privateKeyToAccount(key).address.toLowerCase() };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-bot-'));
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  const file = join(folder, 'maker.toml');
  writeFileSync(file, strategy);
  const [makerKey, takerKey] = [keyFile('maker'), keyFile('taker')];
  ({ address } = makerKey);
  const common = ['--rpc', testnet.urls().join(','), '--fund', '100000'];
  maker = new BotProcess(['maker', '--strategy', file, '--key-file', makerKey.path, ...common]);
  const takerFile = join(folder, 'taker.json');
  writeFileSync(
    takerFile,
    JSON.stringify({ strategy: 'taker', market: 'PRM/USD', taker: { interval_ms: 300, size_max: '2' } }),
  );
  taker = new BotProcess(['taker', '--strategy', takerFile, '--key-file', takerKey.path, ...common]);
});
afterAll(async () => {
  await Promise.all([maker.kill('SIGKILL'), taker.kill('SIGKILL')]);
  await testnet.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const openOrders = (): Promise<readonly unknown[]> => rpc(testnet.url(0), 'primeorders_getOpenOrders', [address]);
const isSent = ({ msg, items }: { readonly msg: string; readonly items?: unknown }): boolean =>
  msg === 'send' && Number(items) > 0;

describe('a market maker', () => {
  it('quotes both sides, and a taker trades with it', async () => {
    maker.start();
    await maker.line('its first quotes', isSent);
    taker.start();
    const fill = await maker.line('a fill', ({ msg }) => msg === 'fill');
    expect(fill).toMatchObject({ liquidity: 'maker', size: expect.stringMatching(/^\d+$/) });
  });

  it('that is killed while batches are on their way begins again with its orders', async () => {
    for (let round = 0; round < 4; round++) {
      await maker.kill('SIGKILL');
      maker.start();
      await maker.line('that it is ready', ({ msg }) => msg === 'ready');
      // What was sent just now is in no block yet.
      for (let sends = 0; sends <= round; sends++) await maker.line('a batch', isSent);
    }
    expect(maker.lives).toHaveLength(5);
  });

  it('goes on over other validators when its own are killed', async () => {
    for (const index of [0, 1]) {
      await testnet.kill(index, 'SIGKILL');
      await maker.line('a batch', isSent);
      await testnet.start(index);
    }
    const fill = await maker.line('a fill', ({ msg }) => msg === 'fill');
    expect(fill.msg).toBe('fill');
  });

  it('that dies and does not come back leaves no order for longer than orders live', async () => {
    await maker.kill('SIGKILL');
    const open = await until('all orders ended', async () => ((await openOrders()).length === 0 ? 'none' : null));
    expect(open).toBe('none');
  });

  it('takes all orders back when it is told to stop', async () => {
    maker.start();
    await maker.line('its quotes', isSent);
    await maker.line('a fill', ({ msg }) => msg === 'fill');
    expect(await maker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await taker.kill('SIGTERM');
    expect(await openOrders()).toEqual([]);
  });

  it('told the truth in all of its lives: each fill once, positions as the chain has them, and no order too many', async () => {
    const facts = await readFacts(testnet.url(2), address, market);
    const judgement = judge(maker.lives, facts, { levels, positionMax: 10n * base, quoteSize: base });
    expect(judgement.findings).toEqual([]);
    expect(judgement.fills).toBeGreaterThan(2);
    expect(judgement.claims).toBeGreaterThan(maker.lives.length);
    const account = await rpc<{ positions: readonly { market_id: number; size: string }[] }>(
      testnet.url(2),
      'primeorders_getAccount',
      [address],
    );
    const size = account.positions.find((position) => position.market_id === market)?.size ?? '0x0';
    const value = size.startsWith('-') ? -BigInt(size.slice(1)) : BigInt(size);
    expect(value).toBe(positionAt(facts, facts.head));
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { encodeLossRecord } from '@prime/bot';
import { usePrime } from '../testing/usePrime.ts';

const { folder, printed, prime } = usePrime(0);

describe('prime bot', () => {
  it('schema prints what a strategy file may hold, and of which kinds', async () => {
    await prime('bot', 'schema', 'maker');
    expect(printed.join('\n')).toContain('"spread_bps"');
    await expect(prime('bot', 'schema', 'arb')).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });

  it('backtest runs the strategy file through the flow', async () => {
    const [flow, file] = [join(folder(), 'day.ndjson'), join(folder(), 'taker.toml')];
    const market = { market: 1, symbol: 'A/B', tick: '1', lot: '1' };
    const order = { type: 'order', market: 1, side: 'sell', price: '100', size: '9', tif: 'gtc' };
    const options = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' };
    const totals = {
      lines: 5,
      accounts: 1,
      earlier: 0,
      actions: 2,
      transactions: 0,
      contract: 0,
      network: 0,
      refused: 0,
      fills: 0,
    };
    const lines = [
      { line: 1, kind: 'flow', format: 'prime-flow-1', source: { of: 'itch' }, beganMs: 0, markets: [market] },
      { line: 2, kind: 'account', account: 0, name: 'a' },
      { line: 3, kind: 'action', ms: 0, account: 0, action: { ...order, ...options }, outcome: { rests: '9' } },
      { line: 4, kind: 'action', ms: 60_000, account: 0, action: { type: 'noop' }, outcome: {} },
      { line: 5, kind: 'end', totals, lost: [] },
    ];
    writeFileSync(flow, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(file, 'strategy = "taker"\nmarket = "A/B"\n[taker]\nsize_max = "1"\nmax_position = "5"\n');
    await prime('bot', 'backtest', flow, '--strategy', file, '--json');
    const report = JSON.parse(printed.join('\n')) as {
      readonly fills: { readonly taker: number };
      readonly market: string;
    };
    expect(report.market).toBe('A/B');
    expect(report.fills.taker).toBeGreaterThan(0);
  });

  it.each([
    [['maker'], 'BOT_STRATEGY_INVALID'],
    [['maker', '--market', '1', '--rpc', 'nowhere'], 'CLI_USAGE'],
    [['maker', '--market', '1', '--rpc', 'http://127.0.0.1:1', '--owner', '0x12'], 'CLI_USAGE'],
    [['maker', '--market', '1', '--rpc', 'http://127.0.0.1:1', '--key-file', 'no-such-file'], 'CLI_NOT_FOUND'],
    [['backtest', 'no-such-file', '--market', '1', '--latency', '-1'], 'CLI_USAGE'],
    [['backtest', 'no-such-file', '--market', '1'], 'CLI_NOT_FOUND'],
    [['backtest', 'no-such-file', '--market', '1', '--start-price', '1e3'], 'CLI_USAGE'],
    [['local', '--dir', 'no-such-folder'], 'CLI_NOT_FOUND'],
    [['loss', 'no-such-file'], 'CLI_NOT_FOUND'],
    [['loss', 'no-such-file', '--reset'], 'CLI_NOT_FOUND'],
  ])('%j is refused: %s', async (args, code) => {
    await expect(prime('bot', ...args)).rejects.toMatchObject({ code });
  });

  it('with a loss limit has to be told where the loss is kept: nothing is begun', async () => {
    const [key, file] = [join(folder(), 'key'), join(folder(), 'maker.toml')];
    writeFileSync(key, `0x${'42'.repeat(32)}`);
    writeFileSync(file, 'strategy = "maker"\nmarket = 1\n[limits]\nloss = "5"\n');
    const args = ['bot', 'maker', '--strategy', file, '--rpc', 'http://127.0.0.1:1', '--key-file', key];
    await expect(prime(...args)).rejects.toMatchObject({ code: 'CLI_USAGE', detail: { argument: '--state' } });
    await expect(prime(...args, '--state', join(folder(), 'none', 'loss.json'))).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
    });
  });

  it('loss shows what a bot kept, refuses what is damaged, and resets either by setting it aside', async () => {
    const path = join(folder(), 'loss.json');
    const scope = { genesis: `0x${'ab'.repeat(32)}`, account: `0x${'cd'.repeat(20)}`, marketId: 1 } as const;
    const record = { since: 3n, blockNumber: 40n, position: -3n, cash: -12_345n, isReached: true };
    writeFileSync(path, encodeLossRecord(scope, record));
    await prime('bot', 'loss', path);
    const shown = { ...scope, since: '3', block: '40', position: '-3', cash: '-12345', reached: true };
    expect(JSON.parse(printed.join('\n'))).toEqual(shown);
    await prime('bot', 'loss', path, '--reset');
    await expect(prime('bot', 'loss', path)).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' });
    writeFileSync(path, '{');
    await expect(prime('bot', 'loss', path)).rejects.toMatchObject({ code: 'BOT_STATE_DAMAGED' });
    await prime('bot', 'loss', path, '--reset');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe(encodeLossRecord(scope, record));
    expect([existsSync(path), readFileSync(`${path}.2`, 'utf8')]).toEqual([false, '{']);
  });

  it('says that no node answers', async () => {
    const path = join(folder(), 'key');
    writeFileSync(path, `0x${'42'.repeat(32)}`);
    const started = prime('bot', 'maker', '--market', '1', '--rpc', 'http://127.0.0.1:1', '--key-file', path);
    await expect(started).rejects.toMatchObject({ code: 'CLI_UNREACHABLE', detail: { url: 'http://127.0.0.1:1' } });
  });

  it('keeps a key that is none out of its error', async () => {
    const path = join(folder(), 'key');
    writeFileSync(path, 'secret');
    const refused = prime('bot', 'maker', '--market', '1', '--rpc', 'http://127.0.0.1:1', '--key-file', path);
    await expect(refused).rejects.toMatchObject({ code: 'CLI_USAGE', message: expect.not.stringContaining('secret') });
  });
});

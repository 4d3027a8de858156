import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { until } from '@prime/testkit';
import { cli } from '../../e2e/operations/program.ts';

/** A network that somebody starts to look at, with markets that are alive. */
let folder: string;
let network: ChildProcess;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-makers-'));
  const args = [cli, 'testnet', 'up', '--validators', '1', '--dir', join(folder, 'net'), '--with-makers'];
  network = spawn(process.execPath, args, { stdio: 'ignore', cwd: folder });
});
afterAll(async () => {
  if (network.exitCode === null && network.signalCode === null) {
    network.kill('SIGINT');
    await once(network, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Book {
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

describe('prime testnet up --with-makers', () => {
  it('has quotes on both sides of every market, and trades', async () => {
    const url = await until('the network has its file', async () => {
      const file = JSON.parse(readFileSync(join(folder, 'net', 'network.json'), 'utf8')) as { rpcUrls: string[] };
      return file.rpcUrls[0]!;
    });
    const markets = await until('the node answers', () =>
      rpc<readonly { market_id: number }[]>(url, 'primeorders_getMarkets'),
    );
    expect(markets.length).toBeGreaterThan(1);
    for (const { market_id: id } of markets) {
      const market = `0x${id.toString(16)}`;
      const book = await until(`market ${id} has both sides`, async () => {
        const found = await rpc<Book>(url, 'primeorders_getOrderBook', [market]);
        return found.bids.length > 0 && found.asks.length > 0 ? found : null;
      });
      expect([book.bids.length > 1, book.asks.length > 1]).toEqual([true, true]);
      const trades = await until(`market ${id} has a trade`, async () => {
        const found = await rpc<readonly unknown[]>(url, 'primeorders_getTrades', [market]);
        return found.length > 0 ? found : null;
      });
      expect(trades.length).toBeGreaterThan(0);
    }
  });

  it('ends with its bots', async () => {
    network.kill('SIGINT');
    const [code] = (await once(network, 'exit')) as [number | null];
    expect(code).toBe(0);
    const log = readFileSync(join(folder, 'net', 'bots.log'), 'utf8');
    expect(log).toContain('"msg":"ready"');
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseStrategy } from '../config/parseStrategy.ts';
import { fundAccount } from './fund.ts';
import { startBot } from './startBot.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A node that answers methods from a table. */
async function nodeWith(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      // Streams ask for WebSocket, which it has not.
      if (request.method === 'GET') {
        response.writeHead(426).end();
        return;
      }
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const result = answers[method];
      const answer =
        result === undefined
          ? { error: { code: -32_000, message: 'refused', data: { kind: 'insufficient_funds' } } }
          : { result };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const signer = privateKeyToAccount(generatePrivateKey());
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const clock = { now: () => 0, every: () => () => undefined };

const state = {
  status: 'trading',
  last_price: null,
  mark_price: null,
  initial_margin_bps: 1_000,
  maintenance_margin_bps: 500,
};

const parametersWith = (emptyBlockMs: number): object => ({
  block_number: '0x1',
  chain_id: 7_919,
  consensus: { empty_block_interval_ms: emptyBlockMs },
  evm: {},
  clob: { max_open_orders: 10, initial_margin_bps: 1_000, maintenance_margin_bps: 500 },
  markets: [],
});

describe('a bot', () => {
  it('of a market that the network has not is refused: BOT_MARKET_UNKNOWN', async () => {
    const url = await nodeWith({
      prime_getParameters: parametersWith(1_000),
      primeorders_getMarkets: [
        {
          market_id: 1,
          symbol: 'A/B',
          tick_size: '0x1',
          lot_size: '0x1',
          base_decimals: 0,
          quote_decimals: 18,
          ...state,
        },
      ],
    });
    const file = parseStrategy('strategy = "maker"\nmarket = "X/Y"', 'maker.toml');
    await expect(startBot({ file, urls: [url], signer, isPaper: false, log: silent, clock })).rejects.toMatchObject({
      code: 'BOT_MARKET_UNKNOWN',
      detail: { market: 'X/Y', markets: ['A/B'] },
    });
  });

  it.each([
    [999, null],
    [1_000, 'BOT_STRATEGY_INVALID'],
  ])('whose feed may be silent for 1000 ms, on a network with empty blocks each %i ms: %s', async (interval, code) => {
    const units = { base_decimals: 0, quote_decimals: 18 };
    const url = await nodeWith({
      prime_getParameters: parametersWith(interval),
      primeorders_getMarkets: [{ market_id: 1, symbol: 'A/B', tick_size: '0x1', lot_size: '0x1', ...units, ...state }],
    });
    const file = parseStrategy('strategy = "maker"\nmarket = 1\n[dead_man]\nfeed_silent_ms = 1000', 'maker.toml');
    const end = (ms: number, work: () => void) => {
      const timer = setInterval(work, ms);
      return () => clearInterval(timer);
    };
    const started = startBot({
      file,
      urls: [url],
      signer,
      isPaper: true,
      log: silent,
      clock: { now: () => 0, every: end },
    });
    const outcome = await started.then(
      (bot) => bot.stop(0).then(() => null),
      (error: unknown) => (error as { readonly code: string }).code,
    );
    expect(outcome).toBe(code);
  });

  it('with a loss limit and nowhere to keep the loss is refused: BOT_STATE_MISSING', async () => {
    const units = { base_decimals: 0, quote_decimals: 18 };
    const url = await nodeWith({
      prime_getParameters: parametersWith(1_000),
      primeorders_getMarkets: [{ market_id: 1, symbol: 'A/B', tick_size: '0x1', lot_size: '0x1', ...units, ...state }],
    });
    const file = parseStrategy('strategy = "maker"\nmarket = 1\n[limits]\nloss = "5"', 'maker.toml');
    await expect(startBot({ file, urls: [url], signer, isPaper: false, log: silent, clock })).rejects.toMatchObject({
      code: 'BOT_STATE_MISSING',
    });
  });

  it('that nobody pays for is told so: BOT_FUNDS_MISSING', async () => {
    const account = {
      address: signer.address,
      collateral: '0x5',
      equity: '0x5',
      initial_margin: '0x0',
      maintenance_margin: '0x0',
    };
    const more = {
      free_collateral: '0x5',
      withdrawable: '0x5',
      liquidatable: false,
      locked: false,
      positions: [],
      open_orders: '0x0',
    };
    const url = await nodeWith({
      eth_chainId: '0x1eef',
      eth_accounts: [],
      primeorders_getAccount: { ...account, ...more },
    });
    const sleep = (): Promise<void> => Promise.resolve();
    await expect(fundAccount({ urls: [url], account: signer, collateral: 12n, sleep })).rejects.toMatchObject({
      code: 'BOT_FUNDS_MISSING',
      detail: { wei: 7n },
    });
    expect(await fundAccount({ urls: [url], account: signer, collateral: 5n, sleep })).toBe(0n);
  });
});

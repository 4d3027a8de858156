import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, encodeNativeTransaction } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import { createMarketUnits, type Market } from '@prime/sdk';
import { describeAction } from './action.ts';

const grid = { symbol: 'ETH/USD', tickSize: 5n * 10n ** 13n, lotSize: 1n, baseDecimals: 3, quoteDecimals: 18 };
const market = { marketId: 1, base: 'ETH', quote: 'USD', ...grid, ...createMarketUnits(grid) } as unknown as Market;
const account = `0x${'12'.repeat(20)}`;

function rawOf(payload: unknown): `0x${string}` {
  const signature = new Uint8Array(65).fill(1);
  const transaction = { chainId: 1, nonce: 0, expiresAt: 0, account, payload, signatureKind: 'raw', signature };
  const raw = encodeNativeTransaction(transaction as unknown as Parameters<typeof encodeNativeTransaction>[0]);
  return bytesToHex(raw) as string as `0x${string}`;
}
const order = {
  type: 'order',
  marketId: 1,
  side: 'buy',
  price: market.price('3012.5'),
  size: market.size('0.25'),
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
} as unknown as ActionPayload;

describe('an action in words', () => {
  it('of an order has the units of people, where the market is known', () => {
    expect(describeAction(rawOf(order), new Map([[1, market]]))).toEqual({
      type: 'order',
      account,
      words: 'buy 0.250 ETH at 3,012.50, gtc',
    });
    expect(describeAction(rawOf(order), new Map()).words).toBe(`buy 250 at ${market.price('3012.5')} in market 1, gtc`);
  });

  it.each([
    [{ type: 'cancel', orderId: 7 }, 'cancel', 'order 7'],
    [{ type: 'cancelAll', marketId: null }, 'cancel all', 'orders in all markets'],
    [{ type: 'cancelAll', marketId: 1 }, 'cancel all', 'orders in ETH/USD'],
    [{ type: 'deposit', amount: 15n * 10n ** 17n }, 'deposit', '1.5'],
    [{ type: 'transfer', amount: 10n ** 18n, to: account }, 'transfer', '1 to 0x1212…1212'],
    [{ type: 'noop' }, 'noop', ''],
    [{ type: 'batch', items: [order, { type: 'cancel', orderId: 1 }, order] }, 'batch', '2 × order, 1 × cancel'],
  ])('%j', (payload, type, words) => {
    expect(describeAction(rawOf(payload), new Map([[1, market]]))).toEqual({ type, account, words });
  });

  it.each(['0x50ff', '0x50', '0x'] as const)('of %s is that it cannot be read', (raw) => {
    expect(describeAction(raw, new Map())).toMatchObject({
      type: null,
      account: null,
      words: expect.stringMatching(/cannot read/),
    });
  });
});

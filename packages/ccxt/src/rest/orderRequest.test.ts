import { describe, expect, it } from '@jest/globals';
import type { Desk } from '../desk.ts';
import type { Num, Params } from '../library.ts';
import { fakeCcxt } from '../testing/fakeCcxt.ts';
import { fakePrime } from '../testing/fakeNode.ts';
import { prepareOrder } from './orderRequest.ts';

const symbol = 'ETH/USD:USD';
const level = (price: number) => ({ price: `0x${price.toString(16)}`, size: '0xa' });

/** Both sides ascend, as on the wire. */
const book = { bids: [level(298_995), level(299_000)], asks: [level(301_000), level(302_000)] };
const empty = { bids: [], asks: [] };

const prepare = (
  order: { type?: string; side?: string; amount?: Num; price?: Num; params?: Params },
  levels: object = book,
) => {
  const { exchange } = fakePrime((method) => (method === 'primeorders_getOrderBook' ? levels : undefined));
  return exchange.onDesk((desk: Desk) =>
    prepareOrder(desk, { symbol, type: 'limit', side: 'buy', amount: 1, price: 3000, ...order }),
  );
};

describe('an order in the words of the chain', () => {
  it.each([
    ['GTC', { tif: 'gtc', postOnly: false }],
    ['gtc', { tif: 'gtc', postOnly: false }],
    ['PO', { tif: 'gtc', postOnly: true }],
    ['IOC', { tif: 'ioc', reduceOnly: false }],
    ['FOK', { tif: 'fok', reduceOnly: false }],
  ])('%s', async (timeInForce, wanted) => {
    expect((await prepare({ params: { timeInForce } })).request).toMatchObject({ market: 1, side: 'buy', ...wanted });
  });

  it('GTD has its last second', async () => {
    const { request } = await prepare({ params: { timeInForce: 'GTD', until: 1_700_000_000_999 } });
    expect(request).toMatchObject({ tif: 'gtc', expiresAtSeconds: 1_700_000_000 });
  });

  it.each([
    ['text is exact', '3012.55', '0.25', 301_255n, 2_500_000_000_000_000n],
    ['a float is taken by its shortest decimal', 3012.55, 0.1, 301_255n, 1_000_000_000_000_000n],
    ['prices go to the nearest tick, the upper one in the middle', 3012.575, 1, 301_260n, 10_000_000_000_000_000n],
    ['amounts go down to the lot', 3000, '0.0000000000000199', 300_000n, 190n],
  ])('%s', async (_what, price, amount, wantedPrice, wantedSize) => {
    expect((await prepare({ price, amount })).request).toMatchObject({ price: wantedPrice, size: wantedSize });
  });

  it('a client id is sixteen bytes, and self-trade prevention as asked', async () => {
    const { request, asked } = await prepare({
      params: { clientOrderId: 'maker-7', selfTradePrevention: 'CANCEL_BOTH' },
    });
    expect(request).toMatchObject({ clientId: '0x6d616b65722d37000000000000000000', selfTrade: 'cancel_both' });
    expect(asked.clientOrderId).toBe('maker-7');
  });
});

describe('a market order', () => {
  const market = (side: string, params?: Params, price?: Num) =>
    prepare({ type: 'market', side, price: price as Num, ...(params === undefined ? {} : { params }) });

  it.each([
    ['buy', undefined, 316_050n],
    ['sell', undefined, 284_050n],
    ['buy', { slippage: '0' }, 301_000n],
    ['sell', { slippage: 0.001 }, 298_700n],
  ])('%s with %p is an ioc at %s', async (side, params, price) => {
    expect((await market(side, params)).request).toMatchObject({ tif: 'ioc', price });
  });

  it('takes its bound from the caller, rounded to what does not trade less', async () => {
    expect((await market('buy', {}, '3012.51')).request).toMatchObject({ price: 301_255n });
    expect((await market('sell', {}, '3012.54')).request).toMatchObject({ price: 301_250n });
  });

  it('is refused where nobody offers anything', async () => {
    await expect(prepare({ type: 'market', price: undefined as unknown as Num }, empty)).rejects.toBeInstanceOf(
      fakeCcxt.OrderNotFillable,
    );
  });

  it.each(['-0.1', 'much', '1'])('a slippage of %s is none for a sell', async (slippage) => {
    await expect(market('sell', { slippage })).rejects.toBeInstanceOf(fakeCcxt.InvalidOrder);
  });
});

describe('is refused before anything is signed', () => {
  it.each<[string, Parameters<typeof prepare>[0], keyof typeof fakeCcxt]>([
    ['a side that is none', { side: 'hold' }, 'InvalidOrder'],
    ['a type that is none', { type: 'stop' }, 'InvalidOrder'],
    ['a life that is none', { params: { timeInForce: 'DAY' } }, 'InvalidOrder'],
    ['post-only that does not rest', { params: { timeInForce: 'IOC', postOnly: true } }, 'InvalidOrder'],
    ['a market order that rests', { type: 'market', params: { timeInForce: 'GTC' } }, 'InvalidOrder'],
    ['GTD without a time', { params: { timeInForce: 'GTD' } }, 'ArgumentsRequired'],
    ['a time of an order that does not rest', { params: { timeInForce: 'IOC', until: 1 } }, 'InvalidOrder'],
    ['no price', { price: undefined as unknown as Num }, 'ArgumentsRequired'],
    ['a price of nothing', { price: 0 }, 'InvalidOrder'],
    ['a price in words', { price: 'cheap' }, 'InvalidOrder'],
    ['an amount below the lot', { amount: '0.0000000000000009' }, 'InvalidOrder'],
    ['a negative amount', { amount: -1 }, 'InvalidOrder'],
    ['self-trade prevention that is none', { params: { selfTradePrevention: 'EXPIRE_MAKER' } }, 'InvalidOrder'],
    ['a client id that is too long', { params: { clientOrderId: 'seventeen letters' } }, 'InvalidOrder'],
    ['a client id that is a number', { params: { clientOrderId: 7 } }, 'BadRequest'],
    ['a trigger', { params: { triggerPrice: 3100 } }, 'NotSupported'],
    ['a stop', { params: { stopLoss: { triggerPrice: 3100 } } }, 'NotSupported'],
  ])('%s', async (_what, order, name) => {
    await expect(prepare(order)).rejects.toBeInstanceOf(fakeCcxt[name]);
  });
});

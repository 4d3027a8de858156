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
    expect((await prepare({ params: { timeInForce } })).item).toMatchObject({ market: 1, side: 'buy', ...wanted });
  });

  it('GTD has its last second', async () => {
    const { item } = await prepare({ params: { timeInForce: 'GTD', until: 1_700_000_000_999 } });
    expect(item).toMatchObject({ tif: 'gtc', expiresAtSeconds: 1_700_000_000 });
  });

  it.each([
    ['text is exact', '3012.55', '0.25', 301_255n, 2_500_000_000_000_000n],
    ['a float is taken by its shortest decimal', 3012.55, 0.1, 301_255n, 1_000_000_000_000_000n],
    ['prices go to the nearest tick, the upper one in the middle', 3012.575, 1, 301_260n, 10_000_000_000_000_000n],
    ['amounts go down to the lot', 3000, '0.0000000000000199', 300_000n, 190n],
  ])('%s', async (_what, price, amount, wantedPrice, wantedSize) => {
    expect((await prepare({ price, amount })).item).toMatchObject({ price: wantedPrice, size: wantedSize });
  });

  it('a client id is sixteen bytes, and self-trade prevention as asked', async () => {
    const { item, asked } = await prepare({
      params: { clientOrderId: 'maker-7', selfTradePrevention: 'CANCEL_BOTH' },
    });
    expect(item).toMatchObject({ clientId: '0x6d616b65722d37000000000000000000', selfTrade: 'cancel_both' });
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
    expect((await market(side, params)).item).toMatchObject({ tif: 'ioc', price });
  });

  it('takes its bound from the caller, rounded to what does not trade less', async () => {
    expect((await market('buy', {}, '3012.51')).item).toMatchObject({ price: 301_255n });
    expect((await market('sell', {}, '3012.54')).item).toMatchObject({ price: 301_250n });
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

describe('an order that waits', () => {
  it.each([
    ['buy', { triggerPrice: 3100 }, { kind: 'stop', triggerPrice: 310_000n, reduceOnly: false }],
    ['sell', { stopPrice: '2900' }, { kind: 'stop', triggerPrice: 290_000n, reduceOnly: false }],
    ['buy', { triggerPrice: 2900, triggerDirection: 'descending' }, { kind: 'take_profit' }],
    ['sell', { triggerPrice: 3100, triggerDirection: 'ascending' }, { kind: 'take_profit' }],
    ['sell', { stopLossPrice: 2900 }, { kind: 'stop', reduceOnly: true }],
    ['sell', { takeProfitPrice: 3100 }, { kind: 'take_profit', reduceOnly: true }],
  ])('to %s by %p', async (side, params, wanted) => {
    const { item, asked } = await prepare({ side, params: { ...params, clientOrderId: 'guard' } });
    expect(item).toMatchObject({ type: 'trigger', side, limitPrice: 300_000n, tif: 'gtc', ...wanted });
    expect(asked.waits).toMatchObject({ kind: wanted.kind });
  });

  it('of type market has no limit, and is gone after its last second', async () => {
    const { item } = await prepare({ type: 'market', price: undefined as never, params: { stopLossPrice: 2900 } });
    expect(item).toMatchObject({ type: 'trigger', tif: 'ioc' });
    expect(item).not.toHaveProperty('limitPrice');
    const timed = await prepare({ params: { triggerPrice: 3100, timeInForce: 'GTD', until: 1_700_000_000_999 } });
    expect(timed.item).toMatchObject({ type: 'trigger', expiresAtSeconds: 1_700_000_000 });
  });

  it('is attached to another one', async () => {
    const stopLoss = { triggerPrice: 2900.02, type: 'market' };
    const takeProfit = { stopPrice: '3100', price: 3090, type: 'limit' };
    const { item, asked } = await prepare({ params: { stopLoss, takeProfit } });
    const attached = {
      stop: { triggerPrice: 290_000n },
      takeProfit: { triggerPrice: 310_000n, limitPrice: 309_000n },
    };
    expect(item).toMatchObject({ type: 'order', price: 300_000n, ...attached });
    expect(asked.attached).toEqual(attached);
    const alone = await prepare({ type: 'market', params: { stopLoss, takeProfit: false } });
    expect(alone.item).toMatchObject({ type: 'order', tif: 'ioc', stop: attached.stop });
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
    ['what trails', { params: { trailingPercent: 1 } }, 'NotSupported'],
    ['two prices to wait for', { params: { triggerPrice: 3100, stopLossPrice: 2900 } }, 'InvalidOrder'],
    ['a direction that is none', { params: { triggerPrice: 3100, triggerDirection: 'up' } }, 'InvalidOrder'],
    ['a direction in no words', { params: { triggerPrice: 3100, triggerDirection: 1 } }, 'BadRequest'],
    ['a price to wait for that is none', { params: { triggerPrice: {} } }, 'InvalidOrder'],
    ['post-only that waits', { params: { triggerPrice: 3100, postOnly: true } }, 'InvalidOrder'],
    ['fill-or-kill that waits', { params: { triggerPrice: 3100, timeInForce: 'FOK' } }, 'InvalidOrder'],
    ['a limit that waits without one', { price: undefined as never, params: { stopPrice: 3100 } }, 'ArgumentsRequired'],
    ['a stop in a word', { params: { stopLoss: 3100 } }, 'InvalidOrder'],
    ['a stop without a price', { params: { stopLoss: {} } }, 'ArgumentsRequired'],
    ['a stop of another amount', { params: { stopLoss: { triggerPrice: 2900, amount: 1 } } }, 'NotSupported'],
    ['a stop at a limit without one', { params: { stopLoss: { triggerPrice: 2900, type: 'limit' } } }, 'InvalidOrder'],
    [
      'a stop of an order that waits',
      { params: { triggerPrice: 3100, stopLoss: { triggerPrice: 2900 } } },
      'NotSupported',
    ],
  ])('%s', async (_what, order, name) => {
    await expect(prepare(order)).rejects.toBeInstanceOf(fakeCcxt[name]);
  });
});

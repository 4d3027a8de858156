import { describe, expect, it } from '@jest/globals';
import type { ActionPayload, ActionResult } from '@prime/codec';
import type { MethodContext } from '../../define.ts';
import { sample } from '../../schema/samples.ts';
import { parseParams } from '../../schema/validate.ts';
import { batch } from './batch.ts';

const cancel = { type: 'cancel', order_id: '0x1' };
const order = { type: 'order', market_id: 1, side: 'buy', price: '0x1', size: '0xa', tif: 'gtc' };

/** Runs a batch on a node whose network gives these results. */
async function run(items: readonly unknown[], results: readonly ActionResult[] = []) {
  let payload: Extract<ActionPayload, { readonly type: 'batch' }> | undefined;
  const submit = async (request: { readonly payload: typeof payload }) => {
    ({ payload } = request);
    return { result: { ok: true, value: { type: 'batch', results } }, height: 42, hash: sample.hash };
  };
  const context = { ports: { actions: { submit } }, info: { selfTrade: 'decrement' } } as unknown as MethodContext;
  const answer = (await batch.handler(context, ...parseParams(batch, [sample.address, items]))) as {
    readonly results: readonly unknown[];
  };
  return { answer, items: payload!.items };
}

describe('items of a batch', () => {
  it.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
  ])('are 1 to 100: %d', async (count, isTaken) => {
    const items = Array.from({ length: count }, () => cancel);
    if (isTaken) expect((await run(items)).items).toHaveLength(count);
    else await expect(run(items)).rejects.toThrow('items must be 1 to 100');
  });

  it.each([
    [{ type: 'deposit', amount: '0x1' }],
    [{ ...cancel, market_id: 1 }],
    [{ ...order, tif: 'day' }],
    [{ type: 'batch', items: [] }],
    [{ order_id: '0x1' }],
    ['cancel'],
    [null],
  ])('%j is none', async (item) => {
    await expect(run([item])).rejects.toMatchObject({ code: 'RPC_INVALID_PARAMS' });
  });

  it('a wrong one is named by its place', async () => {
    await expect(run([cancel, { ...order, tif: 'ioc', post_only: true }])).rejects.toThrow('items/1.post_only');
  });

  it('arrive in their order; an order that says nothing of self-trades takes the network’s rule', async () => {
    const modify = { type: 'modify', order_id: '0x2', price: '0x3', size: '0x4' };
    const byClientId = { type: 'cancel_by_client_id', market_id: 1, client_id: `0x${'AB'.repeat(16)}` };
    const { items } = await run([
      order,
      { ...order, stp: 'cancel_taker' },
      cancel,
      byClientId,
      { type: 'cancel_all' },
      { type: 'cancel_all', market_id: '0x2' },
      modify,
    ]);
    expect(items).toMatchObject([
      { type: 'order', selfTrade: 'decrement' },
      { type: 'order', selfTrade: 'cancel_taker' },
      { type: 'cancel', orderId: 1 },
      { type: 'cancelByClientId', marketId: 1, clientId: `0x${'ab'.repeat(16)}` },
      { type: 'cancelAll', marketId: null },
      { type: 'cancelAll', marketId: 2 },
      { type: 'modify', orderId: 2, price: 3n, size: 4n },
    ]);
  });
});

describe('results of a batch', () => {
  it('are what each item alone would answer, or its error', async () => {
    const refused = {
      ok: false,
      error: { code: 'CLOB_UNKNOWN_ORDER', message: 'unknown order 0x1', data: {} },
    } as const;
    const { answer } = await run(
      [cancel, cancel],
      [refused, { ok: true, value: { type: 'cancelAll', orderIds: [1, 2] } } as unknown as ActionResult],
    );
    expect(answer.results).toEqual([
      { error: { code: expect.any(Number), message: 'unknown order 0x1', data: expect.objectContaining({}) } },
      { cancelled_orders: ['0x1', '0x2'] },
    ]);
  });

  it('of a kind that no item has are a mistake of the node', async () => {
    const deposit = { ok: true, value: { type: 'deposit' } } as unknown as ActionResult;
    await expect(run([cancel], [deposit])).rejects.toThrow('a batch came back with a deposit');
  });
});

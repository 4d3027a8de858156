import { describe, expect, it } from '@jest/globals';
import type { ActionError } from '@prime/codec';
import { type Address, type OrderId, zeroAddress } from '@prime/primitives';
import type { MethodContext } from '../define.ts';
import {
  cancelOrder,
  execute,
  marketIdOf,
  orderAction,
  orderId,
  parseOrderFields,
  type WireOrderFields,
} from './orderActions.ts';

const wire: WireOrderFields = { market_id: 1, side: 'buy', price: '0x2', size: '0x3', tif: 'gtc' };
const parse = (fields: Partial<WireOrderFields>) => parseOrderFields({ ...wire, ...fields }, 'order');

describe('fields of an order', () => {
  it('have defaults, and client ids in lower case', () => {
    expect(parse({})).toEqual({
      marketId: 1,
      side: 'buy',
      price: 2n,
      size: 3n,
      tif: 'gtc',
      postOnly: false,
      reduceOnly: false,
      selfTrade: null,
      clientId: null,
      expiresAt: 0,
      stop: null,
      takeProfit: null,
    });
    expect(parse({ client_id: `0x${'AB'.repeat(16)}` }).clientId).toBe(`0x${'ab'.repeat(16)}`);
  });

  it('make a bracket of an order with a stop or a take-profit', () => {
    expect(orderAction(parse({}), 'decrement')).toMatchObject({ type: 'order', selfTrade: 'decrement' });
    expect(orderAction(parse({}), 'decrement')).not.toHaveProperty('stop');
    const legs = { stop: { trigger_price: '0x5a' }, take_profit: { trigger_price: '0x6e', limit_price: '0x6d' } };
    expect(orderAction(parse({ ...legs, stp: 'cancel_both' }), 'decrement')).toMatchObject({
      type: 'bracket',
      selfTrade: 'cancel_both',
      stop: { triggerPrice: 90n, limitPrice: 0n },
      takeProfit: { triggerPrice: 110n, limitPrice: 109n },
    });
    expect(orderAction(parse({ take_profit: legs.take_profit }), 'decrement')).toMatchObject({
      type: 'bracket',
      stop: null,
    });
  });

  it.each([
    [{ tif: 'ioc', post_only: true }, 'order.post_only is for gtc orders only'],
    [{ tif: 'fok', post_only: true }, 'order.post_only is for gtc orders only'],
    [{ tif: 'gtc', reduce_only: true }, null],
    [{ tif: 'gtc', post_only: true }, null],
    [{ tif: 'ioc', reduce_only: true }, null],
  ] as const)('%j: %s', (fields, words) => {
    if (words === null) expect(() => parse(fields)).not.toThrow();
    else expect(() => parse(fields)).toThrow(words);
  });

  it.each([
    [99_999_999_999, true],
    [100_000_000_000, true],
    [100_000_000_001, false],
    ['0x174876e801', false],
  ])('a time of %s is in seconds: %s', (expiresAt, isTaken) => {
    if (isTaken) expect(parse({ expires_at: expiresAt }).expiresAt).toBe(Number(expiresAt));
    else expect(() => parse({ expires_at: expiresAt })).toThrow('is in seconds, and this is a time in milliseconds');
  });

  it.each([
    [0, false],
    ['0x0', false],
    [1, true],
    [0xffff_ffff, true],
    ['0xffffffff', true],
    [0x1_0000_0000, false],
  ])('market %s is one: %s', (id, isTaken) => {
    if (isTaken) expect(marketIdOf(id)).toBe(Number(id));
    else expect(() => marketIdOf(id)).toThrow('must be from 1 to 4294967295');
  });

  it('an order id is at least 1', () => {
    const idOf = orderId.parse as (value: string) => OrderId;
    expect(() => idOf('0x0')).toThrow('must be at least 0x1');
    expect([idOf('0x1'), idOf('0xfffffffffffff')]).toEqual([1, 2 ** 52 - 1]);
  });
});

const [owner, signer] = ['aa', 'bb'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const refusal: ActionError = { code: 'CLOB_UNKNOWN_ORDER', message: 'unknown order 0x7', data: {} };
const done = { ok: true, value: { type: 'cancel', orderId: 7, remaining: 1n } } as const;

/** A node whose book knows the owners in turn, and which gives the results in turn. */
function node(owners: readonly (Address | null)[], results: readonly object[]) {
  const [known, answers] = [[...owners], [...results]];
  const accounts: Address[] = [];
  const ports = {
    books: { orderOwner: async () => known.shift() ?? null },
    actions: {
      submit: async ({ account }: { readonly account: Address }) => {
        accounts.push(account);
        return { result: answers.shift(), height: 1, hash: `0x${'00'.repeat(32)}` };
      },
    },
  };
  return { context: { ports } as unknown as MethodContext, accounts };
}

describe('a cancel in the owner’s name', () => {
  const cancel = (context: MethodContext, authorized?: object) =>
    cancelOrder(context, 7 as OrderId, authorized as Parameters<typeof cancelOrder>[2]);

  it('is done for the owner that the book knows', async () => {
    const { context, accounts } = node([owner], [done]);
    expect((await cancel(context)).value.remaining).toBe(1n);
    expect(accounts).toEqual([owner]);
  });

  it('of an order that the book learns of meanwhile is done once more, for its owner', async () => {
    const { context, accounts } = node([null, owner], [{ ok: false, error: refusal }, done]);
    expect((await cancel(context)).value.remaining).toBe(1n);
    expect(accounts).toEqual([zeroAddress, owner]);
  });

  it('of an order that nobody knows is refused as the order book does', async () => {
    const { context, accounts } = node([null, null], [{ ok: false, error: refusal }]);
    await expect(cancel(context)).rejects.toMatchObject({ code: 'RPC_ACTION_REFUSED', message: 'unknown order 0x7' });
    expect(accounts).toEqual([zeroAddress]);
  });

  it('that is signed without saying for whom, and that nobody knows, needs the account', async () => {
    const { context, accounts } = node([null], []);
    await expect(cancel(context, { account: undefined })).rejects.toThrow('authorization.account is needed');
    expect(accounts).toEqual([]);
  });
});

it('a result of another kind than was asked for is a mistake of the node, not of the caller', async () => {
  const { context } = node([], [done]);
  await expect(execute(context, 'deposit', signer, { type: 'noop' })).rejects.toThrow(
    'a deposit action came back as cancel',
  );
});

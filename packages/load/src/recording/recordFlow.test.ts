import { describe, expect, it } from '@jest/globals';
import type { ActionResult } from '@prime/codec';
import { type Address, toMarketId, toOrderId } from '@prime/primitives';
import type { LoadError } from '../errors.ts';
import type { Call } from './answers.ts';
import type { FlowLine, FlowLineOf } from './flow/flow.ts';
import { parseFlow } from './flow/parseFlow.ts';
import { recordFlow } from './recordFlow.ts';
import { alice, bob, carol, orderOf, RecordedNode, told } from './testing/recordedNode.ts';

async function record(node: RecordedNode, from: number, to: number): Promise<FlowLine[]> {
  const lines: FlowLine[] = [];
  for await (const line of parseFlow(recordFlow(node.call, { from, to }))) lines.push(line);
  return lines;
}
const operations = (lines: readonly FlowLine[]) =>
  lines.filter(({ kind }) => !['flow', 'account', 'end'].includes(kind)) as FlowLineOf<'action'>[];

describe('recordFlow', () => {
  it('tells orders, their fills and what is left of them, by the lines that placed them', async () => {
    const node = new RecordedNode();
    const buy = orderOf('buy', 100n, 10n, { clientId: `0x${'ab'.repeat(16)}` });
    const sell = orderOf('sell', 100n, 4n, { tif: 'ioc' });
    const [first, second, refused] = [
      node.action(alice, buy),
      node.action(bob, sell),
      node.action(bob, orderOf('buy', 1n, 1n)),
    ];
    node.block([first], [told.accepted(first, 7, alice, buy)]);
    node.block(
      [second, refused],
      [
        told.accepted(second, 8, bob, sell),
        told.trade(second, [7, 8], [alice, bob], [100, 4, 'sell']),
        told.rejected(refused, bob, 'lot'),
      ],
    );
    const lines = await record(node, 1, 2);
    expect(lines[0]).toMatchObject({
      source: { chainId: 7919, from: 1, to: 2 },
      beganMs: 1_000_000,
      markets: [{ tick: '1', lot: '2' }],
    });
    expect(operations(lines).map(({ line, ms, account, outcome }) => ({ line, ms, account, outcome }))).toEqual([
      { line: 3, ms: 0, account: 0, outcome: { rests: '10' } },
      {
        line: 5,
        ms: 50,
        account: 1,
        outcome: { fills: [{ market: 1, price: '100', size: '4', maker: '3', taker: '5' }] },
      },
      { line: 6, ms: 50, account: 1, outcome: { refused: 'lot' } },
    ]);
    expect(operations(lines)[0]!.action).toMatchObject({
      type: 'order',
      price: '100',
      size: '10',
      clientId: buy.clientId,
    });
  });

  it('puts a block in the order of its events, and what told nothing behind them', async () => {
    const node = new RecordedNode();
    const order = orderOf('buy', 5n, 2n);
    const [noop, place, cancel] = [
      node.action(alice, { type: 'noop' }),
      node.action(alice, order),
      node.action(bob, { type: 'cancelAll', marketId: null }),
    ];
    node.block([cancel], []);
    node.block(
      [noop, place, cancel],
      [told.cancelled(cancel, 99, bob, 1, 'user'), told.accepted(place, 100, alice, order)],
    );
    node.orders.set(99, { market_id: 1, owner: bob.address, side: 'sell', price: '0x9', status: 'cancelled' });
    const lines = await record(node, 2, 2);
    expect(operations(lines).map((line) => [line.kind, line.kind === 'action' ? line.action.type : ''])).toEqual([
      ['earlier', ''],
      ['action', 'cancelAll'],
      ['action', 'order'],
      ['action', 'noop'],
    ]);
    expect(operations(lines).at(-1)!.outcome).toEqual({ silent: true });
  });

  it('follows modify, cancel by client id, expiry, margin and self-trade', async () => {
    const node = new RecordedNode();
    const clientId = `0x${'cd'.repeat(16)}`;
    const orders = [
      orderOf('buy', 10n, 8n),
      orderOf('buy', 9n, 4n),
      orderOf('buy', 8n, 4n),
      orderOf('buy', 7n, 4n, { clientId }),
    ];
    const placed = orders.map((order) => node.action(alice, order));
    node.block(
      placed,
      orders.map((order, index) => told.accepted(placed[index]!, index + 1, alice, order)),
    );
    const shrink = node.action(alice, { type: 'modify', orderId: toOrderId(1), price: 10n, size: 6n });
    const moved = orderOf('buy', 11n, 6n);
    const move = node.action(alice, { type: 'modify', orderId: toOrderId(1), price: 11n, size: 6n });
    const byClient = node.action(alice, { type: 'cancelByClientId', marketId: toMarketId(1), clientId });
    const cross = orderOf('sell', 8n, 3n, { selfTrade: 'decrement' });
    const met = node.action(alice, cross);
    const taker = orderOf('sell', 8n, 4n, { tif: 'ioc' });
    const taken = node.action(bob, taker);
    node.block(
      [shrink, move, byClient, met, taken],
      [
        told.cancelled(null, 2, alice, 4, 'expired'),
        told.reduced(shrink, 1, alice, [2, 6], 'modify'),
        told.cancelled(move, 1, alice, 6, 'user'),
        told.accepted(move, 5, alice, moved),
        told.cancelled(byClient, 4, alice, 4, 'user'),
        told.accepted(met, 6, alice, cross),
        told.reduced(met, 5, alice, [3, 3], 'decrement'),
        told.cancelled(met, 6, alice, 0, 'self_trade'),
        told.accepted(taken, 7, bob, taker),
        told.cancelled(taken, 5, alice, 3, 'margin'),
        told.cancelled(taken, 7, bob, 4, 'ioc'),
      ],
    );
    const lines = operations(await record(node, 1, 2)).slice(4);
    const at = (index: number) => `${lines[index]!.line}`;
    expect(lines.map(({ outcome }) => outcome)).toEqual([
      { removed: [{ order: '4', account: 0, market: 1, reason: 'expired' }] },
      {},
      {
        rests: '6',
        placed: expect.objectContaining({ price: '11' }),
        removed: [{ order: '3', account: 0, market: 1, reason: 'user' }],
      },
      { removed: [{ order: '6', account: 0, market: 1, reason: 'user' }] },
      { ended: 'self_trade', reduced: [{ order: at(2), account: 0, market: 1, price: '11', rests: '3', by: at(4) }] },
      { ended: 'ioc', removed: [{ order: at(2), account: 0, market: 1, reason: 'margin', by: at(5) }] },
    ]);
    expect(
      lines.map((line) => (line.kind === 'action' && 'order' in line.action ? line.action.order : undefined)),
    ).toEqual([undefined, '3', '3', '6', undefined, undefined]);
  });

  it('tells the items of a batch one by one, and a cancel of it that waited where it was carried out', async () => {
    const node = new RecordedNode();
    const order = orderOf('buy', 5n, 2n);
    const refused: ActionResult = {
      ok: false,
      error: { code: 'CLOB_BAD_SIZE', message: 'no', data: { kind: 'bad_size' } },
    };
    const accepted = (orderId: number, remaining: bigint): ActionResult => ({
      ok: true,
      value: {
        type: 'order',
        orderId: toOrderId(orderId),
        marketId: toMarketId(1),
        filled: 0n,
        remaining,
        trades: [],
        status: 'open',
        decremented: 0n,
        reason: null,
      },
    });
    const batch = node.action(alice, { type: 'batch', items: [order, orderOf('buy', 5n, 0n), order] }, carol);
    node.result(batch, { ok: true, value: { type: 'batch', results: [accepted(1, 2n), refused, accepted(2, 2n)] } });
    const clientId = `0x${'ee'.repeat(16)}`;
    const cancels = node.action(bob, {
      type: 'batch',
      items: [{ type: 'cancelByClientId', marketId: toMarketId(1), clientId }],
    });
    const named = orderOf('sell', 9n, 2n, { clientId });
    const place = node.action(bob, named);
    node.result(cancels, {
      ok: true,
      value: {
        type: 'batch',
        results: [{ ok: true, value: { type: 'cancel', orderId: toOrderId(3), remaining: 2n } }],
      },
    });
    node.block(
      [batch, cancels, place],
      [
        told.accepted(batch, 1, alice, order),
        told.accepted(batch, 2, alice, order),
        told.accepted(place, 3, bob, named),
        told.cancelled(cancels, 3, bob, 2, 'user'),
      ],
    );
    const [first, second, third] = operations(await record(node, 1, 1));
    expect(first).toMatchObject({
      by: 1,
      outcome: { items: [{ rests: '2' }, { refused: 'bad_size' }, { rests: '2' }] },
    });
    expect(second).toMatchObject({ action: { type: 'order' }, outcome: { rests: '2' } });
    expect(third).toMatchObject({
      action: { type: 'batch', items: [{ type: 'cancel', order: `${second!.line}` }] },
      outcome: { items: [{}], removed: [{ order: `${second!.line}`, reason: 'user' }] },
    });
  });

  it('tells transactions with what they created and left to the order book, and what that did in the next block', async () => {
    const node = new RecordedNode();
    const created = `0x${'77'.repeat(20)}`;
    const ordersAddress = '0x0000000000000000000000000000000000000100';
    const receipt = { status: '0x1', gasUsed: '0x5208', contractAddress: null, logs: [] };
    const tx = { from: alice.address, to: bob.address, value: '0x5', input: '0x', gas: '0x5208' };
    node.block(
      [],
      [],
      [
        { tx, receipt },
        { tx: { ...tx, to: null, input: '0x6000' }, receipt: { ...receipt, contractAddress: created } },
        {
          tx: { ...tx, to: created, input: '0x01' },
          receipt: { ...receipt, logs: [{ address: ordersAddress }, { address: created }] },
        },
        { tx, receipt: { ...receipt, status: '0x0' } },
      ],
    );
    const order = orderOf('buy', 5n, 2n);
    const hash = `0x${'99'.repeat(32)}`;
    const contract = { address: created as Address, privateKey: new Uint8Array() };
    node.block(
      [],
      [
        {
          kind: 'collateral_deposited',
          hash,
          ticket: '0x1',
          data: { address: created, amount: '0x5', collateral: '0x5' },
        },
        told.accepted(hash, 1, contract, order, '0x2'),
      ],
    );
    const lines = operations(await record(node, 1, 2)) as FlowLine[];
    expect(lines.map((line) => line.kind)).toEqual([...Array<string>(4).fill('transaction'), 'contract', 'contract']);
    expect(lines[1]).toMatchObject({ to: null, outcome: { status: 'ok', created: 2 } });
    expect(lines[2]).toMatchObject({ to: 2, data: '0x01', outcome: { writes: 1 } });
    expect(lines[3]).toMatchObject({ outcome: { status: 'reverted' } });
    expect(lines[4]).toMatchObject({ account: 2, action: null, did: ['collateral_deposited'] });
    expect(lines[5]).toMatchObject({ account: 2, action: { type: 'order', price: '5' }, outcome: { rests: '2' } });
  });

  it('begins with the orders that rested before, the oldest first, as far as the blocks reach them', async () => {
    const node = new RecordedNode();
    const taker = orderOf('sell', 9n, 6n);
    const hash = node.action(bob, taker);
    node.block([], []);
    node.block(
      [hash],
      [
        told.accepted(hash, 20, bob, taker),
        told.trade(hash, [5, 20], [alice, bob], [9, 4, 'sell']),
        told.trade(hash, [3, 20], [carol, bob], [9, 2, 'sell']),
        told.cancelled(null, 3, carol, 6, 'expired'),
      ],
    );
    const known = { market_id: 1, side: 'buy', price: '0x9', status: 'open' };
    node.orders.set(5, { ...known, owner: alice.address });
    node.orders.set(3, { ...known, owner: carol.address, status: 'cancelled' });
    const lines = await record(node, 2, 2);
    expect(lines.filter(({ kind }) => kind === 'earlier').map((line) => (line as FlowLineOf<'earlier'>).order)).toEqual(
      [
        { market: 1, side: 'buy', price: '9', size: '8' },
        // A lot more than what was taken: it still rests.
        { market: 1, side: 'buy', price: '9', size: '6' },
      ],
    );
    expect(lines.find(({ kind }) => kind === 'action')).toMatchObject({
      outcome: { fills: [{ maker: '5' }, { maker: '3' }] },
    });
  });

  it('says what can not be done again', async () => {
    const node = new RecordedNode();
    const actions = [node.action(alice, { type: 'validatorLeave' }), node.action(alice, { type: 'validatorLeave' })];
    node.block(actions, [{ kind: 'deleveraged', hash: null, data: {} }]);
    expect((await record(node, 1, 1)).at(-1)).toMatchObject({
      lost: [
        { what: 'events deleveraged', count: 1 },
        { what: 'actions of the type validatorLeave', count: 2 },
      ],
    });
  });

  it('refuses heights that are not there, and answers that are none', async () => {
    const node = new RecordedNode();
    node.block([], []);
    const detailOf = (from: number, to: number, call = node.call) =>
      recordFlow(call, { from, to })
        .next()
        .then(
          () => null,
          ({ detail }: LoadError) => detail,
        );
    for (const [from, to] of [
      [0, 1],
      [1, 0],
      [1, 2],
      [1.5, 2],
    ] as const)
      expect(await detailOf(from, to)).toMatchObject({ code: 'LOAD_FLOW_RANGE', from, to });
    const broken: Call = (method, params) =>
      method === 'primeorders_getMarkets' ? Promise.resolve({}) : node.call(method, params);
    expect(await detailOf(1, 1, broken)).toEqual({ code: 'LOAD_ANSWER_MALFORMED', reason: 'markets is no list' });
    const pruned: Call = (method, params) =>
      method === 'prime_getBlockByNumber' ? Promise.resolve(null) : node.call(method, params);
    expect(await detailOf(1, 1, pruned)).toMatchObject({ code: 'LOAD_FLOW_RANGE', reason: 'the node has no block 1' });
  });
});

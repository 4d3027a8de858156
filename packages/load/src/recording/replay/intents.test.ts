import { describe, expect, it } from '@jest/globals';
import type { FlowLineOf, FlowOutcome, FlowTradingAction } from '../flow/flow.ts';
import { intentsOf } from './intents.ts';

const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
const order = { type: 'order', market: 1, side: 'buy', price: '100', size: '9', tif: 'gtc', ...plain } as const;
const action = (of: FlowLineOf<'action'>['action'], outcome: FlowOutcome): FlowLineOf<'action'> => ({
  line: 20,
  kind: 'action',
  ms: 0,
  account: 3,
  action: of,
  outcome,
});
const fill = (size: string, price = '100', taker = '20') => ({ market: 1, price, size, maker: '7', taker });
const removed = (reason: string, by?: string) => ({
  order: '8',
  account: 5,
  market: 1,
  reason,
  ...(by !== undefined && { by }),
});
const done = (of: FlowLineOf<'action'>['action'], outcome: FlowOutcome) => intentsOf(action(of, outcome)).intents;
const cancelOf8 = { does: 'cancel', account: 5, ref: '8', market: 1 };
const { type: _, ...asked } = order;

describe('intentsOf', () => {
  it('sends an order as it was where meeting the same orders brings it to the same end', () => {
    const cases: [Partial<typeof order> | object, FlowOutcome, boolean][] = [
      [{}, { rests: '9' }, true],
      [{}, { fills: [fill('9')] }, false],
      [{}, { rests: '4', fills: [fill('5')] }, true],
      [{ tif: 'ioc' }, { ended: 'ioc', fills: [fill('5')] }, false],
      [{ tif: 'fok' }, { ended: 'fok' }, false],
      [{}, { ended: 'self_trade', removed: [removed('self_trade', '20')] }, false],
    ];
    for (const [fields, outcome, rests] of cases)
      expect(done({ ...order, ...fields }, outcome)).toEqual([
        { does: 'order', account: 3, ref: '20', order: { ...asked, ...fields }, rests },
      ]);
  });

  it('sends an order for what it traded where something else ended it', () => {
    const cut = { does: 'order', account: 3, ref: '20', order: { ...asked, size: '5', tif: 'ioc' }, rests: false };
    for (const ended of ['margin', 'reduce_only', 'ioc', 'user'])
      expect(done(order, { ended, fills: [fill('2'), fill('3', '99'), fill('9', '98', '19')] })).toEqual([cut]);
    expect(done({ ...order, tif: 'ioc', reduceOnly: true }, { fills: [fill('5')] })).toEqual([cut]);
    expect(intentsOf(action(order, { ended: 'margin' }))).toEqual({ intents: [], leftOut: 'order of nothing' });
  });

  it('does to the owner’s orders what an order did that is not sent whole', () => {
    const reduced = { order: '9', account: 3, market: 1, price: '101', rests: '2', by: '20' };
    const other = { ...reduced, order: '6', by: '19' };
    const own = { ...removed('self_trade', '20'), account: 3 };
    const outcome = { ended: 'ioc', removed: [own], reduced: [reduced, other], fills: [fill('5')] };
    expect(done({ ...order, tif: 'ioc', reduceOnly: true }, outcome)).toEqual([
      {
        does: 'batch',
        account: 3,
        items: [
          { ...cancelOf8, account: 3 },
          { does: 'shrink', account: 3, ref: '9', price: '101', size: '2' },
          { does: 'order', account: 3, ref: '20', order: { ...asked, size: '5', tif: 'ioc' }, rests: false },
        ],
      },
    ]);
  });

  it('cancels orders that margin or time took out right before the line that tells of it', () => {
    for (const reason of ['margin', 'expired', 'liquidation'])
      expect(done(order, { rests: '9', removed: [removed(reason, '20')] }).map(({ does }) => does)).toEqual([
        'cancel',
        'order',
      ]);
    expect(done({ type: 'cancelAll', market: null }, { removed: [removed('user')] })).toEqual([
      { does: 'cancelAll', account: 3, market: null },
    ]);
  });

  it('leaves out what was refused, and what changed nothing', () => {
    const cases: [FlowLineOf<'action'>['action'], FlowOutcome, string][] = [
      [order, { refused: 'lot' }, 'refused: lot'],
      [{ type: 'cancelAll', market: 1 }, { silent: true }, 'cancelAll that changed nothing'],
      [{ type: 'cancel', order: null, market: null }, {}, 'cancel of nothing'],
      [{ type: 'other', name: 'setMargin' }, {}, 'actions of the type setMargin'],
    ];
    for (const [of, outcome, leftOut] of cases)
      expect(intentsOf(action(of, outcome))).toEqual({ intents: [], leftOut });
    expect(done({ type: 'noop' }, { silent: true })).toEqual([{ does: 'plain', account: 3, action: { type: 'noop' } }]);
  });

  it('makes a modify that took the order’s place away a cancel and an order, and another one a modify', () => {
    const modify = { type: 'modify', order: '8', price: '99', size: '4' } as const;
    const placed = { ...asked, price: '99', size: '4' };
    expect(done(modify, { placed, rests: '4', removed: [removed('user')] })).toEqual([
      {
        does: 'batch',
        account: 3,
        items: [
          { does: 'cancel', account: 3, ref: '8', market: 1 },
          { does: 'order', account: 3, ref: '20', order: placed, rests: true },
        ],
      },
    ]);
    expect(done(modify, {})).toEqual([{ does: 'shrink', account: 3, ref: '8', price: '99', size: '4' }]);
  });

  it('keeps the items of a batch together, but for what margin took out between them', () => {
    const items: FlowTradingAction[] = [order, { ...order, size: '0' }, order, order];
    const fates = [{ rests: '9' }, { refused: 'bad_size' }, { rests: '9' }, { rests: '9' }];
    const placed = (index: number) => ({ does: 'order', account: 3, ref: `20.${index}`, order: asked, rests: true });
    const whole = intentsOf(action({ type: 'batch', items }, { items: fates }));
    expect(whole).toEqual({
      intents: [{ does: 'batch', account: 3, items: [placed(0), placed(2), placed(3)] }],
      leftOut: 'refused: items of batches',
    });
    expect(done({ type: 'batch', items }, { items: fates, removed: [removed('margin', '20.3')] })).toEqual([
      { does: 'batch', account: 3, items: [placed(0), placed(2)] },
      cancelOf8,
      placed(3),
    ]);
  });

  it('makes an order of what a position in liquidation traded, at the worst of its prices', () => {
    const takers = [{ order: '20.0', account: 5, market: 1, side: 'sell' as const }];
    const fills = [fill('2', '101', '20.0'), fill('3', '97', '20.0'), fill('1', '99', '20.0')];
    for (const line of [
      action({ type: 'liquidate', of: 5 }, { takers, fills, removed: [removed('liquidation')] }),
      {
        line: 20,
        kind: 'network' as const,
        ms: 0,
        did: ['trade'],
        outcome: { takers, fills, removed: [removed('liquidation')] },
      },
    ])
      expect(intentsOf(line).intents).toEqual([
        cancelOf8,
        {
          does: 'order',
          account: 5,
          ref: '20.0',
          order: { ...asked, side: 'sell', price: '97', size: '6', tif: 'ioc' },
          rests: false,
        },
      ]);
  });

  it('sends orders of contracts by their accounts, and not the transactions that they came from', () => {
    const contract = { line: 20, kind: 'contract' as const, ms: 0, account: 3, did: ['x'], outcome: { rests: '9' } };
    expect(intentsOf({ ...contract, action: order }).intents).toMatchObject([{ does: 'order', account: 3, ref: '20' }]);
    expect(intentsOf({ ...contract, action: null, outcome: { removed: [removed('user')] } }).intents).toEqual([
      cancelOf8,
    ]);
    expect(intentsOf({ ...contract, action: null, outcome: {} }).leftOut).toBe(
      'what contracts did besides orders and cancels',
    );
    const sent = { line: 20, kind: 'transaction', ms: 0, account: 3, to: 4, value: '0', data: '0x', gas: '9' } as const;
    const outcome = { status: 'ok', gasUsed: '9' } as const;
    expect(intentsOf({ ...sent, outcome }).intents).toHaveLength(1);
    expect(intentsOf({ ...sent, outcome: { ...outcome, writes: 1 } })).toMatchObject({ intents: [] });
  });
});

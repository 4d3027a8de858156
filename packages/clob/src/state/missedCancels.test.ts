import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, type ContractAction, decodeEventFrames, type OrderFields } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { ensureAccount } from './changes.ts';
import type { ClobOutcome } from '../ports.ts';
import {
  alice,
  bob,
  createHarness,
  type Harness,
  type HarnessOptions,
  marketId,
  order,
  orderId,
  type Step,
} from '../testing/harness.ts';

/** Cancels by client id in the block of their order, which run before it. */

const [first, second] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(16)}`) as [string, string];
const by = (account: Address, payload: ActionPayload, more: Partial<Step> = {}): Step => ({
  account,
  payload,
  ...more,
});
const named = (clientId: string, more: Partial<OrderFields> = {}): ActionPayload =>
  order('buy', 100n, 5n, { clientId, ...more });
const cancel = (clientId: string, market = 2): ActionPayload => ({
  type: 'cancelByClientId',
  marketId: marketId(market),
  clientId,
});
const batch = (...items: ActionPayload[]): ActionPayload => ({ type: 'batch', items });
const unknown = (clientId: string) => ({
  ok: false,
  error: { code: 'CLOB_UNKNOWN_CLIENT_ID', message: `unknown client id ${clientId}` },
});
const cancelled = (id: number, remaining = 5n) => ({ ok: true, value: { type: 'cancel', orderId: id, remaining } });
const told = ({ events }: ClobOutcome): unknown[] =>
  decodeEventFrames(events).map(({ kind, actionIndex, data }) => [
    kind,
    actionIndex,
    data['order_id'] ?? data['reason'] ?? null,
  ]);

function scene(options: HarnessOptions = {}): Harness {
  const harness = createHarness(options);
  for (const account of [alice, bob]) harness.deposit(account, 1_000_000n);
  return harness;
}
const openIds = ({ state }: Harness): number[] => [...state.orders.byId.ids()];

describe('a cancel by client id that runs before its order', () => {
  it.each([
    ['with cancels first', {}],
    ['with everything in its place', { params: { cancelFirst: false } }],
    ['with numbers that are not exact', { wideBooks: true }],
  ])('takes it out before anybody else can meet it: %s', (_, options) => {
    const harness = scene(options);
    const outcome = harness.block([
      by(alice, cancel(first)),
      by(alice, named(first)),
      by(bob, order('sell', 100n, 5n, { tif: 'ioc' })),
    ]);
    expect(outcome.results).toMatchObject([
      cancelled(1),
      { ok: true, value: { orderId: 1, status: 'open', remaining: 5n } },
      { ok: true, value: { orderId: 2, status: 'cancelled', filled: 0n } },
    ]);
    expect(told(outcome)).toEqual([
      ['order_accepted', 1, 1],
      ['order_cancelled', 0, 1],
      ['order_accepted', 2, 2],
      ['order_cancelled', 2, 2],
    ]);
    expect(openIds(harness)).toEqual([]);
  });

  it('takes out what a match left of it', () => {
    const harness = scene();
    harness.act(bob, order('sell', 100n, 2n));
    const { results } = harness.block([by(alice, named(first)), by(alice, cancel(first))]);
    expect(results).toMatchObject([{ ok: true, value: { filled: 2n, remaining: 3n } }, cancelled(2, 3n)]);
  });

  it.each([
    ['whose order ends at once', by(alice, named(first, { tif: 'ioc' }))],
    ['whose order is refused', by(alice, named(first, { size: 0n }))],
    ['of another market', by(alice, named(first, { marketId: marketId(1), size: 10n }))],
    ['of another account', by(bob, named(first))],
    ['of another client id', by(alice, named(second))],
  ])('%s is refused at the end of the block', (_, step) => {
    const harness = scene();
    const outcome = harness.block([by(alice, cancel(first)), step]);
    expect(outcome.results[0]).toMatchObject(unknown(first));
    expect(told(outcome).at(-1)).toEqual(['action_rejected', 0, 'unknown_client_id']);
    expect(openIds(harness)).toHaveLength(
      step.payload.type === 'order' && outcome.results[1]!.ok && step.payload.tif === 'gtc' ? 1 : 0,
    );
  });

  it('each takes out one order; those that are left are refused in their order', () => {
    const harness = scene();
    const outcome = harness.block([
      by(alice, cancel(second)),
      ...[1, 2, 3].map(() => by(alice, cancel(first))),
      by(alice, named(first)),
      by(alice, named(first)),
    ]);
    expect(outcome.results.slice(0, 4)).toMatchObject([unknown(second), cancelled(1), cancelled(2), unknown(first)]);
    expect(told(outcome).slice(-2)).toEqual([
      ['action_rejected', 0, 'unknown_client_id'],
      ['action_rejected', 3, 'unknown_client_id'],
    ]);
  });

  it('waits for no order of a later block, nor of the block that comes in place of one taken back', () => {
    const harness = scene();
    harness.drop([by(alice, cancel(first))]);
    harness.act(alice, named(first));
    expect(harness.act(alice, cancel(second))).toMatchObject(unknown(second));
    harness.act(alice, named(second));
    expect(openIds(harness)).toHaveLength(2);
  });

  it.each([
    ['that it finds', named(first), true],
    ['that never comes', named(second), false],
  ])('locks the account of who signs by himself for an order %s', (_, payload, isLocked) => {
    const harness = scene();
    harness.block([by(alice, cancel(first), { signatureKind: 'raw', nonce: 1_700_000_000_000 }), by(alice, payload)]);
    expect(ensureAccount(harness.state, alice).locked).toBe(isLocked);
  });
});

describe('a cancel by client id in a batch', () => {
  it('of only cancels waits, and its place in the results has the answer', () => {
    const harness = scene();
    const outcome = harness.block([
      by(alice, batch(cancel(first), { type: 'cancel', orderId: orderId(99) }, cancel(second))),
      by(alice, named(second)),
    ]);
    expect(outcome.results[0]).toMatchObject({
      ok: true,
      value: { results: [unknown(first), { ok: false, error: { code: 'CLOB_UNKNOWN_ORDER' } }, cancelled(1)] },
    });
    expect(told(outcome)).toEqual([
      ['order_accepted', 1, 1],
      ['order_cancelled', 0, 1],
    ]);
  });

  it('with anything else is meant for what is in front of it: the order behind it stays', () => {
    const harness = scene();
    const { results } = harness.block([by(alice, batch(cancel(first), named(first))), by(alice, batch(named(second)))]);
    expect(results[0]).toMatchObject({ value: { results: [unknown(first), { ok: true, value: { orderId: 1 } }] } });
    expect(openIds(harness)).toHaveLength(2);
  });

  it('catches the orders of a batch when the batch is through', () => {
    const harness = scene();
    const outcome = harness.block([
      by(alice, batch(cancel(first), cancel(second))),
      by(alice, batch(named(second), order('buy', 90n, 1n), named(first))),
    ]);
    expect(outcome.results[0]).toMatchObject({ value: { results: [cancelled(3), cancelled(1)] } });
    expect(told(outcome).slice(3)).toEqual([
      ['order_cancelled', 0, 1],
      ['order_cancelled', 0, 3],
    ]);
    expect(openIds(harness)).toEqual([2]);
  });
});

describe('a cancel by client id of a contract', () => {
  const write = (ticket: number, payload: ContractAction['payload']): ContractAction => ({
    ticket,
    transactionHash: `0x${ticket.toString(16).padStart(64, '0')}` as Hash,
    account: alice,
    payload,
  });

  it('finds the order that the contract sent before it', () => {
    const harness = scene();
    const outcome = harness.block([], undefined, [
      write(1, named(first) as ContractAction['payload']),
      write(2, { type: 'cancelByClientId', clientId: first }),
    ]);
    expect(decodeEventFrames(outcome.events).map(({ kind, contract }) => [kind, contract?.ticket])).toEqual([
      ['order_accepted', 1],
      ['order_cancelled', 2],
    ]);
    expect(openIds(harness)).toEqual([]);
  });

  it.each([
    ['that the contract sends behind it', [], [write(8, named(first) as ContractAction['payload'])]],
    ['of an action', [by(alice, named(first))], []],
  ])('leaves an order %s', (_, steps, writes) => {
    const harness = scene();
    const { events } = harness.block(steps, undefined, [
      write(7, { type: 'cancelByClientId', clientId: first }),
      ...writes,
    ]);
    expect(decodeEventFrames(events).map(({ kind, contract }) => [kind, contract?.ticket])).toEqual([
      ['order_accepted', writes[0]?.ticket],
      ['action_rejected', 7],
    ]);
    expect(openIds(harness)).toEqual([1]);
  });

  it('is refused at the end when there is none', () => {
    const outcome = scene().block([by(alice, { type: 'noop' })], undefined, [
      write(7, { type: 'cancelByClientId', clientId: first }),
    ]);
    expect(decodeEventFrames(outcome.events)).toMatchObject([
      { kind: 'action_rejected', actionIndex: null, contract: { ticket: 7 }, data: { ticket: 7, hash: null } },
    ]);
  });
});

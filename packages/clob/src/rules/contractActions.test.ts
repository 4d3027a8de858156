import { describe, expect, it } from '@jest/globals';
import {
  decodeEventFrames,
  type ContractAction,
  type ContractPayload,
  decodeRefusedOrdersRecord,
  refusedOrdersRecordKey,
} from '@prime/codec';
import { type Address, compareBytes, type Hash, type Height, type TimestampMs } from '@prime/primitives';
import { createInspectableEngine, type InspectableEngine } from '../engine.ts';
import type { ClobOutcome } from '../ports.ts';
import { alice, bob, defaultMarkets, defaultParams, order, orderId, startMs } from '../testing/harness.ts';

const name = (digit: string): string => `0x${digit.padStart(32, '0')}`;
const hashOf = (ticket: number): Hash => `0x${ticket.toString(16).padStart(64, '0')}` as Hash;

/** Runs blocks of nothing but what contracts asked for. */
function createRun(params: Partial<typeof defaultParams> = {}) {
  const inside: InspectableEngine = createInspectableEngine({
    params: { ...defaultParams, ...params },
    actionsMode: 'open',
  });
  const { engine } = inside;
  let [height, ticket] = [0, 0];
  engine.genesis(defaultMarkets);
  engine.commit();
  const propose = (steps: readonly (readonly [Address, ContractPayload])[]): ClobOutcome => {
    height++;
    const contractActions = steps.map(([account, payload]): ContractAction => {
      ticket++;
      return { ticket, transactionHash: hashOf(ticket), account, payload };
    });
    const timestampMs = (startMs + height * 1000) as TimestampMs;
    return engine.execute({ height: height as Height, timestampMs, actions: [], deposits: [], contractActions });
  };
  return {
    ...inside,
    propose,
    block: (...steps: readonly (readonly [Address, ContractPayload])[]): ClobOutcome => {
      const outcome = propose(steps);
      engine.commit();
      return outcome;
    },
  };
}

const deposit = (to: Address, amount: bigint): ContractPayload => ({ type: 'deposit', to, amount });
const kinds = ({ events }: ClobOutcome): string[] => decodeEventFrames(events).map(({ kind }) => kind);
const tickets = ({ events }: ClobOutcome): (number | undefined)[] =>
  decodeEventFrames(events).map(({ contract }) => contract?.ticket);
const sell = (price: bigint, clientId: string | null = null): ContractPayload =>
  order('sell', price, 1n, { clientId }) as ContractPayload;

describe('what contracts asked for', () => {
  it('cancel_first: deposits, then cancels, then the rest', () => {
    const run = createRun();
    run.block([alice, deposit(alice, 1000n)], [alice, sell(100n, name('1'))]);
    const outcome = run.block(
      [alice, sell(101n)],
      [alice, { type: 'cancelByClientId', clientId: name('1') }],
      [bob, deposit(bob, 5n)],
    );
    expect(kinds(outcome)).toEqual(['collateral_deposited', 'order_cancelled', 'order_accepted']);
    expect(tickets(outcome)).toEqual([5, 4, 3]);
  });

  it('without it: deposits, then as they were asked', () => {
    const run = createRun({ cancelFirst: false });
    const outcome = run.block(
      [alice, sell(100n, name('1'))],
      [alice, { type: 'cancelByClientId', clientId: name('1') }],
      [alice, deposit(alice, 1000n)],
    );
    expect(kinds(outcome)).toEqual(['collateral_deposited', 'order_accepted', 'order_cancelled']);
    expect(tickets(outcome)).toEqual([3, 1, 2]);
  });

  it('escrow grows by deposits, which nobody else has to fund', () => {
    const run = createRun();
    const outcome = run.block([alice, deposit(bob, 70n)], [alice, deposit(alice, 30n)]);
    expect(outcome).toMatchObject({ escrow: 100n, escrowChange: 100n });
    expect(run.state.accountOf.get(bob)).toMatchObject({ collateral: 70n, locked: false });
    expect(run.state.accountOf.get(alice)).toMatchObject({ collateral: 30n, locked: true });
  });

  it("somebody else's order stays, and the refusal changes nothing but its memory", () => {
    const run = createRun();
    run.block([alice, deposit(alice, 1000n)], [alice, sell(100n)]);
    const before = run.state.orders.byId.size;
    const outcome = run.block([bob, { type: 'cancel', orderId: orderId(1) }], [bob, sell(99n, name('2'))]);
    expect(decodeEventFrames(outcome.events).map(({ data }) => data['reason'])).toEqual([
      'not_owner',
      'insufficient_margin',
    ]);
    expect(run.state.orders.byId.size).toBe(before);
    const key = refusedOrdersRecordKey(2);
    const written = outcome.writes.find((write) => compareBytes(write.key, key) === 0)!;
    expect(decodeRefusedOrdersRecord(written.value!)).toEqual({
      height: 2,
      orders: [{ ticket: 4, owner: bob, clientId: name('2') }],
    });
  });

  it('a block that is taken back leaves nothing, refusals included, and gives the same when it is carried out again', () => {
    const [run, twin] = [createRun(), createRun()];
    for (const { block } of [run, twin]) block([alice, deposit(alice, 1000n)], [alice, sell(100n)]);
    const steps = [
      [bob, sell(99n, name('2'))],
      [alice, sell(101n, name('3'))],
      [bob, deposit(bob, 9n)],
    ] as const;
    const root = run.engine.ordersRoot();
    const dropped = run.propose(steps);
    run.engine.rollback();
    expect(run.engine.ordersRoot()).toBe(root);
    expect(run.state.refused.current).toEqual([]);
    expect(dropped.ordersRoot).toBe(twin.block(...steps).ordersRoot);
  });

  it('no block holds others: what the next one does has no ticket of theirs', () => {
    const run = createRun({ autoDequeue: true });
    run.block([alice, deposit(alice, 1000n)], [alice, { type: 'withdraw', amount: 10n, to: bob }]);
    const next = run.block();
    expect(kinds(next)).toEqual(['transfer_completed']);
    expect(tickets(next)).toEqual([undefined]);
  });
});

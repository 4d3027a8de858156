import { describe, expect, it } from '@jest/globals';
import { agentPermission, decodeEventFrames, type ActionPayload, type ActionResult } from '@prime/codec';
import type { ClobOutcome } from '../ports.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  order,
  orderValue,
  startMs,
} from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';

const at = (atMs: number): ActionPayload => ({ type: 'scheduleCancel', atMs });
/** Block time of most tests, and the earliest time that it takes. */
const nowMs = startMs + 60_000;
const earliest = nowMs + 5000;
const kindOf = (result: ActionResult): string => (result.ok ? 'done' : String(result.error.data['kind']));

/** Accounts with an order each. */
function resting(owners: readonly (typeof alice)[], params = {}, shards?: number): Harness {
  const harness = createHarness({ params, ...(shards === undefined ? {} : { shards }) });
  for (const owner of owners) {
    harness.deposit(owner, 10_000n);
    orderValue(harness.act(owner, order('buy', 10n, 10n)));
  }
  return harness;
}
const told = ({ events }: ClobOutcome): string[] =>
  decodeEventFrames(events).map(({ kind, data }) =>
    kind === 'order_cancelled' ? `${data['owner']} ${data['reason']}` : `${kind} ${data['account'] ?? ''}`.trim(),
  );
const schedulesOf = ({ state }: Harness): unknown[] => [...state.schedules.timeOf];

describe('scheduleCancel', () => {
  it('takes a time of 5 seconds ahead of block time, not a millisecond less, and nothing in seconds', () => {
    const harness = resting([alice]);
    const set = (atMs: number): ActionResult =>
      harness.block([{ account: alice, payload: at(atMs) }], nowMs).results[0]!;
    expect(set(earliest - 1)).toMatchObject({
      error: { code: 'CLOB_BAD_SCHEDULE', data: { kind: 'bad_schedule', at_ms: earliest - 1, earliest_ms: earliest } },
    });
    expect(kindOf(set(Math.floor(nowMs / 1000) + 60))).toBe('bad_schedule');
    expect(schedulesOf(harness)).toEqual([]);
    expect(kindOf(set(earliest))).toBe('done');
    expect(kindOf(set(earliest + 1))).toBe('done');
    expect(schedulesOf(harness)).toEqual([[alice, earliest + 1]]);
  });

  it('ends all orders at the first block with that time, before its actions, and is over then', () => {
    const harness = resting([alice, bob]);
    orderValue(harness.act(alice, order('sell', 20n, 10n)));
    harness.block([{ account: alice, payload: at(earliest) }], nowMs);
    expect(told(harness.block([], earliest - 1))).toEqual([]);
    // The order that comes in that block is not among them.
    const outcome = harness.block([{ account: alice, payload: order('buy', 11n, 1n) }], earliest);
    expect(told(outcome)).toEqual([
      `${alice} scheduled`,
      `${alice} scheduled`,
      `scheduled_cancel ${alice}`,
      'order_accepted',
    ]);
    expect(schedulesOf(harness)).toEqual([]);
    expect(told(harness.block([], earliest + 60_000))).toEqual([]);
    expect(harness.state.accountOf.get(alice)!.openOrders).toBe(1);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('is one for each account: a later one takes its place, 0 takes it back, and says so once', () => {
    const harness = resting([alice]);
    const set = (atMs: number): string[] => told(harness.block([{ account: alice, payload: at(atMs) }], nowMs));
    expect(set(earliest)).toEqual([`cancel_scheduled ${alice}`]);
    expect(set(earliest)).toEqual([]);
    expect(set(earliest + 500)).toEqual([`cancel_scheduled ${alice}`]);
    expect(told(harness.block([], earliest))).toEqual([]);
    harness.block([{ account: alice, payload: at(0) }], earliest);
    expect(schedulesOf(harness)).toEqual([]);
    expect(harness.records.size).toBeGreaterThan(0);
    expect([...harness.records.values()].some(([key]) => key[0] === 11)).toBe(false);
    expect(told(harness.block([{ account: alice, payload: at(0) }], earliest))).toEqual([]);
    expect(told(harness.block([], earliest + 60_000))).toEqual([]);
  });

  it('is in the records, and nothing of it stays of a block that was taken back', () => {
    const harness = resting([alice]);
    harness.drop([{ account: alice, payload: at(earliest) }], nowMs);
    expect(schedulesOf(harness)).toEqual([]);
    harness.block([{ account: alice, payload: at(earliest) }], nowMs);
    harness.drop([], earliest);
    expect(schedulesOf(harness)).toEqual([[alice, earliest]]);
    harness.restart();
    expect(told(harness.block([], earliest))).toEqual([`${alice} scheduled`, `scheduled_cancel ${alice}`]);
    harness.restart();
    expect(told(harness.block([], earliest + 1))).toEqual([]);
  });

  it('runs with the cancels of its block, and an agent that may cancel may send it', () => {
    const harness = resting([alice, bob]);
    const { permissions, expiry, name } = { permissions: agentPermission.cancel, expiry: 0, name: '' };
    harness.act(alice, { type: 'approveAgent', agent: carol, permissions, expiry, name });
    const outcome = harness.block(
      [
        { account: bob, payload: order('buy', 9n, 1n) },
        { account: alice, payload: at(earliest), signer: carol, signatureKind: 'raw', nonce: nowMs },
      ],
      nowMs,
    );
    expect(told(outcome)).toEqual([`cancel_scheduled ${alice}`, 'order_accepted']);
  });

  it('ends the orders of 1000 accounts in a block, by time and then by address, and the others in the next ones', () => {
    const owners = Array.from({ length: 1001 }, (_, index) => addressOf(0x5000 + index));
    const harness = resting(owners);
    // The highest address has the earliest time.
    const steps = owners.map((account, index) => ({ account, payload: at(index === 1000 ? earliest : earliest + 1) }));
    harness.block(steps.reverse(), nowMs);
    const ended = told(harness.block([], earliest + 1)).filter((text) => text.startsWith('scheduled_cancel'));
    expect(ended).toEqual([owners[1000]!, ...owners.slice(0, 999)].map((owner) => `scheduled_cancel ${owner}`));
    expect(told(harness.block([], earliest + 2))).toEqual([
      `${owners[999]!} scheduled`,
      `scheduled_cancel ${owners[999]!}`,
    ]);
  });

  it('begins with no account more once the block is full of changes, and goes on in the next one', () => {
    const harness = resting([alice, bob, carol], { orderChangesPerBlock: 2 });
    harness.block(
      [alice, bob, carol].map((account) => ({ account, payload: at(earliest) })),
      nowMs,
    );
    const ended = [earliest, earliest + 1].map((timeMs) =>
      told(harness.block([], timeMs)).filter((text) => text.startsWith('scheduled_cancel')),
    );
    expect(ended.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('does the same where shards match', () => {
    const run = (shards?: number) => {
      const harness = resting([alice, bob, carol], {}, shards);
      const outcomes = [
        harness.block(
          [
            { account: alice, payload: at(earliest) },
            { account: bob, payload: order('buy', 9n, 1n) },
          ],
          nowMs,
        ),
        harness.block([{ account: bob, payload: order('sell', 10n, 15n) }], earliest),
      ];
      return outcomes.map((outcome) => [outcome.ordersRoot, told(outcome)]);
    };
    expect(run(2)).toEqual(run());
  });

  it('ends a rest of the order book', () => {
    const harness = resting([alice]);
    harness.block([{ account: alice, payload: at(earliest) }], nowMs);
    const { rest } = harness.block([], nowMs + 1);
    expect(rest?.untilMs).toBe(earliest);
  });
});

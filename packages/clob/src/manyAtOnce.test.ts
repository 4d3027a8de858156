/** Many records that appear, change or end in one block, at sizes around the steps at which tables grow. */
import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import type { ClobOutcome } from './ports.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  order,
  orderId,
  startMs,
  type Step,
} from './testing/harness.ts';

const counts = [1, 63, 64, 65, 70, 127, 128, 129, 257, 1025];
const rich = 10n ** 12n;
const expirySecond = Math.floor(startMs / 1000) + 100;

const by = (account: typeof alice, payload: ActionPayload): Step => ({ account, payload });
const bids = (count: number, more = {}): ActionPayload[] =>
  Array.from({ length: count }, (_, index) => order('buy', BigInt(1 + (index % 90)), 1n, more));
const cancelAll: ActionPayload = { type: 'cancelAll', marketId: null };

interface Shape {
  readonly name: string;
  /** Blocks up to the one that is looked at. */
  readonly before: (count: number) => readonly (readonly Step[])[];
  readonly block: (count: number) => readonly Step[];
  readonly atMs?: number;
  /** Orders that rest afterwards. */
  readonly left?: (count: number) => number;
}

const rest = (count: number): readonly (readonly Step[])[] => [bids(count).map((bid) => by(alice, bid))];

const shapes: readonly Shape[] = [
  {
    name: 'orders that come',
    before: () => [],
    block: (count) => bids(count).map((bid) => by(alice, bid)),
    left: (count) => count,
  },
  { name: 'a cancelAll', before: rest, block: () => [by(alice, cancelAll)] },
  {
    name: 'a cancelAll in a batch',
    before: rest,
    block: () => [by(alice, { type: 'batch', items: [cancelAll, order('buy', 5n, 1n), cancelAll] })],
  },
  {
    name: 'cancels one by one',
    before: rest,
    block: (count) =>
      Array.from({ length: count }, (_, index) => by(alice, { type: 'cancel', orderId: orderId(index + 1) })),
  },
  { name: 'a sweep', before: rest, block: (count) => [by(bob, order('sell', 1n, BigInt(count)))] },
  {
    name: 'an expiry',
    before: (count) => [bids(count, { expiresAt: expirySecond }).map((bid) => by(alice, bid))],
    block: () => [by(bob, { type: 'noop' })],
    atMs: expirySecond * 1000 + 1000,
    // A block ends so many; the rest is for the next.
    left: (count) => Math.max(0, count - 1000),
  },
  {
    name: 'orders that are made smaller',
    before: (count) => [bids(count).map((bid) => by(alice, { ...bid, size: 2n } as ActionPayload))],
    block: (count) =>
      bids(count).map((bid, index) =>
        by(alice, { type: 'modify', orderId: orderId(index + 1), price: (bid as { price: bigint }).price, size: 1n }),
      ),
    left: (count) => count,
  },
  {
    name: 'withdrawals that leave the queue at once',
    before: (count) => Array.from({ length: count }, () => [by(alice, { type: 'withdraw', amount: 1n, to: bob })]),
    block: () => [by(carol, { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 1000 })],
  },
  {
    name: 'accounts that come',
    before: () => [],
    block: (count) =>
      Array.from({ length: count }, (_, index) => by(addressOf(0x1000 + index), { type: 'deposit', amount: 5n })),
  },
  {
    name: 'positions of many accounts that open at once',
    before: (count) => [
      Array.from({ length: count }, (_, index) => by(addressOf(0x1000 + index), { type: 'deposit', amount: 1000n })),
      Array.from({ length: count }, (_, index) => by(addressOf(0x1000 + index), order('buy', 7n, 1n))),
    ],
    block: (count) => [by(bob, order('sell', 7n, BigInt(count)))],
  },
];

const bytesOf = ({ ordersRoot, writes }: ClobOutcome): unknown => ({
  ordersRoot,
  writes: writes.map(({ key, value }) => [bytesToHex(key), value === null ? null : bytesToHex(value)]),
});

function begun(): Harness {
  const harness = createHarness({ params: { maxOpenOrders: 10_000 } });
  for (const account of [alice, bob, carol]) harness.deposit(account, rich);
  return harness;
}

describe.each(shapes)('$name', ({ before, block, atMs, left = () => 0 }) => {
  it.each(counts)('%i in one block', (count) => {
    const [warm, restarted] = [begun(), begun()];
    for (const steps of before(count)) for (const harness of [warm, restarted]) harness.block(steps);
    // One of the two is a process that was just started: none of its tables has grown yet.
    restarted.restart();
    const outcomes = [warm, restarted].map((harness) => bytesOf(harness.block(block(count), atMs)));
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(warm.state.orders.byId.size).toBe(left(count));
    // What the records say is what the engine has: it compares the roots.
    warm.restart();
  });
});

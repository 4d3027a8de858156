import type { ActionPayload } from '@prime/codec';
import type { Address } from '@prime/primitives';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  type HarnessOptions,
  marketId,
  order,
} from './harness.ts';
import { fewTriggers } from './triggers.ts';

/** A market whose mark tests of triggers move, and what they say of it. */

/** Who moves the mark. */
export const [dave, erin] = [addressOf(9), addressOf(10)];

/** Bob is long by 10 of market 2. Alice quotes 50 and 150 with depth; the mark is 100, and Erin moves it. */
export function scene(options: HarnessOptions = {}): Harness {
  const harness = createHarness({ ...options, params: { trigger: fewTriggers, ...options.params } });
  for (const account of [alice, bob, carol, dave, erin]) harness.deposit(account, 10_000_000n);
  harness.act(alice, order('sell', 100n, 10n));
  harness.act(bob, order('buy', 100n, 10n));
  harness.act(alice, order('buy', 50n, 1000n));
  harness.act(alice, order('sell', 150n, 1000n));
  return harness;
}

/** Moves the mark in one block: Erin trades at the price with another account, and quotes around it. */
export function moveTo(harness: Harness, price: bigint): void {
  harness.block([
    { account: erin, payload: { type: 'cancelAll', marketId: marketId(2) } },
    { account: erin, payload: order('sell', price, 1n) },
    { account: dave, payload: order('buy', price, 1n) },
    { account: erin, payload: order('buy', price - 1n, 100n) },
    { account: erin, payload: order('sell', price + 1n, 100n) },
  ]);
}

/** What the latest block fired and ended of triggers, the latter with its refusal or its reason. */
export const told = (harness: Harness): unknown[] =>
  harness.events().flatMap(({ kind, data }) => {
    if (kind === 'trigger_fired') return [['fired', data['order_id'], data['placed_order_id']]];
    return kind === 'trigger_ended' ? [['ended', data['order_id'], data['refusal'] ?? data['reason']]] : [];
  });

/** Ids of all triggers, ascending. */
export const waiting = ({ state }: Harness): number[] => [...state.triggers.byId.keys()].sort((a, b) => a - b);

/** Places an order or a trigger in a block of its own. @returns its id @throws Error where it is refused */
export function place(harness: Harness, account: Address, payload: ActionPayload): number {
  const answer = harness.act(account, payload);
  if (answer.ok && answer.value.type === 'order') return answer.value.orderId;
  throw new Error(JSON.stringify(answer.ok ? answer.value.type : answer.error));
}

/** The code of a refusal, `taken` for none. */
export function codeOf(harness: Harness, account: Address, payload: ActionPayload): string {
  const answer = harness.act(account, payload);
  return answer.ok ? 'taken' : answer.error.code;
}

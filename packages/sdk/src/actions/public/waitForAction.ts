import type { PrimeClient } from '../../client.ts';
import { OutcomeUnknownError } from '../../errors/rpc.ts';
import { receiptOf, resultOf, sleep } from '../../signing/receipt.ts';
import type { ActionResult, ActionType } from '../../types/action.ts';
import type { Hash } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';

/** An action that was sent before, and how long it is looked for. */
export interface WaitForActionParameters {
  /** Of the action. */
  readonly hash: Hash;
  /** ms. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /** Between two looks, ms. Default 250. */
  readonly pollingIntervalMs?: number | undefined;
}
/** What the action answered, its hash, and the block that holds it. */
export type WaitForActionReturnType<type extends ActionType = ActionType> = ActionResult<type> & Inclusion;

/**
 * Waits until a block has carried out an action that was sent before, and gives what it answered. Name the type of the action to have
 * the type of its result: `waitForAction<'order'>(…)`.
 *
 * @throws RefusalError of its kind where the order book refused it
 * @throws OutcomeUnknownError when it is in no block within the time
 */
export async function waitForAction<type extends ActionType = ActionType>(
  client: PrimeClient,
  { hash, timeoutMs = 60_000, pollingIntervalMs = 250 }: WaitForActionParameters,
): Promise<WaitForActionReturnType<type>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const receipt = await receiptOf(client, hash);
    if (receipt !== null) return resultOf<type>(receipt);
    if (Date.now() + pollingIntervalMs >= deadline) throw new OutcomeUnknownError({ hash, raw: null });
    await sleep(pollingIntervalMs);
  }
}

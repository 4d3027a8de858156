import { callRpc, type PrimeClient } from '../../client.ts';
import { toQuantity } from '../../decode/quantity.ts';
import { OutcomeUnknownError } from '../../errors/rpc.ts';
import type { RpcReceipt } from '../../generated/methods.ts';
import { judgeAttempt } from '../../signing/attempt.ts';
import { receiptOf, resultOf, sleep } from '../../signing/receipt.ts';
import type { SignedAction } from '../../signing/signedAction.ts';
import type { Action, ActionResult } from '../../types/action.ts';
import type { Hash, Hex } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';

/** A signed action, and how long it is sent again. */
export interface SendActionParameters<action extends Action = Action> {
  /** What `signAction` made; or raw bytes and their hash, kept from an earlier attempt. */
  readonly signed: SignedAction<action> | { readonly raw: Hex; readonly hash: Hash };
  /** How long to try and wait, ms. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /** First pause before the bytes are sent again, ms; it doubles up to 2000. Default 100. */
  readonly retryDelayMs?: number | undefined;
}
/** What the action answered, its hash, and the block that holds it. */
export type SendActionReturnType<action extends Action = Action> = ActionResult<action['type']> & Inclusion;

/** How long a node is asked to wait for the block in one call: below the time after which transports give up. */
const nodeWaitMs = 5_000;
const pauseMsMax = 2_000;
/**
 * How often the receipt of an action is looked for whose nonce is used or whose time is past. More than once, because behind a balancer the
 * next answer may come from a node that is some blocks behind: for seconds where an earlier attempt may have got through.
 */
const lastLooks = { wasNeverThere: 4, mayBeThere: 8 } as const;

/**
 * Sends a signed action and waits until a block has carried it out. Where no answer comes, or a node was restarted, the same bytes are
 * sent again, to whichever node the transport reaches.
 *
 * That is safe. The bytes hold their nonce, and a nonce of a key counts once: the network carries the action out at most once, however
 * often and wherever it is sent. Bytes that a node has already are answered with `already known`, and those whose action is in a block
 * with `nonce used`; then the receipt has the outcome. To sign the same order anew would be another action with another nonce, and
 * could trade twice.
 *
 * @throws RefusalError of its kind where the order book refuses; nothing changed
 * @throws RpcAnswerError where no node took it; it is in no block and never will be
 * @throws OutcomeUnknownError after the time; it may still be carried out, unless `expiresAtMs` ends that
 */
export async function sendAction<const action extends Action>(
  client: PrimeClient,
  { signed, timeoutMs = 60_000, retryDelayMs = 100 }: SendActionParameters<action>,
): Promise<SendActionReturnType<action>> {
  const { raw, hash } = signed;
  const deadline = Date.now() + timeoutMs;
  let mayBeThere = false;
  let pauseMs = retryDelayMs;
  for (let looks = 0; ; ) {
    const leftMs = deadline - Date.now();
    const sent = await attempt(client, raw, Math.max(1, Math.min(leftMs, nodeWaitMs)));
    if ('receipt' in sent) return resultOf<action['type']>(sent.receipt);
    const judged = judgeAttempt(sent.thrown);
    if (judged.kind === 'refused' && !mayBeThere) throw sent.thrown;
    mayBeThere ||= judged.kind !== 'nothing' && judged.kind !== 'over';
    const receipt = judged.kind === 'nothing' ? null : await receiptIfAny(client, hash);
    if (receipt !== null) return resultOf<action['type']>(receipt);
    const looksMax = mayBeThere ? lastLooks.mayBeThere : lastLooks.wasNeverThere;
    if (judged.kind === 'over' && ++looks >= looksMax) throw sent.thrown;
    const afterMs = judged.kind === 'nothing' && judged.afterMs !== null ? judged.afterMs : pauseMs;
    if (Date.now() + afterMs >= deadline) throw endOf(sent.thrown, { raw, hash, mayBeThere });
    await sleep(afterMs);
    pauseMs = Math.min(2 * pauseMs, pauseMsMax);
  }
}

type Sent = { readonly receipt: RpcReceipt } | { readonly thrown: unknown };

async function attempt(client: PrimeClient, raw: Hex, waitMs: number): Promise<Sent> {
  try {
    // The pauses between attempts are decided here.
    const options = { retryCount: 0 };
    return { receipt: await callRpc(client, 'eth_sendRawTransactionSync', [raw, toQuantity(waitMs)], options) };
  } catch (thrown) {
    return { thrown };
  }
}

/** Null also where the node could not be asked: the next attempt tells. */
const receiptIfAny = (client: PrimeClient, hash: Hash): Promise<RpcReceipt | null> =>
  receiptOf(client, hash).catch(() => null);

function endOf(
  thrown: unknown,
  { raw, hash, mayBeThere }: { readonly raw: Hex; readonly hash: Hash; readonly mayBeThere: boolean },
): unknown {
  return mayBeThere
    ? new OutcomeUnknownError({ raw, hash, cause: thrown instanceof Error ? thrown : undefined })
    : thrown;
}

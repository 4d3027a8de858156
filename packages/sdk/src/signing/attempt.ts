import { HttpRequestError } from 'viem';
import { RefusalError } from '../errors/refusalError.ts';
import { AlreadyKnownError, LimitExceededError, OutcomeUnknownError, RpcAnswerError } from '../errors/rpc.ts';

/**
 * What a failed attempt to send says about the action. Everything that follows rests on this table:
 *
 * - `waits`: a node has it. Its receipt will come.
 * - `nothing`: the node was busy and did nothing. Ask again after `afterMs`.
 * - `over`: its nonce is used or its time is past. Either it is in a block already, or it never will be.
 * - `refused`: the node did not take it. Where no earlier attempt may have got through, that is the end of it.
 * - `unknown`: no answer came, so a node may have it or not. The same bytes are sent again.
 */
export type Attempt =
  | { readonly kind: 'waits' | 'over' | 'refused' | 'unknown' }
  | { readonly kind: 'nothing'; readonly afterMs: number | null };

const internalError = -32603;
/** HTTP answers that another attempt does not change: the request itself is wrong. */
const isHopeless = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && ![408, 425, 429].includes(status);

/** Reads from an error whether the sent bytes are at work, were refused, or may be sent again. */
export function judgeAttempt(thrown: unknown): Attempt {
  if (thrown instanceof OutcomeUnknownError || thrown instanceof AlreadyKnownError) return { kind: 'waits' };
  if (thrown instanceof LimitExceededError) return { kind: 'nothing', afterMs: thrown.retryAfterMs };
  if (thrown instanceof RefusalError)
    return { kind: thrown.kind === 'nonce' || thrown.kind === 'expired' ? 'over' : 'refused' };
  if (thrown instanceof RpcAnswerError) return { kind: thrown.rpcCode === internalError ? 'unknown' : 'refused' };
  if (thrown instanceof HttpRequestError && isHopeless(thrown.status)) return { kind: 'refused' };
  return { kind: 'unknown' };
}

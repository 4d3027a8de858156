import { BaseError } from 'viem';
import type { Hash } from '../types/primitives.ts';
import { PrimeSdkError } from './base.ts';
import { refusalOf } from './refusal.ts';
import {
  AlreadyKnownError,
  DisabledOnSurfaceError,
  HistoryPrunedError,
  InvalidParametersError,
  LimitExceededError,
  MethodNotFoundError,
  OutcomeUnknownError,
  RpcAnswerError,
  type RpcFailure,
  UnauthorizedError,
} from './rpc.ts';

/** What the node said, wherever in the chain of causes it stands; null when it is not the node that failed. */
function failureOf(thrown: unknown): RpcFailure | null {
  if (!(thrown instanceof Error)) return null;
  const carries = (error: unknown): boolean =>
    error instanceof Error &&
    error.name === 'RpcRequestError' &&
    typeof (error as { code?: unknown }).code === 'number';
  // Wallets (EIP-1193 providers) throw objects of their own with a code, which viem wraps.
  const hasData = (error: unknown): boolean =>
    typeof error === 'object' &&
    error !== null &&
    typeof (error as { code?: unknown }).code === 'number' &&
    'data' in error;
  const found =
    thrown instanceof BaseError ? (thrown.walk(carries) ?? thrown.walk(hasData)) : hasData(thrown) ? thrown : null;
  if (found === null) return null;
  const { code, data, details, message } = found as Error & { code: number; data?: unknown; details?: string };
  return { code, message: details ?? message, data, cause: thrown };
}

interface ErrorData {
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly hash?: Hash;
}

const dataOf = ({ data }: RpcFailure): ErrorData & Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as ErrorData & Readonly<Record<string, unknown>>) : {};

const byNumber: Readonly<Record<number, new (failure: RpcFailure) => RpcAnswerError>> = {
  [-32602]: InvalidParametersError,
  [-32601]: MethodNotFoundError,
  [-32001]: UnauthorizedError,
  [-32004]: DisabledOnSurfaceError,
  [-32005]: LimitExceededError,
  4444: HistoryPrunedError,
};

/** EIP-7966: admitted, but in no block within the time. */
const notInTime = 4;

/**
 * What a node's error is here, for whatever viem threw: a RefusalError, a RpcAnswerError or one of their kin. Anything else, such as a
 * connection that broke or an error that is the SDK's already, stays what it is.
 */
export function errorFromRpc(thrown: unknown): unknown {
  // The causes of those are older answers, which they say more than.
  if (thrown instanceof PrimeSdkError) return thrown;
  const failure = failureOf(thrown);
  if (failure === null) return thrown;
  const { code, message, cause } = failure;
  const data = dataOf(failure);
  if (typeof data.kind === 'string')
    return refusalOf({ kind: data.kind, message, data, hash: data.hash ?? null, cause });
  if (code === notInTime && typeof failure.data === 'string')
    return new OutcomeUnknownError({ hash: failure.data as Hash, raw: null, cause });
  if (data.reason === 'outcome_unknown' && data.hash !== undefined)
    return new OutcomeUnknownError({ hash: data.hash, raw: null, cause });
  if (message === 'already known') return new AlreadyKnownError(failure);
  if ('oldest' in data) return new HistoryPrunedError(failure);
  return new (byNumber[code] ?? RpcAnswerError)(failure);
}

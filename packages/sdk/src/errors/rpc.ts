import type { Hash, Hex } from '../types/primitives.ts';
import { PrimeSdkError } from './base.ts';

/** What a JSON-RPC error object says. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  /** What viem threw. */
  readonly cause: Error;
}

/** A node answered with an error that is not a refusal of the order book. `rpcCode` is the number of the JSON-RPC error. */
export class RpcAnswerError extends PrimeSdkError {
  override name = 'RpcAnswerError';
  readonly rpcCode: number;
  readonly rpcData: unknown;

  constructor({ code, message, data, cause }: RpcFailure) {
    super('RPC_ERROR', `The node answered: ${message}.`, { cause });
    this.rpcCode = code;
    this.rpcData = data;
  }
}

/** -32602: a parameter is missing, of the wrong form or out of range; the message names it. */
export class InvalidParametersError extends RpcAnswerError {
  override name = 'InvalidParametersError';
  override readonly code = 'INVALID_PARAMETERS';
}

/** -32601: the node has no such method, or the transport can not notify. */
export class MethodNotFoundError extends RpcAnswerError {
  override name = 'MethodNotFoundError';
  override readonly code = 'METHOD_NOT_FOUND';
}

/** -32001: a signature or an API key is missing, or does not count. */
export class UnauthorizedError extends RpcAnswerError {
  override name = 'UnauthorizedError';
  override readonly code = 'UNAUTHORIZED';
}

/** -32004: the privacy fork hides the method on the public surface. */
export class DisabledOnSurfaceError extends RpcAnswerError {
  override name = 'DisabledOnSurfaceError';
  override readonly code = 'DISABLED_ON_SURFACE';
}

interface LimitData {
  readonly limit?: string;
  readonly maximum?: number;
  readonly retry_after_ms?: number;
}

/** -32005: the node has more to do than it can, or the client asked for more than it may. Nothing was done. */
export class LimitExceededError extends RpcAnswerError {
  override name = 'LimitExceededError';
  override readonly code = 'LIMIT_EXCEEDED';
  /** Name of the limit; null where the node does not tell. */
  readonly limit: string | null;
  readonly maximum: number | null;
  /** How long to wait before asking again, ms; null where that does not help. */
  readonly retryAfterMs: number | null;

  constructor(failure: RpcFailure) {
    super(failure);
    const { limit = null, maximum = null, retry_after_ms = null } = (failure.data ?? {}) as LimitData;
    this.limit = limit;
    this.maximum = maximum;
    this.retryAfterMs = retry_after_ms;
  }
}

/** 4444, or a state that is not kept: the node deleted what is asked for. `oldest` is the oldest block that it has. */
export class HistoryPrunedError extends RpcAnswerError {
  override name = 'HistoryPrunedError';
  override readonly code = 'HISTORY_PRUNED';
  readonly oldest: bigint | null;
  /** Of candles: where the oldest begins that the node has, ms. */
  readonly oldestMs: number | null;

  constructor(failure: RpcFailure) {
    super(failure);
    const { oldest, oldest_ms: oldestMs } = (failure.data ?? {}) as { readonly oldest?: Hex; readonly oldest_ms?: Hex };
    this.oldest = oldest === undefined ? null : BigInt(oldest);
    this.oldestMs = oldestMs === undefined ? null : Number(oldestMs);
  }
}

/** The pool has these very bytes, or they are in a recent block. */
export class AlreadyKnownError extends RpcAnswerError {
  override name = 'AlreadyKnownError';
  override readonly code = 'ALREADY_KNOWN';
}

/**
 * Nobody could tell within the time what became of an action: it may be in a block, or still get into one.
 *
 * `hash` finds it later (`waitForAction`). Where it was signed here, `raw` has its bytes, which may be sent again without danger
 * (`sendAction`): they carry their nonce, and a nonce counts once.
 */
export class OutcomeUnknownError extends PrimeSdkError {
  override name = 'OutcomeUnknownError';
  readonly hash: Hash;
  /** The signed bytes; null where the node signed. */
  readonly raw: Hex | null;

  constructor(parameters: { readonly hash: Hash; readonly raw: Hex | null; readonly cause?: Error | undefined }) {
    const { hash, raw, cause } = parameters;
    super('OUTCOME_UNKNOWN', `The outcome of action ${hash} is not known yet.`, { cause });
    this.hash = hash;
    this.raw = raw;
  }
}

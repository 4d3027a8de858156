import type { ActionError } from '@prime/codec';
import { type ErrorDetail, type Hash, type Hex, isPrimeError, PrimeError, toQuantity } from '@prime/primitives';
import { actionErrorCode, actionErrorData, nonceRefused } from './actionErrors.ts';

/** Numbers of the JSON-RPC error object. */
export const jsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
  unauthorized: -32001,
  disabledOnSurface: -32004,
  /** EIP-7966. */
  notMinedInTime: 4,
  /** EIP-7966. */
  nonceGap: 6,
  limitExceeded: -32005,
  /** EIP-4444, as execution-apis numbers it. */
  historyPruned: 4444,
} as const;

/** Codes of failures between request and answer; {@link toJsonRpcError} gives their numbers. */
export type RpcErrorDetail =
  /** The body is not JSON. */
  | { readonly code: 'RPC_PARSE_ERROR' }
  /** JSON, but not a request object. */
  | { readonly code: 'RPC_INVALID_REQUEST' }
  /** There is no method of that name. */
  | { readonly code: 'RPC_METHOD_NOT_FOUND'; readonly method: string }
  /** A parameter is missing, of the wrong form or out of range; path names it, as in `/0/topics`. */
  | { readonly code: 'RPC_INVALID_PARAMS'; readonly path: string }
  /** The selected block is not known, so its state can not be read. */
  | { readonly code: 'RPC_BLOCK_NOT_FOUND' }
  /** No filter has this id: it was never installed, was uninstalled, or nobody asked it for too long. */
  | { readonly code: 'RPC_FILTER_NOT_FOUND' }
  /** The state after the block is deleted here; `oldest` is the oldest height whose state is kept. */
  | { readonly code: 'RPC_STATE_NOT_KEPT'; readonly height: number; readonly oldest: number }
  /** The block, with its receipts, logs and events, is deleted here; `oldest` is the oldest height that is kept. */
  | { readonly code: 'RPC_HISTORY_PRUNED'; readonly height: number; readonly oldest: number }
  /** Nothing is known of the order; of orders that ended before block `oldest` nothing is kept here. */
  | { readonly code: 'RPC_ORDER_NOT_KEPT'; readonly oldest: number }
  /** Candles from that time on are not kept here, or not whole; `oldestMs` is where the oldest one begins that is. */
  | { readonly code: 'RPC_CANDLES_NOT_KEPT'; readonly fromMs: number; readonly oldestMs: number }
  /** There is nothing to run again: the genesis block, or a transaction that is in no block. */
  | { readonly code: 'RPC_NOT_TRACEABLE' }
  /** The transport can not notify, or the configuration turned subscriptions off. */
  | { readonly code: 'RPC_NOTIFICATIONS_UNSUPPORTED' }
  /** There are no subscriptions of that kind. */
  | { readonly code: 'RPC_UNKNOWN_SUBSCRIPTION'; readonly kind: string }
  /** The connection has no subscription of that id. */
  | { readonly code: 'RPC_SUBSCRIPTION_NOT_FOUND' }
  /** A call reverted; output is the revert data. */
  | { readonly code: 'RPC_EXECUTION_REVERTED'; readonly output: Hex }
  /** A call ended in an exception of the EVM or could not start. */
  | { readonly code: 'RPC_EXECUTION_FAILED' }
  /** The node does not hold the key. */
  | { readonly code: 'RPC_UNKNOWN_ACCOUNT'; readonly address: string }
  /** A transaction can not be made from what the caller gave: fees that contradict each other, a wrong chain. */
  | { readonly code: 'RPC_TRANSACTION_REFUSED' }
  /** eth_sendRawTransactionSync: admitted, but in no block within the time. It may still get into one. */
  | { readonly code: 'RPC_TRANSACTION_NOT_MINED'; readonly hash: Hash; readonly timeoutMs: number }
  /** Stored or pooled bytes are not a transaction. */
  | { readonly code: 'RPC_TRANSACTION_MALFORMED' }
  /** An action that needs a signature came without one. */
  | { readonly code: 'RPC_UNAUTHORIZED' }
  /** The privacy fork hides what the method tells; the operator's surface serves it. */
  | { readonly code: 'RPC_DISABLED_ON_SURFACE'; readonly method: string }
  /** The caller's API key does not name the method. */
  | { readonly code: 'RPC_METHOD_NOT_PERMITTED'; readonly method: string; readonly apiKey: string }
  /** An API key that the node does not know, or none where one is needed. */
  | { readonly code: 'RPC_API_KEY_REFUSED' }
  /** The client asks more often, or more at once, than it may; `limit` names the limit, `maximum` is its value. */
  | {
      readonly code: 'RPC_RATE_LIMITED';
      readonly limit: string;
      readonly maximum: number;
      readonly retryAfterMs: number;
    }
  /** The node has more to do than it can; nothing was done. `limit` names what is used up. */
  | {
      readonly code: 'RPC_OVERLOADED';
      readonly limit: string;
      readonly maximum: number;
      readonly retryAfterMs: number;
    }
  /** `limit` names the limit, `maximum` is its value. */
  | { readonly code: 'RPC_LIMIT_EXCEEDED'; readonly limit: string; readonly maximum: number }
  /** The order book refuses: the action is in a block and changed nothing, or (hash is null) a read named what is not there. */
  | { readonly code: 'RPC_ACTION_REFUSED'; readonly error: ActionError; readonly hash: Hash | null }
  /** Not in a block within the deadline; it may still get into one. */
  | { readonly code: 'RPC_ACTION_NOT_EXECUTED'; readonly hash: Hash; readonly timeoutMs: number };

/** What goes wrong between a request and its answer. */
export class RpcError extends PrimeError<RpcErrorDetail> {}

/** The error object of JSON-RPC 2.0, section 5.1. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error -32602. @param path of the parameter, as `/0/topics` @param what goes on the sentence: `must be …` */
export const invalidParams = (path: string, what: string): RpcError =>
  new RpcError(`invalid params: ${path} ${what}`, { code: 'RPC_INVALID_PARAMS', path });

/** The error -32005. @param limit its name in the configuration @param what was asked for, in words */
export const limitExceeded = (limit: string, maximum: number, what: string): RpcError =>
  new RpcError(`${what}, the limit is ${maximum}`, { code: 'RPC_LIMIT_EXCEEDED', limit, maximum });

/** go-ethereum's words first. @param height that was asked for @param oldest that is kept */
export const historyPruned = (height: number, oldest: number): RpcError =>
  new RpcError(`pruned history unavailable: block ${height} is older than ${oldest}, the oldest that this node keeps`, {
    code: 'RPC_HISTORY_PRUNED',
    height,
    oldest,
  });

/** @param oldest block of which the ended orders are kept */
export const orderNotKept = (oldest: number): RpcError =>
  new RpcError(
    `the order is not known: it never was, or it ended before block ${oldest}, the oldest that this node keeps`,
    { code: 'RPC_ORDER_NOT_KEPT', oldest },
  );

/** @param fromMs what was asked for @param oldestMs begin of the oldest candle that is kept */
export const candlesNotKept = (fromMs: number, oldestMs: number): RpcError =>
  new RpcError(`candles from ${fromMs} ms on are not kept, the oldest of that interval is of ${oldestMs} ms`, {
    code: 'RPC_CANDLES_NOT_KEPT',
    fromMs,
    oldestMs,
  });

/** @param limit what is used up @param what what the caller met */
export const overloaded = (limit: string, maximum: number, what: string, retryAfterMs = 1_000): RpcError =>
  new RpcError(`${what}, try again later`, { code: 'RPC_OVERLOADED', limit, maximum, retryAfterMs });

const codeOf = {
  RPC_PARSE_ERROR: jsonRpcCode.parseError,
  RPC_INVALID_REQUEST: jsonRpcCode.invalidRequest,
  RPC_METHOD_NOT_FOUND: jsonRpcCode.methodNotFound,
  RPC_INVALID_PARAMS: jsonRpcCode.invalidParams,
  RPC_BLOCK_NOT_FOUND: jsonRpcCode.serverError,
  RPC_FILTER_NOT_FOUND: jsonRpcCode.serverError,
  RPC_STATE_NOT_KEPT: jsonRpcCode.serverError,
  RPC_HISTORY_PRUNED: jsonRpcCode.historyPruned,
  RPC_ORDER_NOT_KEPT: jsonRpcCode.historyPruned,
  RPC_CANDLES_NOT_KEPT: jsonRpcCode.historyPruned,
  RPC_NOT_TRACEABLE: jsonRpcCode.serverError,
  RPC_NOTIFICATIONS_UNSUPPORTED: jsonRpcCode.methodNotFound,
  RPC_UNKNOWN_SUBSCRIPTION: jsonRpcCode.methodNotFound,
  RPC_SUBSCRIPTION_NOT_FOUND: jsonRpcCode.serverError,
  RPC_EXECUTION_REVERTED: jsonRpcCode.serverError,
  RPC_EXECUTION_FAILED: jsonRpcCode.serverError,
  RPC_UNKNOWN_ACCOUNT: jsonRpcCode.serverError,
  RPC_TRANSACTION_REFUSED: jsonRpcCode.serverError,
  RPC_TRANSACTION_NOT_MINED: jsonRpcCode.notMinedInTime,
  RPC_TRANSACTION_MALFORMED: jsonRpcCode.serverError,
  RPC_UNAUTHORIZED: jsonRpcCode.unauthorized,
  RPC_DISABLED_ON_SURFACE: jsonRpcCode.disabledOnSurface,
  RPC_METHOD_NOT_PERMITTED: jsonRpcCode.unauthorized,
  RPC_API_KEY_REFUSED: jsonRpcCode.unauthorized,
  RPC_RATE_LIMITED: jsonRpcCode.limitExceeded,
  RPC_OVERLOADED: jsonRpcCode.limitExceeded,
  RPC_LIMIT_EXCEEDED: jsonRpcCode.limitExceeded,
  RPC_ACTION_REFUSED: jsonRpcCode.serverError,
  RPC_ACTION_NOT_EXECUTED: jsonRpcCode.serverError,
} as const satisfies Record<RpcErrorDetail['code'], number>;

/** Codes of this package's errors, as definitions name them. */
export type RpcErrorCode = RpcErrorDetail['code'];

/** The number of the JSON-RPC error object that a code is told with. */
export const rpcErrorNumber = (code: RpcErrorCode): number => codeOf[code];

const isRpcDetail = (detail: ErrorDetail): detail is RpcErrorDetail => Object.hasOwn(codeOf, detail.code);

/** Codes of other packages' errors that have a number of their own; the others are server errors. */
const foreignCodes: Readonly<Record<string, number>> = {
  HEX_MALFORMED: jsonRpcCode.invalidParams,
  BUS_FULL: jsonRpcCode.limitExceeded,
  BUS_MESSAGE_TOO_LARGE: jsonRpcCode.limitExceeded,
  ENGINE_BUSY: jsonRpcCode.limitExceeded,
  MEMPOOL_FULL: jsonRpcCode.limitExceeded,
  MEMPOOL_CONTENT_TOO_LARGE: jsonRpcCode.limitExceeded,
  MEMPOOL_REPORT_TOO_SOON: jsonRpcCode.limitExceeded,
  READER_BUSY: jsonRpcCode.limitExceeded,
  NODE_STARTING: jsonRpcCode.limitExceeded,
  EVM_TRACE_TOO_LARGE: jsonRpcCode.limitExceeded,
  ENGINE_SIGNATURE_REQUIRED: jsonRpcCode.unauthorized,
  ENGINE_SIGNER_UNAUTHORIZED: jsonRpcCode.unauthorized,
  ENGINE_SIGNER_OWNS_NOTHING: jsonRpcCode.unauthorized,
  ENGINE_ACCOUNT_LOCKED: jsonRpcCode.unauthorized,
  ENGINE_NONCE_GAP: jsonRpcCode.nonceGap,
  ENGINE_ACTION_NONCE: nonceRefused,
  MEMPOOL_ACTION_NONCE_TAKEN: nonceRefused,
  MEMPOOL_ACTION_EXPIRED: nonceRefused,
};

/** Codes that tell of a fault of the node and not of the request: their words stay inside. */
const internal: ReadonlySet<string> = new Set([
  'INTERNAL',
  'INVARIANT_BROKEN',
  'BUS_NO_HANDLER',
  'BUS_UNENCODABLE',
  'BUS_OPTIONS_INVALID',
  'EVM_STATE_CORRUPT',
  'EVM_TRIE_MISMATCH',
]);

/** What EIP-7966 tells whoever left a gap of nonces. */
const nextNonceOf = (detail: ErrorDetail): number => (detail as unknown as { readonly nextNonce: number }).nextNonce;

/** eth_simulateV1 has numbers of its own, which the simulation gives. */
const ownNumber = (detail: ErrorDetail): number | undefined =>
  detail.code === 'EVM_SIMULATION_REFUSED' ? (detail as unknown as { readonly number: number }).number : undefined;

/**
 * The JSON-RPC error object of anything thrown. The only place where one is made: codes of the interface document, words of
 * go-ethereum where the thrower used them, and nothing of the inside of the node for what is not a coded error.
 */
export function toJsonRpcError(thrown: unknown): JsonRpcError {
  if (!isPrimeError(thrown) || internal.has(thrown.code))
    return { code: jsonRpcCode.internalError, message: 'internal error' };
  const { detail, message } = thrown;
  if (isRpcDetail(detail)) return fromRpcDetail(detail, message);
  const code = ownNumber(detail) ?? foreignCodes[detail.code] ?? jsonRpcCode.serverError;
  if (code === jsonRpcCode.invalidParams) return { code, message: `invalid params: ${message}` };
  if (code === nonceRefused) {
    const kind = detail.code === 'MEMPOOL_ACTION_EXPIRED' ? 'expired' : 'nonce';
    return { code, message, data: { kind, reason: kind } };
  }
  if (code === jsonRpcCode.nonceGap) return { code, message, data: toQuantity(nextNonceOf(detail)) };
  return code === jsonRpcCode.limitExceeded ? { code, message, data: limitData(detail) } : { code, message };
}

/** Which limit it is, and when it may be over where whoever refused knows that. */
function limitData(detail: ErrorDetail): Readonly<Record<string, unknown>> {
  const { retryAfterMs } = detail as { readonly retryAfterMs?: number };
  return { limit: detail.code, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) };
}

/** Whether the thrown value is worth a line in the node's log. */
export const isInternalError = (thrown: unknown): boolean => !isPrimeError(thrown) || internal.has(thrown.code);

function fromRpcDetail(detail: RpcErrorDetail, message: string): JsonRpcError {
  const code = codeOf[detail.code];
  switch (detail.code) {
    case 'RPC_EXECUTION_REVERTED':
      return { code, message, data: detail.output };
    case 'RPC_STATE_NOT_KEPT':
    case 'RPC_HISTORY_PRUNED':
    case 'RPC_ORDER_NOT_KEPT':
      return { code, message, data: { oldest: `0x${detail.oldest.toString(16)}` } };
    case 'RPC_CANDLES_NOT_KEPT':
      return { code, message, data: { oldest_ms: toQuantity(detail.oldestMs) } };
    case 'RPC_LIMIT_EXCEEDED':
      return { code, message, data: { limit: detail.limit, maximum: detail.maximum } };
    case 'RPC_RATE_LIMITED':
    case 'RPC_OVERLOADED': {
      const { limit, maximum, retryAfterMs } = detail;
      return { code, message, data: { limit, maximum, retry_after_ms: retryAfterMs } };
    }
    case 'RPC_ACTION_REFUSED':
      return {
        code: actionErrorCode(detail.error),
        message,
        data: { ...actionErrorData(detail.error), ...(detail.hash === null ? {} : { hash: detail.hash }) },
      };
    case 'RPC_TRANSACTION_NOT_MINED':
      return { code, message, data: detail.hash };
    case 'RPC_ACTION_NOT_EXECUTED':
      return { code, message, data: { hash: detail.hash, reason: 'outcome_unknown' } };
    default:
      return { code, message };
  }
}

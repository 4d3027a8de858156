import {
  AccountMissingError,
  type RefusalKind,
  AnswerUnreadableError,
  BatchSizeError,
  DisabledOnSurfaceError,
  errorFromRpc,
  HistoryPrunedError,
  InvalidActionError,
  InvalidAmountError,
  InvalidDecimalError,
  InvalidParametersError,
  InvalidPriceError,
  InvalidSizeError,
  LimitExceededError,
  MethodNotFoundError,
  OutcomeUnknownError,
  RefusalError,
  RpcAnswerError,
  StreamError,
  type StreamErrorCode,
  UnauthorizedError,
} from '@prime/sdk';
import { BaseError as ViemError, HttpRequestError, TimeoutError } from 'viem';
import type { CcxtLibrary, ExceptionName } from './library.ts';

/** ccxt's exception for each reason that the order book has to refuse. */
export const exceptionOfRefusal: Readonly<Record<RefusalKind, ExceptionName>> = {
  unknown_market: 'BadSymbol',
  cancel_only_market: 'MarketClosed',
  market_halted: 'MarketClosed',
  market_settling: 'MarketClosed',
  market_delisted: 'MarketClosed',
  bad_change: 'BadRequest',
  not_a_validator: 'PermissionDenied',
  bad_proposal: 'BadRequest',
  too_many_proposals: 'ExchangeError',
  unknown_proposal: 'BadRequest',
  market_exists: 'BadRequest',
  bad_symbol: 'BadRequest',
  bad_grid: 'BadRequest',
  bad_margin_params: 'BadRequest',
  tick: 'InvalidOrder',
  lot: 'InvalidOrder',
  bad_price: 'InvalidOrder',
  bad_size: 'InvalidOrder',
  notional_too_small: 'InvalidOrder',
  order_notional: 'InvalidOrder',
  price_band: 'InvalidOrder',
  position_limit: 'InvalidOrder',
  open_interest: 'InvalidOrder',
  position_too_large: 'InvalidOrder',
  bad_flags: 'InvalidOrder',
  bad_expiry: 'InvalidOrder',
  bad_schedule: 'BadRequest',
  order_expired: 'InvalidOrder',
  reduce_only: 'InvalidOrder',
  too_many_triggers: 'InvalidOrder',
  too_many_open_orders: 'InvalidOrder',
  post_only: 'OrderImmediatelyFillable',
  duplicate_client_id: 'DuplicateOrderId',
  unknown_order: 'OrderNotFound',
  order_filled: 'OrderNotFound',
  order_cancelled: 'OrderNotFound',
  unknown_client_id: 'OrderNotFound',
  not_owner: 'PermissionDenied',
  insufficient_margin: 'InsufficientFunds',
  insufficient_funds: 'InsufficientFunds',
  insufficient_collateral: 'InsufficientFunds',
  owns_nothing: 'InsufficientFunds',
  profit_unpaid: 'OperationRejected',
  too_many_transfers: 'OperationRejected',
  not_liquidatable: 'OperationRejected',
  expired: 'OperationRejected',
  bad_amount: 'BadRequest',
  bad_recipient: 'InvalidAddress',
  unauthorized: 'PermissionDenied',
  bad_agent: 'PermissionDenied',
  agent_revoked: 'PermissionDenied',
  unknown_agent: 'PermissionDenied',
  too_many_agents: 'PermissionDenied',
  sub_account: 'OperationRejected',
  sub_account_exists: 'OperationRejected',
  too_many_sub_accounts: 'OperationRejected',
  nonce: 'InvalidNonce',
  // The next block has room: what is worth another try is a NetworkError in ccxt.
  block_full: 'ExchangeNotAvailable',
  oracle_stale: 'MarketClosed',
  post_only_market: 'MarketClosed',
  not_a_reporter: 'PermissionDenied',
  bad_report: 'BadRequest',
  not_available: 'NotSupported',
  fixed_validators: 'OperationRejected',
  unknown_validator: 'OperationRejected',
  already_registered: 'OperationRejected',
  tombstoned: 'OperationRejected',
  stake_too_small: 'OperationRejected',
  bad_moniker: 'OperationRejected',
  bad_endpoint: 'OperationRejected',
  bad_signer: 'OperationRejected',
  signer_in_use: 'OperationRejected',
  too_many_changes: 'OperationRejected',
  too_many_validators: 'OperationRejected',
  too_few_validators: 'OperationRejected',
  too_much_power: 'OperationRejected',
  not_jailed: 'OperationRejected',
  jailed: 'OperationRejected',
  still_jailed: 'OperationRejected',
};

const exceptionOfStream: Readonly<Partial<Record<StreamErrorCode, ExceptionName>>> = {
  STREAM_REFUSED: 'NotSupported',
  STREAM_NO_URL: 'NetworkError',
  STREAM_CLOSED: 'ExchangeClosedByUser',
  STREAM_CHECKSUM_WRONG: 'ChecksumError',
  STREAM_TIMEOUT: 'RequestTimeout',
  STREAM_MESSAGE_MALFORMED: 'BadResponse',
};

/** The first that fits counts, so that the narrow stand before the wide. */
const exceptionOfClass: readonly (readonly [abstract new (...parameters: never[]) => unknown, ExceptionName])[] = [
  [InvalidParametersError, 'BadRequest'],
  [MethodNotFoundError, 'NotSupported'],
  [UnauthorizedError, 'AuthenticationError'],
  [DisabledOnSurfaceError, 'PermissionDenied'],
  [LimitExceededError, 'RateLimitExceeded'],
  [HistoryPrunedError, 'BadRequest'],
  [RpcAnswerError, 'ExchangeError'],
  [OutcomeUnknownError, 'RequestTimeout'],
  [InvalidPriceError, 'InvalidOrder'],
  [InvalidSizeError, 'InvalidOrder'],
  [InvalidDecimalError, 'InvalidOrder'],
  [InvalidAmountError, 'BadRequest'],
  [InvalidActionError, 'InvalidOrder'],
  [BatchSizeError, 'BadRequest'],
  [AccountMissingError, 'AuthenticationError'],
  [AnswerUnreadableError, 'BadResponse'],
  [TimeoutError, 'RequestTimeout'],
  [HttpRequestError, 'NetworkError'],
];

/** Name of ccxt's exception for what the SDK or viem threw; null for what is neither's. */
export function exceptionNameOf(thrown: unknown): ExceptionName | null {
  // Methods of Ethereum are viem's: what a node answered to them is read here.
  const known = errorFromRpc(thrown);
  if (known instanceof RefusalError)
    return (exceptionOfRefusal as Readonly<Record<string, ExceptionName>>)[known.kind] ?? 'OperationRejected';
  if (known instanceof StreamError) return exceptionOfStream[known.code as StreamErrorCode] ?? 'NetworkError';
  const found = exceptionOfClass.find(([type]) => known instanceof type);
  if (found !== undefined) return found[1];
  return known instanceof ViemError ? 'NetworkError' : null;
}

/** The first line of an error says what happened; viem's others are about requests. */
const wordsOf = (error: Error): string => ('shortMessage' in error ? String(error.shortMessage) : error.message);

/** Whether it is one of ccxt's own exceptions. */
const isCcxt = (library: CcxtLibrary, thrown: unknown): boolean => thrown instanceof library.BaseError;

/** What was thrown as one of ccxt's exceptions, with the original as its cause. What is no failure of the venue stays as it is. */
export function toCcxtError(library: CcxtLibrary, id: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || isCcxt(library, thrown)) return thrown;
  const isOpen = thrown instanceof OutcomeUnknownError;
  // A request that ccxt itself failed with (time, proxy, DNS) says best what it was.
  const own = thrown instanceof ViemError && !isOpen ? thrown.walk((cause) => isCcxt(library, cause)) : null;
  if (own !== null) return own;
  const name = exceptionNameOf(thrown);
  if (name === null) return thrown;
  const error = new library[name](
    `${id} ${wordsOf(thrown)}${isOpen ? ' It may still be carried out: fetchOrder tells.' : ''}`,
  );
  error.cause = thrown;
  return error;
}

/** Failures that end by themselves: no node could be asked, or it had too much to do. */
const passing: readonly ExceptionName[] = [
  'NetworkError',
  'RequestTimeout',
  'ExchangeNotAvailable',
  'RateLimitExceeded',
];

/** Whether asking again later may help. */
export function isPassing(library: CcxtLibrary, thrown: unknown): boolean {
  const error = toCcxtError(library, '', thrown);
  return passing.some((name) => error instanceof library[name]);
}

/** Runs what may fail, and fails with ccxt's exceptions. */
export async function withCcxtErrors<result>(
  library: CcxtLibrary,
  id: string,
  run: () => Promise<result>,
): Promise<result> {
  try {
    return await run();
  } catch (thrown) {
    throw toCcxtError(library, id, thrown);
  }
}

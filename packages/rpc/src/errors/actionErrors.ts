import { type ActionError, type RefusalCode, refusalKind } from '@prime/codec';

/** An action whose time or number is not good; also where admission says so. */
export const nonceRefused = -32026;

/**
 * Refusals of the order book and the bridge as JSON-RPC errors. The only list of these numbers; a number is never given to
 * another refusal. The interface leaves twenty numbers, so what is left over shares the last one and `data.kind` tells which.
 */
const codes: Readonly<Partial<Record<RefusalCode, number>>> = {
  CLOB_UNKNOWN_MARKET: -32010,
  CLOB_PRICE_OFF_TICK: -32011,
  CLOB_SIZE_OFF_LOT: -32012,
  CLOB_BAD_PRICE: -32013,
  CLOB_BAD_SIZE: -32014,
  CLOB_INSUFFICIENT_MARGIN: -32015,
  CLOB_INSUFFICIENT_FUNDS: -32016,
  CLOB_INSUFFICIENT_COLLATERAL: -32017,
  CLOB_UNKNOWN_ORDER: -32018,
  CLOB_UNKNOWN_CLIENT_ID: -32018,
  CLOB_ORDER_FILLED: -32019,
  CLOB_ORDER_CANCELLED: -32019,
  CLOB_NOT_OWNER: -32020,
  CLOB_DUPLICATE_CLIENT_ID: -32021,
  CLOB_POST_ONLY_WOULD_CROSS: -32022,
  CLOB_REDUCE_ONLY_WOULD_INCREASE: -32023,
  CLOB_MARKET_EXISTS: -32024,
  CLOB_NOT_LIQUIDATABLE: -32025,
  CLOB_NONCE: nonceRefused,
  CLOB_EXPIRED: nonceRefused,
  CLOB_TOO_MANY_OPEN_ORDERS: -32027,
  CLOB_CANCEL_ONLY_MARKET: -32028,
  CLOB_MARKET_HALTED: -32028,
  CLOB_MARKET_SETTLING: -32028,
  CLOB_MARKET_DELISTED: -32028,
  CLOB_UNAUTHORIZED: -32001,
};
const otherRefusal = -32029;

/** Range of the numbers that refusals of the order book and the bridge have. */
export const refusalNumbers = { first: -32010, last: otherRefusal } as const;

/** Number of a refusal in the JSON-RPC error, from -32010 to -32029 or -32001; the last of the range stands for all that have none. */
export const actionErrorCode = (error: ActionError): number => codes[error.code as RefusalCode] ?? otherRefusal;

/** The case in the engine's words; its kind also under the name `reason`. */
export function actionErrorData(error: ActionError): Record<string, string | number | null> {
  const kind = refusalKind(error);
  return { kind, reason: kind, ...error.data };
}

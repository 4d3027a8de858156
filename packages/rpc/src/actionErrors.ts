import type { ActionError } from '@prime/codec';

/**
 * Refusals of the order book and the bridge as JSON-RPC errors: one number each, and the reason that clients match on. The
 * only list of these numbers; a number is never given to another refusal.
 */
const refusals: Readonly<Record<string, { readonly code: number; readonly reason: string }>> = {
  CLOB_UNKNOWN_MARKET: { code: -32010, reason: 'unknown_market' },
  CLOB_PRICE_OFF_TICK: { code: -32011, reason: 'tick' },
  CLOB_SIZE_OFF_LOT: { code: -32012, reason: 'lot' },
  CLOB_BAD_PRICE: { code: -32013, reason: 'bad_price' },
  CLOB_BAD_SIZE: { code: -32014, reason: 'bad_size' },
  CLOB_INSUFFICIENT_MARGIN: { code: -32015, reason: 'insufficient_margin' },
  CLOB_INSUFFICIENT_FUNDS: { code: -32016, reason: 'insufficient_funds' },
  CLOB_INSUFFICIENT_COLLATERAL: { code: -32017, reason: 'insufficient_collateral' },
  CLOB_UNKNOWN_ORDER: { code: -32018, reason: 'unknown_order' },
  CLOB_ORDER_FILLED: { code: -32019, reason: 'order_filled' },
  CLOB_ORDER_CANCELLED: { code: -32019, reason: 'order_cancelled' },
  CLOB_NOT_OWNER: { code: -32020, reason: 'not_owner' },
  CLOB_DUPLICATE_CLIENT_ID: { code: -32021, reason: 'duplicate_client_id' },
  CLOB_POST_ONLY_WOULD_CROSS: { code: -32022, reason: 'post_only' },
  CLOB_REDUCE_ONLY_WOULD_INCREASE: { code: -32023, reason: 'reduce_only' },
  CLOB_MARKET_EXISTS: { code: -32024, reason: 'market_exists' },
  CLOB_NOT_LIQUIDATABLE: { code: -32025, reason: 'not_liquidatable' },
  CLOB_UNAUTHORIZED: { code: -32001, reason: 'unauthorized' },
  CLOB_NONCE: { code: -32026, reason: 'nonce' },
  CLOB_TOO_MANY_OPEN_ORDERS: { code: -32027, reason: 'too_many_open_orders' },
  CLOB_MARKET_CLOSED: { code: -32028, reason: 'market_closed' },
};

/** For a refusal without a number of its own. */
const otherRefusal = -32029;

export const actionErrorCode = (error: ActionError): number => refusals[error.code]?.code ?? otherRefusal;

/** `reason` first, then what the engine says about the case. */
export function actionErrorData(error: ActionError): Record<string, string | number | null> {
  const reason = refusals[error.code]?.reason ?? error.code.toLowerCase().replace(/^clob_/, '');
  return { reason, ...error.data };
}

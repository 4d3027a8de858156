import type { ActionError, ActionResult } from '@prime/codec';
import { bigintMax, floorDiv } from '@prime/primitives';

/**
 * Every refusal of the order book: code, reason and exact words. A refusal is a result, never an exception; the RPC package
 * gives each code its number. Clients match on these words.
 */
const reasons = {
  CLOB_UNKNOWN_MARKET: 'unknown_market',
  CLOB_PRICE_OFF_TICK: 'tick',
  CLOB_SIZE_OFF_LOT: 'lot',
  CLOB_BAD_PRICE: 'bad_price',
  CLOB_BAD_SIZE: 'bad_size',
  CLOB_NOTIONAL_TOO_SMALL: 'notional_too_small',
  CLOB_POSITION_TOO_LARGE: 'position_too_large',
  CLOB_BAD_FLAGS: 'bad_flags',
  CLOB_INSUFFICIENT_MARGIN: 'insufficient_margin',
  CLOB_INSUFFICIENT_FUNDS: 'insufficient_funds',
  CLOB_INSUFFICIENT_COLLATERAL: 'insufficient_collateral',
  CLOB_WITHDRAWALS_GATED: 'withdrawals_gated',
  CLOB_BAD_AMOUNT: 'bad_amount',
  CLOB_BAD_RECIPIENT: 'bad_recipient',
  CLOB_TOO_MANY_TRANSFERS: 'too_many_transfers',
  CLOB_NOT_LIQUIDATABLE: 'not_liquidatable',
  CLOB_UNKNOWN_ORDER: 'unknown_order',
  CLOB_ORDER_FILLED: 'order_filled',
  CLOB_ORDER_CANCELLED: 'order_cancelled',
  CLOB_UNKNOWN_CLIENT_ID: 'unknown_client_id',
  CLOB_NOT_OWNER: 'not_owner',
  CLOB_DUPLICATE_CLIENT_ID: 'duplicate_client_id',
  CLOB_POST_ONLY_WOULD_CROSS: 'post_only',
  CLOB_REDUCE_ONLY_WOULD_INCREASE: 'reduce_only',
  CLOB_ORDER_EXPIRED: 'order_expired',
  CLOB_BAD_EXPIRY: 'bad_expiry',
  CLOB_MARKET_EXISTS: 'market_exists',
  CLOB_BAD_SYMBOL: 'bad_symbol',
  CLOB_BAD_GRID: 'bad_grid',
  CLOB_BAD_MARGIN_PARAMS: 'bad_margin_params',
  CLOB_UNAUTHORIZED: 'unauthorized',
  CLOB_OWNS_NOTHING: 'owns_nothing',
  CLOB_BAD_AGENT: 'bad_agent',
  CLOB_AGENT_REVOKED: 'agent_revoked',
  CLOB_UNKNOWN_AGENT: 'unknown_agent',
  CLOB_TOO_MANY_AGENTS: 'too_many_agents',
  CLOB_NONCE: 'nonce',
  CLOB_EXPIRED: 'expired',
  CLOB_TOO_MANY_OPEN_ORDERS: 'too_many_open_orders',
  CLOB_MARKET_CLOSED: 'market_closed',
  CLOB_BLOCK_FULL: 'block_full',
  CLOB_NOT_AVAILABLE: 'not_available',
} as const;

/** Code of a refusal, as results and the RPC error table hold it. */
export type RefusalCode = keyof typeof reasons;

/** All codes, for documentation and tests. */
export const refusalCodes = Object.keys(reasons) as readonly RefusalCode[];

type Refused = Extract<ActionResult, { readonly ok: false }>;

/** Quantity as hex; a negative one with the sign in front. */
const quantityText = (value: bigint | number): string =>
  value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

function refuse(code: RefusalCode, message: string, data: ActionError['data'] = {}): Refused {
  return { ok: false, error: { code, message, data: { kind: reasons[code], ...data } } };
}

/** The valid values next to a price or size off its grid; null where there is none. */
function nearest(value: bigint, unit: bigint): ActionError['data'] {
  const below = floorDiv(value, unit) * unit;
  const above = below + unit;
  return {
    nearest_below: below > 0n ? quantityText(below) : null,
    nearest_above: above <= amountMax ? quantityText(bigintMax(above, unit)) : null,
  };
}
/** Prices and sizes are below 2^128. */
const amountMax = (1n << 128n) - 1n;

const priceData = (price: bigint, tick: bigint): ActionError['data'] => ({
  price: quantityText(price),
  tick_size: quantityText(tick),
  ...nearest(price, tick),
});
const sizeData = (size: bigint, lot: bigint): ActionError['data'] => ({
  size: quantityText(size),
  lot_size: quantityText(lot),
  ...nearest(size, lot),
});

/** Makes each refusal. Prices, sizes and amounts in `data` are hex quantities, as in the words. */
export const refusal = {
  unknownMarket: (marketId: number) =>
    refuse('CLOB_UNKNOWN_MARKET', `unknown market ${marketId}`, { market_id: marketId }),
  priceOffTick: (price: bigint, tick: bigint) =>
    refuse('CLOB_PRICE_OFF_TICK', `price is not a multiple of tick size ${quantityText(tick)}`, priceData(price, tick)),
  sizeOffLot: (size: bigint, lot: bigint) =>
    refuse('CLOB_SIZE_OFF_LOT', `size is not a multiple of lot size ${quantityText(lot)}`, sizeData(size, lot)),
  badPrice: (price: bigint, tick: bigint) => refuse('CLOB_BAD_PRICE', 'price must be positive', priceData(price, tick)),
  badSize: (size: bigint, lot: bigint) => refuse('CLOB_BAD_SIZE', 'size must be positive', sizeData(size, lot)),
  notionalTooSmall: (least: bigint) =>
    refuse('CLOB_NOTIONAL_TOO_SMALL', `notional is below ${quantityText(least)}`, {
      min_notional: quantityText(least),
    }),
  positionTooLarge: () => refuse('CLOB_POSITION_TOO_LARGE', 'position would be too large'),
  badFlags: (what: 'post-only order must be gtc' | 'reduce-only order must be ioc or fok') =>
    refuse('CLOB_BAD_FLAGS', what),
  insufficientMargin: (required: bigint, free: bigint) =>
    refuse(
      'CLOB_INSUFFICIENT_MARGIN',
      `insufficient margin: required ${quantityText(required)}, free ${quantityText(free)}`,
      { required: quantityText(required), free: quantityText(free) },
    ),
  insufficientFunds: () => refuse('CLOB_INSUFFICIENT_FUNDS', 'insufficient funds'),
  insufficientCollateral: (withdrawable: bigint) =>
    refuse('CLOB_INSUFFICIENT_COLLATERAL', 'insufficient collateral', { withdrawable: quantityText(withdrawable) }),
  withdrawalsGated: () => refuse('CLOB_WITHDRAWALS_GATED', 'withdrawals are gated'),
  badAmount: () => refuse('CLOB_BAD_AMOUNT', 'amount must be positive'),
  zeroRecipient: (address: string) =>
    refuse('CLOB_BAD_RECIPIENT', `${address} is nobody's: what goes there is lost`, { address }),
  badRecipient: (address: string) => refuse('CLOB_BAD_RECIPIENT', `${address} can not hold collateral`, { address }),
  tooManyTransfers: (limit: number) => refuse('CLOB_TOO_MANY_TRANSFERS', 'too many transfers wait', { limit }),
  notLiquidatable: (address: string) =>
    refuse('CLOB_NOT_LIQUIDATABLE', `account ${address} is not liquidatable`, { address }),
  orderFilled: (orderId: number) =>
    refuse('CLOB_ORDER_FILLED', `order ${quantityText(orderId)} is already filled`, {
      order_id: quantityText(orderId),
    }),
  orderCancelled: (orderId: number) =>
    refuse('CLOB_ORDER_CANCELLED', `order ${quantityText(orderId)} is already cancelled`, {
      order_id: quantityText(orderId),
    }),
  unknownOrder: (orderId: number) =>
    refuse('CLOB_UNKNOWN_ORDER', `unknown order ${quantityText(orderId)}`, { order_id: quantityText(orderId) }),
  unknownClientId: (clientId: string) =>
    refuse('CLOB_UNKNOWN_CLIENT_ID', `unknown client id ${clientId}`, { client_id: clientId }),
  notOwner: (orderId: number) =>
    refuse('CLOB_NOT_OWNER', `order ${quantityText(orderId)} belongs to another account`, {
      order_id: quantityText(orderId),
    }),
  duplicateClientId: (orderId: number) =>
    refuse('CLOB_DUPLICATE_CLIENT_ID', 'duplicate client id', { order_id: quantityText(orderId) }),
  postOnlyWouldCross: () => refuse('CLOB_POST_ONLY_WOULD_CROSS', 'post-only order would cross'),
  reduceOnlyWouldIncrease: () =>
    refuse('CLOB_REDUCE_ONLY_WOULD_INCREASE', 'reduce-only order would increase the position'),
  badExpiry: (expiresAt: number) =>
    refuse('CLOB_BAD_EXPIRY', `expires_at is in seconds: ${expiresAt} is a time in milliseconds`, {
      expires_at: expiresAt,
    }),
  orderExpired: () => refuse('CLOB_ORDER_EXPIRED', 'order is expired'),
  marketExists: (symbol: string) => refuse('CLOB_MARKET_EXISTS', `market ${symbol} exists`, { symbol }),
  badSymbol: () => refuse('CLOB_BAD_SYMBOL', 'symbol must be <BASE>/<QUOTE>'),
  badGrid: () => refuse('CLOB_BAD_GRID', 'tick size and lot size must be positive'),
  badMarginParams: () =>
    refuse('CLOB_BAD_MARGIN_PARAMS', 'margin parameters must satisfy 1 <= maintenance <= initial <= 10000'),
  unauthorized: (signer: string, account: string) =>
    refuse('CLOB_UNAUTHORIZED', `signer ${signer} may not act for ${account}`, { signer, account }),
  ownsNothing: (signer: string) =>
    refuse('CLOB_OWNS_NOTHING', `signer ${signer} has nothing on this chain yet`, { signer }),
  badAgent: (what: string) => refuse('CLOB_BAD_AGENT', what),
  agentRevoked: (agent: string) =>
    refuse('CLOB_AGENT_REVOKED', `agent ${agent} was revoked and can not come back`, { agent }),
  unknownAgent: (agent: string) => refuse('CLOB_UNKNOWN_AGENT', `unknown agent ${agent}`, { agent }),
  tooManyAgents: (limit: number) => refuse('CLOB_TOO_MANY_AGENTS', 'too many agents', { limit }),
  nonce: (what: 'used' | 'too old' | 'too far ahead') => refuse('CLOB_NONCE', `nonce ${what}`),
  expired: () => refuse('CLOB_EXPIRED', 'action is expired'),
  tooManyOpenOrders: (limit: number) => refuse('CLOB_TOO_MANY_OPEN_ORDERS', 'too many open orders', { limit }),
  marketClosed: () => refuse('CLOB_MARKET_CLOSED', 'market is closed'),
  blockFull: (limit: number) =>
    refuse('CLOB_BLOCK_FULL', 'the block is full of changes of orders, try again', { limit }),
  notAvailable: (type: string) => refuse('CLOB_NOT_AVAILABLE', 'action type not available', { type }),
} as const;

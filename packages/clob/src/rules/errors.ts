import { type ActionError, refuse } from '@prime/codec';
import { bigintMax, floorDiv, toSignedQuantity } from '@prime/primitives';

/**
 * Makes every refusal of the order book, in exact words. A refusal is a result, never an exception; the RPC package gives each
 * code its number. Clients match on these words.
 */

/** The valid values next to a price or size off its grid; null where there is none. */
function nearest(value: bigint, unit: bigint): ActionError['data'] {
  const below = floorDiv(value, unit) * unit;
  const above = below + unit;
  return {
    nearest_below: below > 0n ? toSignedQuantity(below) : null,
    nearest_above: above <= amountMax ? toSignedQuantity(bigintMax(above, unit)) : null,
  };
}
/** Prices and sizes are below 2^128. */
const amountMax = (1n << 128n) - 1n;

const priceData = (price: bigint, tick: bigint): ActionError['data'] => ({
  price: toSignedQuantity(price),
  tick_size: toSignedQuantity(tick),
  ...nearest(price, tick),
});
const sizeData = (size: bigint, lot: bigint): ActionError['data'] => ({
  size: toSignedQuantity(size),
  lot_size: toSignedQuantity(lot),
  ...nearest(size, lot),
});

/** Makes each refusal. Prices, sizes and amounts in `data` are hex quantities, as in the words. */
export const refusal = {
  unknownMarket: (marketId: number) =>
    refuse('CLOB_UNKNOWN_MARKET', `unknown market ${marketId}`, { market_id: marketId }),
  priceOffTick: (price: bigint, tick: bigint) =>
    refuse(
      'CLOB_PRICE_OFF_TICK',
      `price is not a multiple of tick size ${toSignedQuantity(tick)}`,
      priceData(price, tick),
    ),
  sizeOffLot: (size: bigint, lot: bigint) =>
    refuse('CLOB_SIZE_OFF_LOT', `size is not a multiple of lot size ${toSignedQuantity(lot)}`, sizeData(size, lot)),
  badPrice: (price: bigint, tick: bigint) => refuse('CLOB_BAD_PRICE', 'price must be positive', priceData(price, tick)),
  badSize: (size: bigint, lot: bigint) => refuse('CLOB_BAD_SIZE', 'size must be positive', sizeData(size, lot)),
  notionalTooSmall: (least: bigint) =>
    refuse('CLOB_NOTIONAL_TOO_SMALL', `notional is below ${toSignedQuantity(least)}`, {
      min_notional: toSignedQuantity(least),
    }),
  orderNotional: (notional: bigint, most: bigint) =>
    refuse('CLOB_ORDER_NOTIONAL', `notional is above ${toSignedQuantity(most)}`, {
      notional: toSignedQuantity(notional),
      order_notional_max: toSignedQuantity(most),
    }),
  priceAboveBand: (price: bigint, mark: bigint, highest: bigint) =>
    refuse('CLOB_PRICE_BAND', `price of a buy is above ${toSignedQuantity(highest)}`, {
      price: toSignedQuantity(price),
      mark_price: toSignedQuantity(mark),
      lowest: null,
      highest: toSignedQuantity(highest),
    }),
  priceBelowBand: (price: bigint, mark: bigint, lowest: bigint) =>
    refuse('CLOB_PRICE_BAND', `price of a sell is below ${toSignedQuantity(lowest)}`, {
      price: toSignedQuantity(price),
      mark_price: toSignedQuantity(mark),
      lowest: toSignedQuantity(lowest),
      highest: null,
    }),
  positionLimit: (possible: bigint, most: bigint) =>
    refuse('CLOB_POSITION_LIMIT', `position could be above ${toSignedQuantity(most)}`, {
      possible: toSignedQuantity(possible),
      position_max: toSignedQuantity(most),
    }),
  openInterest: (now: bigint, opened: bigint, most: bigint) =>
    refuse('CLOB_OPEN_INTEREST', `open interest could be above ${toSignedQuantity(most)}`, {
      open_interest: toSignedQuantity(now),
      opened: toSignedQuantity(opened),
      open_interest_max: toSignedQuantity(most),
    }),
  positionTooLarge: () => refuse('CLOB_POSITION_TOO_LARGE', 'position would be too large'),
  badFlags: (
    what:
      | 'post-only order must be gtc'
      | 'a trigger without a limit must be ioc'
      | 'a trigger for a position has no size'
      | 'a bracket has a stop, a take-profit, or both'
      | 'a bracket is for an order that is not reduce-only'
      | 'the stop of a bracket is on the losing side of its take-profit'
      | 'the size of a trigger is what its order filled while that is open',
  ) => refuse('CLOB_BAD_FLAGS', what),
  insufficientMargin: (required: bigint, free: bigint) =>
    refuse(
      'CLOB_INSUFFICIENT_MARGIN',
      `insufficient margin: required ${toSignedQuantity(required)}, free ${toSignedQuantity(free)}`,
      { required: toSignedQuantity(required), free: toSignedQuantity(free) },
    ),
  insufficientFunds: () => refuse('CLOB_INSUFFICIENT_FUNDS', 'insufficient funds'),
  insufficientCollateral: (withdrawable: bigint) =>
    refuse('CLOB_INSUFFICIENT_COLLATERAL', 'insufficient collateral', { withdrawable: toSignedQuantity(withdrawable) }),
  profitUnpaid: (marketId: number, unpaid: bigint, withdrawable: bigint) =>
    refuse('CLOB_PROFIT_UNPAID', `market ${marketId} has not paid ${toSignedQuantity(unpaid)} of the profit yet`, {
      market_id: marketId,
      unpaid: toSignedQuantity(unpaid),
      withdrawable: toSignedQuantity(withdrawable),
    }),
  badAmount: () => refuse('CLOB_BAD_AMOUNT', 'amount must be positive'),
  zeroRecipient: (address: string) =>
    refuse('CLOB_BAD_RECIPIENT', `${address} is nobody's: what goes there is lost`, { address }),
  badRecipient: (address: string) => refuse('CLOB_BAD_RECIPIENT', `${address} can not hold collateral`, { address }),
  tooManyTransfers: (limit: number) => refuse('CLOB_TOO_MANY_TRANSFERS', 'too many transfers wait', { limit }),
  notLiquidatable: (address: string) =>
    refuse('CLOB_NOT_LIQUIDATABLE', `account ${address} is not liquidatable`, { address }),
  orderFilled: (orderId: number) =>
    refuse('CLOB_ORDER_FILLED', `order ${toSignedQuantity(orderId)} is already filled`, {
      order_id: toSignedQuantity(orderId),
    }),
  orderCancelled: (orderId: number) =>
    refuse('CLOB_ORDER_CANCELLED', `order ${toSignedQuantity(orderId)} is already cancelled`, {
      order_id: toSignedQuantity(orderId),
    }),
  unknownOrder: (orderId: number) =>
    refuse('CLOB_UNKNOWN_ORDER', `unknown order ${toSignedQuantity(orderId)}`, { order_id: toSignedQuantity(orderId) }),
  unknownClientId: (clientId: string) =>
    refuse('CLOB_UNKNOWN_CLIENT_ID', `unknown client id ${clientId}`, { client_id: clientId }),
  notOwner: (orderId: number) =>
    refuse('CLOB_NOT_OWNER', `order ${toSignedQuantity(orderId)} belongs to another account`, {
      order_id: toSignedQuantity(orderId),
    }),
  duplicateClientId: (orderId: number) =>
    refuse('CLOB_DUPLICATE_CLIENT_ID', 'duplicate client id', { order_id: toSignedQuantity(orderId) }),
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
  subAccount: (account: string, owner: string, what: string) =>
    refuse('CLOB_SUB_ACCOUNT', `${account} is a sub-account of ${owner}: ${what}`, { account, owner }),
  subAccountExists: (address: string, owner: string, index: number) =>
    refuse('CLOB_SUB_ACCOUNT_EXISTS', `sub-account ${index} of ${owner} exists`, { address, owner, index }),
  tooManySubAccounts: (limit: number) => refuse('CLOB_TOO_MANY_SUB_ACCOUNTS', 'too many sub-accounts', { limit }),
  nonce: (what: 'used' | 'too old' | 'too far ahead') => refuse('CLOB_NONCE', `nonce ${what}`),
  expired: () => refuse('CLOB_EXPIRED', 'action is expired'),
  tooManyOpenOrders: (limit: number) => refuse('CLOB_TOO_MANY_OPEN_ORDERS', 'too many open orders', { limit }),
  cancelOnlyMarket: (marketId: number) =>
    refuse('CLOB_CANCEL_ONLY_MARKET', 'the market takes no orders now, only cancels', { market_id: marketId }),
  marketHalted: (marketId: number) => refuse('CLOB_MARKET_HALTED', 'the market is halted', { market_id: marketId }),
  marketSettling: (marketId: number) =>
    refuse('CLOB_MARKET_SETTLING', 'the market is being settled', { market_id: marketId }),
  marketDelisted: (marketId: number) =>
    refuse('CLOB_MARKET_DELISTED', 'the market is delisted', { market_id: marketId }),
  tooManyTriggers: (limit: number) => refuse('CLOB_TOO_MANY_TRIGGERS', 'too many triggers', { limit }),
  badSchedule: (atMs: number, earliest: number) =>
    refuse('CLOB_BAD_SCHEDULE', `a cancel is scheduled for ${earliest} or later, in milliseconds, or taken back by 0`, {
      at_ms: atMs,
      earliest_ms: earliest,
    }),
  blockFull: (limit: number) =>
    refuse('CLOB_BLOCK_FULL', 'the block is full of changes of orders, try again', { limit }),
  oracleStale: (marketId: number) =>
    refuse('CLOB_ORACLE_STALE', 'the index price is stale: only orders that reduce a position', {
      market_id: marketId,
    }),
  postOnlyMarket: (marketId: number, untilMs: number | null) =>
    refuse('CLOB_POST_ONLY_MARKET', 'the market takes only post-only orders now', {
      market_id: marketId,
      until_ms: untilMs,
    }),
  notAReporter: (signer: string, account: string) =>
    refuse('CLOB_NOT_A_REPORTER', `signer ${signer} does not report for an active validator ${account}`, {
      signer,
      account,
    }),
  badReport: (what: string, data: ActionError['data'] = {}) => refuse('CLOB_BAD_REPORT', what, data),
  badChange: (parameter: string, value: string, allowed: string) =>
    refuse('CLOB_BAD_CHANGE', `${parameter} = ${value}: allowed is ${allowed}`, { parameter, value, allowed }),
  notAValidator: (account: string) =>
    refuse('CLOB_NOT_A_VALIDATOR', `${account} is no owner of an active validator`, { account }),
  badProposal: (what: 'activation_height' | 'expiry_height', height: number, least: number, most: number) =>
    refuse('CLOB_BAD_PROPOSAL', `${what} = ${height}: allowed is ${least} to ${most}`, {
      [what]: height,
      least_height: least,
      most_height: most,
    }),
  proposalExists: (proposal: string) =>
    refuse('CLOB_BAD_PROPOSAL', `proposal ${proposal} is open already`, { proposal }),
  proposalPassed: (proposal: string, height: number) =>
    refuse('CLOB_BAD_PROPOSAL', `proposal ${proposal} has passed: it is made in block ${height}`, { proposal }),
  tooManyProposals: (limit: number) => refuse('CLOB_TOO_MANY_PROPOSALS', 'too many proposals are open', { limit }),
  unknownProposal: (proposal: string) =>
    refuse('CLOB_UNKNOWN_PROPOSAL', `no proposal ${proposal} is open`, { proposal }),
  notAvailable: (type: string) => refuse('CLOB_NOT_AVAILABLE', 'action type not available', { type }),
} as const;

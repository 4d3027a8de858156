import { KnownRefusalError } from './refusalError.ts';

/** Refusals of the order book and the bridge, a class for each kind. */

/** The market was never opened. */
export class UnknownMarketError extends KnownRefusalError<'unknown_market'> {
  override name = 'UnknownMarketError';
}
/** The price is not a multiple of the market's tick size; `market.price` makes one that is. */
export class PriceOffTickError extends KnownRefusalError<'tick'> {
  override name = 'PriceOffTickError';
}
/** The size is not a multiple of the market's lot size; `market.size` makes one that is. */
export class SizeOffLotError extends KnownRefusalError<'lot'> {
  override name = 'SizeOffLotError';
}
/** The price is not above zero. */
export class BadPriceError extends KnownRefusalError<'bad_price'> {
  override name = 'BadPriceError';
}
/** The size is not above zero. */
export class BadSizeError extends KnownRefusalError<'bad_size'> {
  override name = 'BadSizeError';
}
/** Price times size is below the network's least. */
export class NotionalTooSmallError extends KnownRefusalError<'notional_too_small'> {
  override name = 'NotionalTooSmallError';
}
/** Price times size is above the most that the market takes of one order. */
export class OrderNotionalError extends KnownRefusalError<'order_notional'> {
  override name = 'OrderNotionalError';
}
/** The limit of the order is too far from the mark; `data` has the last price that would do. */
export class PriceBandError extends KnownRefusalError<'price_band'> {
  override name = 'PriceBandError';
}
/** With the order the account could hold more than the market allows one account. */
export class PositionLimitError extends KnownRefusalError<'position_limit'> {
  override name = 'PositionLimitError';
}
/** With the order more positions could be open than the market allows: until some close, only reducing orders are taken. */
export class OpenInterestError extends KnownRefusalError<'open_interest'> {
  override name = 'OpenInterestError';
}
/** The position that the orders could make would be beyond what the protocol can count. */
export class PositionTooLargeError extends KnownRefusalError<'position_too_large'> {
  override name = 'PositionTooLargeError';
}
/** Options of the order contradict each other. */
export class BadFlagsError extends KnownRefusalError<'bad_flags'> {
  override name = 'BadFlagsError';
}
/** The free collateral does not cover the margin of the order. */
export class InsufficientMarginError extends KnownRefusalError<'insufficient_margin'> {
  override name = 'InsufficientMarginError';
}
/** The EVM balance does not cover the amount. */
export class InsufficientFundsError extends KnownRefusalError<'insufficient_funds'> {
  override name = 'InsufficientFundsError';
}
/** More than what may be withdrawn. */
export class InsufficientCollateralError extends KnownRefusalError<'insufficient_collateral'> {
  override name = 'InsufficientCollateralError';
}
/** It is profit that losses of its market have not paid yet. */
export class ProfitUnpaidError extends KnownRefusalError<'profit_unpaid'> {
  override name = 'ProfitUnpaidError';
}
/** The amount is not above zero. */
export class BadAmountError extends KnownRefusalError<'bad_amount'> {
  override name = 'BadAmountError';
}
/** What goes to this address would be lost. */
export class BadRecipientError extends KnownRefusalError<'bad_recipient'> {
  override name = 'BadRecipientError';
}
/** The queue of the direction is full. */
export class TooManyTransfersError extends KnownRefusalError<'too_many_transfers'> {
  override name = 'TooManyTransfersError';
}
/** The account has its maintenance margin. */
export class NotLiquidatableError extends KnownRefusalError<'not_liquidatable'> {
  override name = 'NotLiquidatableError';
}
/** No such order, or one that ended long ago. */
export class UnknownOrderError extends KnownRefusalError<'unknown_order'> {
  override name = 'UnknownOrderError';
}
/** The order is filled already. */
export class OrderFilledError extends KnownRefusalError<'order_filled'> {
  override name = 'OrderFilledError';
}
/** The order is cancelled already. */
export class OrderCancelledError extends KnownRefusalError<'order_cancelled'> {
  override name = 'OrderCancelledError';
}
/** No live order of the account has the client id. */
export class UnknownClientIdError extends KnownRefusalError<'unknown_client_id'> {
  override name = 'UnknownClientIdError';
}
/** The order belongs to another account. */
export class NotOwnerError extends KnownRefusalError<'not_owner'> {
  override name = 'NotOwnerError';
}
/** The account has an order with this client id; `data.orderId` says which. Whoever sends an order again after an unknown outcome learns here that it got through. */
export class DuplicateClientIdError extends KnownRefusalError<'duplicate_client_id'> {
  override name = 'DuplicateClientIdError';
}
/** The post-only order would have traded. */
export class PostOnlyWouldCrossError extends KnownRefusalError<'post_only'> {
  override name = 'PostOnlyWouldCrossError';
}
/** There is no position that the reduce-only order could reduce. */
export class ReduceOnlyWouldIncreaseError extends KnownRefusalError<'reduce_only'> {
  override name = 'ReduceOnlyWouldIncreaseError';
}
/** The order's own end is past. */
export class OrderExpiredError extends KnownRefusalError<'order_expired'> {
  override name = 'OrderExpiredError';
}
/** The order's end is in milliseconds where seconds are meant. */
export class BadExpiryError extends KnownRefusalError<'bad_expiry'> {
  override name = 'BadExpiryError';
}
/** A market has that symbol. */
export class MarketExistsError extends KnownRefusalError<'market_exists'> {
  override name = 'MarketExistsError';
}
/** The symbol is not BASE/QUOTE. */
export class BadSymbolError extends KnownRefusalError<'bad_symbol'> {
  override name = 'BadSymbolError';
}
/** Tick size or lot size is not above zero. */
export class BadGridError extends KnownRefusalError<'bad_grid'> {
  override name = 'BadGridError';
}
/** Not 1 <= maintenance <= initial <= 10000. */
export class BadMarginParamsError extends KnownRefusalError<'bad_margin_params'> {
  override name = 'BadMarginParamsError';
}
/** The signer is neither the account nor its agent with the permission. */
export class SignerUnauthorizedError extends KnownRefusalError<'unauthorized'> {
  override name = 'SignerUnauthorizedError';
}
/** The signer has nothing on this chain: deposit first. */
export class OwnsNothingError extends KnownRefusalError<'owns_nothing'> {
  override name = 'OwnsNothingError';
}
/** The terms of the agent are not allowed. */
export class BadAgentError extends KnownRefusalError<'bad_agent'> {
  override name = 'BadAgentError';
}
/** A revoked key never comes back: approve another one. */
export class AgentRevokedError extends KnownRefusalError<'agent_revoked'> {
  override name = 'AgentRevokedError';
}
/** The account never approved that agent. */
export class UnknownAgentError extends KnownRefusalError<'unknown_agent'> {
  override name = 'UnknownAgentError';
}
/** The account has as many agents as it may. */
export class TooManyAgentsError extends KnownRefusalError<'too_many_agents'> {
  override name = 'TooManyAgentsError';
}
/** A sub-account does not do that: its owner does, for its own account. */
export class SubAccountError extends KnownRefusalError<'sub_account'> {
  override name = 'SubAccountError';
}
/** The owner made the sub-account of that number before. */
export class SubAccountExistsError extends KnownRefusalError<'sub_account_exists'> {
  override name = 'SubAccountExistsError';
}
/** The owner has as many sub-accounts as it may. */
export class TooManySubAccountsError extends KnownRefusalError<'too_many_sub_accounts'> {
  override name = 'TooManySubAccountsError';
}
/** The nonce is used, too old or too far ahead. */
export class NonceRefusedError extends KnownRefusalError<'nonce'> {
  override name = 'NonceRefusedError';
}
/** Block time is past the action's end. */
export class ActionExpiredError extends KnownRefusalError<'expired'> {
  override name = 'ActionExpiredError';
}
/** The account has as many open orders as it may. */
export class TooManyOpenOrdersError extends KnownRefusalError<'too_many_open_orders'> {
  override name = 'TooManyOpenOrdersError';
}
/** The market takes no orders. */
export class CancelOnlyMarketError extends KnownRefusalError<'cancel_only_market'> {
  override name = 'CancelOnlyMarketError';
}
/** The market is halted: neither orders nor cancels. */
export class MarketHaltedError extends KnownRefusalError<'market_halted'> {
  override name = 'MarketHaltedError';
}
/** The market is being settled: its orders end and its positions are closed. */
export class MarketSettlingError extends KnownRefusalError<'market_settling'> {
  override name = 'MarketSettlingError';
}
/** The market is over. */
export class MarketDelistedError extends KnownRefusalError<'market_delisted'> {
  override name = 'MarketDelistedError';
}
/** The change is none that may be made; `data` says what is allowed. */
export class BadChangeError extends KnownRefusalError<'bad_change'> {
  override name = 'BadChangeError';
}
/** The account does not own an active validator. */
export class NotAValidatorError extends KnownRefusalError<'not_a_validator'> {
  override name = 'NotAValidatorError';
}
/** The heights of the proposal are not allowed, it is open already, or it has passed. */
export class BadProposalError extends KnownRefusalError<'bad_proposal'> {
  override name = 'BadProposalError';
}
/** As many proposals are open as may be, of all or of this validator. */
export class TooManyProposalsError extends KnownRefusalError<'too_many_proposals'> {
  override name = 'TooManyProposalsError';
}
/** No such proposal is open. */
export class UnknownProposalError extends KnownRefusalError<'unknown_proposal'> {
  override name = 'UnknownProposalError';
}
/** The account, or the market, has as many triggers as may wait; none where the limit is 0. */
export class TooManyTriggersError extends KnownRefusalError<'too_many_triggers'> {
  override name = 'TooManyTriggersError';
}
/** The time of the scheduled cancel is less than 5 seconds ahead of block time, or in seconds. */
export class BadScheduleError extends KnownRefusalError<'bad_schedule'> {
  override name = 'BadScheduleError';
}
/** The block has as many changes of orders as it may: send again. */
export class BlockFullError extends KnownRefusalError<'block_full'> {
  override name = 'BlockFullError';
}
/** The index price of the market is stale: it takes only orders that make a position smaller. */
export class OracleStaleError extends KnownRefusalError<'oracle_stale'> {
  override name = 'OracleStaleError';
}
/** Trading is about to begin again: the market takes only post-only orders. */
export class PostOnlyMarketError extends KnownRefusalError<'post_only_market'> {
  override name = 'PostOnlyMarketError';
}
/** The signer of a price report is not that of an active validator. */
export class NotAReporterError extends KnownRefusalError<'not_a_reporter'> {
  override name = 'NotAReporterError';
}
/** A price report is too old, in the future, or of prices that make no sense. */
export class BadReportError extends KnownRefusalError<'bad_report'> {
  override name = 'BadReportError';
}
/** The action can not stand where it stood. */
export class NotAvailableError extends KnownRefusalError<'not_available'> {
  override name = 'NotAvailableError';
}

import * as orders from './orderRefusals.ts';
import type { RefusalKind } from './refusalData.ts';
import { type KnownRefusalError, RefusalError, type WireRefusal } from './refusalError.ts';
import * as staking from './stakingRefusals.ts';

type RefusalClass<kind extends RefusalKind> = new (refusal: WireRefusal) => KnownRefusalError<kind>;

const classes: { readonly [kind in RefusalKind]: RefusalClass<kind> } = {
  unknown_market: orders.UnknownMarketError,
  tick: orders.PriceOffTickError,
  lot: orders.SizeOffLotError,
  bad_price: orders.BadPriceError,
  bad_size: orders.BadSizeError,
  notional_too_small: orders.NotionalTooSmallError,
  order_notional: orders.OrderNotionalError,
  price_band: orders.PriceBandError,
  position_limit: orders.PositionLimitError,
  open_interest: orders.OpenInterestError,
  position_too_large: orders.PositionTooLargeError,
  bad_flags: orders.BadFlagsError,
  insufficient_margin: orders.InsufficientMarginError,
  insufficient_funds: orders.InsufficientFundsError,
  insufficient_collateral: orders.InsufficientCollateralError,
  withdrawals_gated: orders.WithdrawalsGatedError,
  bad_amount: orders.BadAmountError,
  bad_recipient: orders.BadRecipientError,
  too_many_transfers: orders.TooManyTransfersError,
  not_liquidatable: orders.NotLiquidatableError,
  unknown_order: orders.UnknownOrderError,
  order_filled: orders.OrderFilledError,
  order_cancelled: orders.OrderCancelledError,
  unknown_client_id: orders.UnknownClientIdError,
  not_owner: orders.NotOwnerError,
  duplicate_client_id: orders.DuplicateClientIdError,
  post_only: orders.PostOnlyWouldCrossError,
  reduce_only: orders.ReduceOnlyWouldIncreaseError,
  order_expired: orders.OrderExpiredError,
  bad_expiry: orders.BadExpiryError,
  market_exists: orders.MarketExistsError,
  bad_symbol: orders.BadSymbolError,
  bad_grid: orders.BadGridError,
  bad_margin_params: orders.BadMarginParamsError,
  unauthorized: orders.SignerUnauthorizedError,
  owns_nothing: orders.OwnsNothingError,
  bad_agent: orders.BadAgentError,
  agent_revoked: orders.AgentRevokedError,
  unknown_agent: orders.UnknownAgentError,
  too_many_agents: orders.TooManyAgentsError,
  sub_account: orders.SubAccountError,
  sub_account_exists: orders.SubAccountExistsError,
  too_many_sub_accounts: orders.TooManySubAccountsError,
  nonce: orders.NonceRefusedError,
  expired: orders.ActionExpiredError,
  too_many_open_orders: orders.TooManyOpenOrdersError,
  market_closed: orders.MarketClosedError,
  bad_schedule: orders.BadScheduleError,
  block_full: orders.BlockFullError,
  oracle_stale: orders.OracleStaleError,
  post_only_market: orders.PostOnlyMarketError,
  not_a_reporter: orders.NotAReporterError,
  bad_report: orders.BadReportError,
  not_available: orders.NotAvailableError,
  fixed_validators: staking.FixedValidatorsError,
  unknown_validator: staking.UnknownValidatorError,
  already_registered: staking.AlreadyRegisteredError,
  tombstoned: staking.ValidatorTombstonedError,
  stake_too_small: staking.StakeTooSmallError,
  bad_moniker: staking.BadMonikerError,
  bad_endpoint: staking.BadEndpointError,
  bad_signer: staking.BadSignerError,
  signer_in_use: staking.SignerInUseError,
  too_many_changes: staking.TooManyChangesError,
  too_many_validators: staking.TooManyValidatorsError,
  too_few_validators: staking.TooFewValidatorsError,
  too_much_power: staking.TooMuchPowerError,
  not_jailed: staking.NotJailedError,
  jailed: staking.JailedError,
  still_jailed: staking.StillJailedError,
};

/** Every kind of refusal that this version knows. */
export const refusalKinds = Object.keys(classes) as readonly RefusalKind[];

const isKnown = (kind: string): kind is RefusalKind => Object.hasOwn(classes, kind);

/** The error of a refusal's kind. */
export const refusalOf = (refusal: WireRefusal): RefusalError =>
  isKnown(refusal.kind) ? new classes[refusal.kind](refusal) : new RefusalError(refusal);

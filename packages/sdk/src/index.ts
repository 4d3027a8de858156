export { selfTradeModes } from './words.ts';
export { type AgentAccount, toAgentAccount } from './accounts/agentAccount.ts';
export { type DigestAccount, type DigestAccountParameters, toDigestAccount } from './accounts/digestAccount.ts';
export {
  createNonceManager,
  NonceLaneError,
  type NonceLease,
  type NonceManager,
  type NonceManagerParameters,
  nonceWindow,
} from './accounts/nonceManager.ts';
export { type CallAuthorization, type CallOptions } from './actions/call/authorization.ts';
export {
  callAddMarket,
  type CallAddMarketParameters,
  type CallAddMarketReturnType,
} from './actions/call/callAddMarket.ts';
export { callBatch, type CallBatchParameters, type CallBatchReturnType } from './actions/call/callBatch.ts';
export {
  callCancelAll,
  type CallCancelAllParameters,
  type CallCancelAllReturnType,
} from './actions/call/callCancelAll.ts';
export {
  callCancelOrder,
  type CallCancelOrderParameters,
  type CallCancelOrderReturnType,
} from './actions/call/callCancelOrder.ts';
export {
  callDepositCollateral,
  type CallDepositCollateralParameters,
  type CallDepositCollateralReturnType,
} from './actions/call/callDepositCollateral.ts';
export {
  callDequeueEvmToOrders,
  type CallDequeueEvmToOrdersParameters,
  type CallDequeueEvmToOrdersReturnType,
} from './actions/call/callDequeueEvmToOrders.ts';
export {
  callDequeueOrdersToEvm,
  type CallDequeueOrdersToEvmParameters,
  type CallDequeueOrdersToEvmReturnType,
} from './actions/call/callDequeueOrdersToEvm.ts';
export {
  callEnqueueEvmToOrders,
  type CallEnqueueEvmToOrdersParameters,
  type CallEnqueueEvmToOrdersReturnType,
} from './actions/call/callEnqueueEvmToOrders.ts';
export {
  callEnqueueOrdersToEvm,
  type CallEnqueueOrdersToEvmParameters,
  type CallEnqueueOrdersToEvmReturnType,
} from './actions/call/callEnqueueOrdersToEvm.ts';
export {
  callLiquidate,
  type CallLiquidateParameters,
  type CallLiquidateReturnType,
} from './actions/call/callLiquidate.ts';
export {
  callSetMarginParams,
  type CallSetMarginParamsParameters,
  type CallSetMarginParamsReturnType,
} from './actions/call/callSetMarginParams.ts';
export {
  callSubmitOrder,
  type CallSubmitOrderParameters,
  type CallSubmitOrderReturnType,
} from './actions/call/callSubmitOrder.ts';
export {
  getAccount,
  type GetAccountParameters,
  type GetAccountReturnType,
} from './actions/public/accounts/getAccount.ts';
export {
  getAccountTransactions,
  type GetAccountTransactionsParameters,
  type GetAccountTransactionsReturnType,
} from './actions/public/accounts/getAccountTransactions.ts';
export { getAgents, type GetAgentsParameters, type GetAgentsReturnType } from './actions/public/accounts/getAgents.ts';
export {
  getBlockActions,
  type GetBlockActionsParameters,
  type GetBlockActionsReturnType,
} from './actions/public/chain/getBlockActions.ts';
export {
  getCandles,
  type GetCandlesParameters,
  type GetCandlesReturnType,
} from './actions/public/markets/getCandles.ts';
export { getCommit, type GetCommitParameters, type GetCommitReturnType } from './actions/public/chain/getCommit.ts';
export { getCommits, type GetCommitsParameters, type GetCommitsReturnType } from './actions/public/chain/getCommits.ts';
export { getConsensusStatus, type GetConsensusStatusReturnType } from './actions/public/network/getConsensusStatus.ts';
export { getNetwork, type GetNetworkReturnType } from './actions/public/network/getNetwork.ts';
export {
  getDomainEvents,
  type GetDomainEventsParameters,
  type GetDomainEventsReturnType,
} from './actions/public/chain/getDomainEvents.ts';
export { getGenesis, type GetGenesisReturnType } from './actions/public/chain/getGenesis.ts';
export { getMarket, type GetMarketParameters, type GetMarketReturnType } from './actions/public/markets/getMarket.ts';
export { getMarkets, type GetMarketsReturnType } from './actions/public/markets/getMarkets.ts';
export {
  getNativeBlock,
  type GetNativeBlockParameters,
  type GetNativeBlockReturnType,
} from './actions/public/chain/getNativeBlock.ts';
export {
  getOpenOrders,
  type GetOpenOrdersParameters,
  type GetOpenOrdersReturnType,
} from './actions/public/accounts/getOpenOrders.ts';
export { getOpenRpc, type GetOpenRpcReturnType } from './actions/public/network/getOpenRpc.ts';
export { getOrder, type GetOrderParameters, type GetOrderReturnType } from './actions/public/markets/getOrder.ts';
export {
  getOrderBook,
  type GetOrderBookParameters,
  type GetOrderBookReturnType,
} from './actions/public/markets/getOrderBook.ts';
export {
  getOrdersProof,
  type GetOrdersProofParameters,
  type GetOrdersProofReturnType,
} from './actions/public/chain/getOrdersProof.ts';
export {
  getRegisteredValidators,
  type GetRegisteredValidatorsReturnType,
} from './actions/public/network/getRegisteredValidators.ts';
export {
  getTickers,
  type GetTickersParameters,
  type GetTickersReturnType,
} from './actions/public/markets/getTickers.ts';
export { getTrades, type GetTradesParameters, type GetTradesReturnType } from './actions/public/markets/getTrades.ts';
export {
  getValidators,
  type GetValidatorsParameters,
  type GetValidatorsReturnType,
} from './actions/public/network/getValidators.ts';
export {
  isLiquidatable,
  type IsLiquidatableParameters,
  type IsLiquidatableReturnType,
} from './actions/public/accounts/isLiquidatable.ts';
export { sendAction, type SendActionParameters, type SendActionReturnType } from './actions/public/sendAction.ts';
export {
  waitForAction,
  type WaitForActionParameters,
  type WaitForActionReturnType,
} from './actions/public/waitForAction.ts';
export { addMarket, type AddMarketParameters, type AddMarketReturnType } from './actions/wallet/markets/addMarket.ts';
export {
  approveAgent,
  type ApproveAgentParameters,
  type ApproveAgentReturnType,
} from './actions/wallet/keys/approveAgent.ts';
export {
  bondStake,
  type BondStakeParameters,
  type BondStakeReturnType,
} from './actions/wallet/validators/bondStake.ts';
export {
  cancelAllOrders,
  type CancelAllOrdersParameters,
  type CancelAllOrdersReturnType,
} from './actions/wallet/orders/cancelAllOrders.ts';
export {
  cancelOrder,
  type CancelOrderParameters,
  type CancelOrderReturnType,
} from './actions/wallet/orders/cancelOrder.ts';
export {
  cancelOrderByClientId,
  type CancelOrderByClientIdParameters,
  type CancelOrderByClientIdReturnType,
} from './actions/wallet/orders/cancelOrderByClientId.ts';
export {
  depositCollateral,
  type DepositCollateralParameters,
  type DepositCollateralReturnType,
} from './actions/wallet/transfers/depositCollateral.ts';
export {
  dequeueEvmToOrders,
  type DequeueEvmToOrdersParameters,
  type DequeueEvmToOrdersReturnType,
} from './actions/wallet/transfers/dequeueEvmToOrders.ts';
export {
  dequeueOrdersToEvm,
  type DequeueOrdersToEvmParameters,
  type DequeueOrdersToEvmReturnType,
} from './actions/wallet/transfers/dequeueOrdersToEvm.ts';
export {
  enqueueEvmToOrders,
  type EnqueueEvmToOrdersParameters,
  type EnqueueEvmToOrdersReturnType,
} from './actions/wallet/transfers/enqueueEvmToOrders.ts';
export {
  jailValidator,
  type JailValidatorParameters,
  type JailValidatorReturnType,
} from './actions/wallet/validators/jailValidator.ts';
export {
  joinValidators,
  type JoinValidatorsParameters,
  type JoinValidatorsReturnType,
} from './actions/wallet/validators/joinValidators.ts';
export {
  leaveValidators,
  type LeaveValidatorsParameters,
  type LeaveValidatorsReturnType,
} from './actions/wallet/validators/leaveValidators.ts';
export { liquidate, type LiquidateParameters, type LiquidateReturnType } from './actions/wallet/markets/liquidate.ts';
export {
  lockAccount,
  type LockAccountParameters,
  type LockAccountReturnType,
} from './actions/wallet/keys/lockAccount.ts';
export {
  modifyOrder,
  type ModifyOrderParameters,
  type ModifyOrderReturnType,
} from './actions/wallet/orders/modifyOrder.ts';
export { type SigningOptions, type SubmitOptions } from './actions/wallet/options.ts';
export {
  placeOrder,
  type PlaceOrderParameters,
  type PlaceOrderReturnType,
} from './actions/wallet/orders/placeOrder.ts';
export {
  revokeAgent,
  type RevokeAgentParameters,
  type RevokeAgentReturnType,
} from './actions/wallet/keys/revokeAgent.ts';
export {
  rotateSigner,
  type RotateSignerParameters,
  type RotateSignerReturnType,
} from './actions/wallet/validators/rotateSigner.ts';
export { sendNoop, type SendNoopParameters, type SendNoopReturnType } from './actions/wallet/sendNoop.ts';
export {
  setMarginParams,
  type SetMarginParamsParameters,
  type SetMarginParamsReturnType,
} from './actions/wallet/markets/setMarginParams.ts';
export {
  setValidatorEndpoint,
  type SetValidatorEndpointParameters,
  type SetValidatorEndpointReturnType,
} from './actions/wallet/validators/setValidatorEndpoint.ts';
export { signAction, type SignActionParameters, type SignActionReturnType } from './actions/wallet/signAction.ts';
export {
  submitAction,
  type SubmitActionParameters,
  type SubmitActionReturnType,
} from './actions/wallet/submitAction.ts';
export {
  submitBatch,
  type SubmitBatchParameters,
  type SubmitBatchReturnType,
} from './actions/wallet/orders/submitBatch.ts';
export {
  transferCollateral,
  type TransferCollateralParameters,
  type TransferCollateralReturnType,
} from './actions/wallet/transfers/transferCollateral.ts';
export {
  unbondStake,
  type UnbondStakeParameters,
  type UnbondStakeReturnType,
} from './actions/wallet/validators/unbondStake.ts';
export {
  unjailValidator,
  type UnjailValidatorParameters,
  type UnjailValidatorReturnType,
} from './actions/wallet/validators/unjailValidator.ts';
export {
  withdrawCollateral,
  type WithdrawCollateralParameters,
  type WithdrawCollateralReturnType,
} from './actions/wallet/transfers/withdrawCollateral.ts';
export { type PrimeCallActions, primeCallActions } from './callActions.ts';
export { definePrimeChain, ordersAddress, prime, type PrimeChainParameters } from './chain.ts';
export { type PrimeClient } from './client.ts';
export { PrimeSdkError } from './errors/base.ts';
export { errorFromRpc } from './errors/fromRpc.ts';
export {
  AccountMissingError,
  AnswerUnreadableError,
  BatchSizeError,
  InvalidActionError,
  InvalidAmountError,
  InvalidDecimalError,
  InvalidPriceError,
  InvalidSizeError,
  MarketNotFoundError,
  type Nearest,
} from './errors/own.ts';
export {
  ActionExpiredError,
  AgentRevokedError,
  BadAgentError,
  BadAmountError,
  BadExpiryError,
  BadFlagsError,
  BadGridError,
  BadMarginParamsError,
  BadPriceError,
  BadRecipientError,
  BadSizeError,
  BadSymbolError,
  BlockFullError,
  DuplicateClientIdError,
  InsufficientCollateralError,
  InsufficientFundsError,
  InsufficientMarginError,
  MarketClosedError,
  MarketExistsError,
  NonceRefusedError,
  NotAvailableError,
  NotLiquidatableError,
  NotOwnerError,
  NotionalTooSmallError,
  OrderCancelledError,
  OrderExpiredError,
  OrderFilledError,
  OwnsNothingError,
  PositionTooLargeError,
  PostOnlyWouldCrossError,
  PriceOffTickError,
  ReduceOnlyWouldIncreaseError,
  SignerUnauthorizedError,
  SizeOffLotError,
  TooManyAgentsError,
  TooManyOpenOrdersError,
  TooManyTransfersError,
  UnknownAgentError,
  UnknownClientIdError,
  UnknownMarketError,
  UnknownOrderError,
  WithdrawalsGatedError,
} from './errors/orderRefusals.ts';
export { refusalKinds } from './errors/refusal.ts';
export { RefusalError } from './errors/refusalError.ts';
export {
  AlreadyRegisteredError,
  BadEndpointError,
  BadMonikerError,
  BadSignerError,
  FixedValidatorsError,
  JailedError,
  NotJailedError,
  SignerInUseError,
  StakeTooSmallError,
  StillJailedError,
  TooFewValidatorsError,
  TooManyChangesError,
  TooManyValidatorsError,
  TooMuchPowerError,
  UnknownValidatorError,
  ValidatorTombstonedError,
} from './errors/stakingRefusals.ts';
export { type RefusalData, type RefusalKind } from './errors/refusalData.ts';
export {
  AlreadyKnownError,
  DisabledOnSurfaceError,
  HistoryPrunedError,
  InvalidParametersError,
  LimitExceededError,
  MethodNotFoundError,
  OutcomeUnknownError,
  RpcAnswerError,
  UnauthorizedError,
} from './errors/rpc.ts';
export {
  type PrimeRpcSchema,
  type RpcMethodName,
  type RpcMethods,
  type RpcParameters,
  type RpcResult,
} from './generated/methods.ts';
export { type PrimeActions, primeActions } from './publicActions.ts';
export { type BatchBuilder, createBatch, splitIntoBatches } from './signing/batch.ts';
export { createClientId, toClientId } from './signing/clientId.ts';
export { batchSizeMax } from './signing/checkAction.ts';
export type { SignatureKind, SignDigest, SignedAction } from './signing/signedAction.ts';
export { type Rounding } from './units/decimal.ts';
export { createMarketUnits, type MarketGrid, type MarketUnits, type RoundingOptions } from './units/marketUnits.ts';
export { type PrimeWalletActions, primeWalletActions } from './walletActions.ts';
export type * from './types/account.ts';
export type * from './types/action.ts';
export type * from './types/chain.ts';
export type * from './types/accountTransaction.ts';
export type * from './types/consensus.ts';
export type * from './types/market.ts';
export type * from './types/order.ts';
export type * from './types/primitives.ts';
export type * from './types/results.ts';
export * from './streams/index.ts';

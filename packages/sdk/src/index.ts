export { candleIntervalMs, selfTradeModes } from './words.ts';
export { type AgentAccount, toAgentAccount } from './accounts/agentAccount.ts';
export { subAccountAddress } from './accounts/subAccountAddress.ts';
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
export * from './actions/call/markets.ts';
export * from './actions/call/orders.ts';
export * from './actions/call/transfers.ts';
export * from './actions/public/accountHistory.ts';
export * from './actions/public/accounts.ts';
export * from './actions/public/chain.ts';
export * from './actions/public/markets.ts';
export * from './actions/public/network.ts';
export { sendAction, type SendActionParameters, type SendActionReturnType } from './actions/public/sendAction.ts';
export {
  waitForAction,
  type WaitForActionParameters,
  type WaitForActionReturnType,
} from './actions/public/waitForAction.ts';
export * from './actions/wallet/markets.ts';
export * from './actions/wallet/keys.ts';
export * from './actions/wallet/validators.ts';
export * from './actions/wallet/governance.ts';
export * from './actions/wallet/orders.ts';
export * from './actions/wallet/subAccounts.ts';
export * from './actions/wallet/transfers.ts';
export { type SigningOptions, type SubmitOptions } from './actions/wallet/options.ts';
export { signAction, type SignActionParameters, type SignActionReturnType } from './actions/wallet/signAction.ts';
export {
  submitAction,
  type SubmitActionParameters,
  type SubmitActionReturnType,
} from './actions/wallet/submitAction.ts';
export { type PrimeCallActions, primeCallActions } from './callActions.ts';
export { definePrimeChain, ordersAddress, prime, type PrimeChainParameters } from './chain.ts';
export { type PrimeClient } from './client.ts';
export { PrimeSdkError } from './errors/base.ts';
export { failover, type FailoverConfig, type FailoverTransport } from './failover.ts';
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
  TransportMissingError,
} from './errors/own.ts';
export * from './errors/orderRefusals.ts';
export { refusalKinds } from './errors/refusal.ts';
export { RefusalError } from './errors/refusalError.ts';
export * from './errors/stakingRefusals.ts';
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
export type * from './types/accountHistory.ts';
export type * from './types/accountTransaction.ts';
export type * from './types/consensus.ts';
export type * from './types/market.ts';
export type * from './types/order.ts';
export type * from './types/parameters.ts';
export type * from './types/primitives.ts';
export type * from './types/results.ts';
export * from './streams/index.ts';

import { addMarket, type AddMarketParameters, type AddMarketReturnType } from './actions/wallet/markets/addMarket.ts';
import {
  approveAgent,
  type ApproveAgentParameters,
  type ApproveAgentReturnType,
} from './actions/wallet/keys/approveAgent.ts';
import {
  bondStake,
  type BondStakeParameters,
  type BondStakeReturnType,
} from './actions/wallet/validators/bondStake.ts';
import {
  cancelAllOrders,
  type CancelAllOrdersParameters,
  type CancelAllOrdersReturnType,
} from './actions/wallet/orders/cancelAllOrders.ts';
import {
  cancelOrder,
  type CancelOrderParameters,
  type CancelOrderReturnType,
} from './actions/wallet/orders/cancelOrder.ts';
import {
  cancelOrderByClientId,
  type CancelOrderByClientIdParameters,
  type CancelOrderByClientIdReturnType,
} from './actions/wallet/orders/cancelOrderByClientId.ts';
import {
  depositCollateral,
  type DepositCollateralParameters,
  type DepositCollateralReturnType,
} from './actions/wallet/transfers/depositCollateral.ts';
import {
  dequeueEvmToOrders,
  type DequeueEvmToOrdersParameters,
  type DequeueEvmToOrdersReturnType,
} from './actions/wallet/transfers/dequeueEvmToOrders.ts';
import {
  dequeueOrdersToEvm,
  type DequeueOrdersToEvmParameters,
  type DequeueOrdersToEvmReturnType,
} from './actions/wallet/transfers/dequeueOrdersToEvm.ts';
import {
  enqueueEvmToOrders,
  type EnqueueEvmToOrdersParameters,
  type EnqueueEvmToOrdersReturnType,
} from './actions/wallet/transfers/enqueueEvmToOrders.ts';
import {
  jailValidator,
  type JailValidatorParameters,
  type JailValidatorReturnType,
} from './actions/wallet/validators/jailValidator.ts';
import {
  joinValidators,
  type JoinValidatorsParameters,
  type JoinValidatorsReturnType,
} from './actions/wallet/validators/joinValidators.ts';
import {
  leaveValidators,
  type LeaveValidatorsParameters,
  type LeaveValidatorsReturnType,
} from './actions/wallet/validators/leaveValidators.ts';
import { liquidate, type LiquidateParameters, type LiquidateReturnType } from './actions/wallet/markets/liquidate.ts';
import {
  lockAccount,
  type LockAccountParameters,
  type LockAccountReturnType,
} from './actions/wallet/keys/lockAccount.ts';
import {
  modifyOrder,
  type ModifyOrderParameters,
  type ModifyOrderReturnType,
} from './actions/wallet/orders/modifyOrder.ts';
import {
  placeOrder,
  type PlaceOrderParameters,
  type PlaceOrderReturnType,
} from './actions/wallet/orders/placeOrder.ts';
import {
  revokeAgent,
  type RevokeAgentParameters,
  type RevokeAgentReturnType,
} from './actions/wallet/keys/revokeAgent.ts';
import {
  rotateSigner,
  type RotateSignerParameters,
  type RotateSignerReturnType,
} from './actions/wallet/validators/rotateSigner.ts';
import { sendNoop, type SendNoopParameters, type SendNoopReturnType } from './actions/wallet/sendNoop.ts';
import {
  setMarginParams,
  type SetMarginParamsParameters,
  type SetMarginParamsReturnType,
} from './actions/wallet/markets/setMarginParams.ts';
import {
  setValidatorEndpoint,
  type SetValidatorEndpointParameters,
  type SetValidatorEndpointReturnType,
} from './actions/wallet/validators/setValidatorEndpoint.ts';
import { signAction, type SignActionParameters, type SignActionReturnType } from './actions/wallet/signAction.ts';
import {
  submitAction,
  type SubmitActionParameters,
  type SubmitActionReturnType,
} from './actions/wallet/submitAction.ts';
import {
  submitBatch,
  type SubmitBatchParameters,
  type SubmitBatchReturnType,
} from './actions/wallet/orders/submitBatch.ts';
import {
  transferCollateral,
  type TransferCollateralParameters,
  type TransferCollateralReturnType,
} from './actions/wallet/transfers/transferCollateral.ts';
import {
  unbondStake,
  type UnbondStakeParameters,
  type UnbondStakeReturnType,
} from './actions/wallet/validators/unbondStake.ts';
import {
  unjailValidator,
  type UnjailValidatorParameters,
  type UnjailValidatorReturnType,
} from './actions/wallet/validators/unjailValidator.ts';
import {
  withdrawCollateral,
  type WithdrawCollateralParameters,
  type WithdrawCollateralReturnType,
} from './actions/wallet/transfers/withdrawCollateral.ts';
import type { PrimeClient } from './client.ts';
import type { Action } from './types/action.ts';

// A type and not an interface: viem's extend wants an index signature, which only types have implicitly.
/** Signed actions, as methods of a client with a key. Each resolves after the block that carried it out. */
export type PrimeWalletActions = {
  /** Opens a market. */
  addMarket(parameters: AddMarketParameters): Promise<AddMarketReturnType>;
  /** Lets another key sign for the account: trade, cancel, liquidate. */
  approveAgent(parameters: ApproveAgentParameters): Promise<ApproveAgentReturnType>;
  /** Adds to the stake of the validator. */
  bondStake(parameters: BondStakeParameters): Promise<BondStakeReturnType>;
  /** Cancels the open orders of the account in one market, or without it in all. */
  cancelAllOrders(parameters?: CancelAllOrdersParameters): Promise<CancelAllOrdersReturnType>;
  /** Takes an open order out of the book. */
  cancelOrder(parameters: CancelOrderParameters): Promise<CancelOrderReturnType>;
  /** Takes an open order out of the book by the owner's name for it. */
  cancelOrderByClientId(parameters: CancelOrderByClientIdParameters): Promise<CancelOrderByClientIdReturnType>;
  /** Moves wei of the account's EVM balance into its margin collateral. */
  depositCollateral(parameters: DepositCollateralParameters): Promise<DepositCollateralReturnType>;
  /** Carries out queued transfers to collateral, first in, first out; anyone may. */
  dequeueEvmToOrders(parameters?: DequeueEvmToOrdersParameters): Promise<DequeueEvmToOrdersReturnType>;
  /** Carries out queued transfers to EVM balances, first in, first out; anyone may. */
  dequeueOrdersToEvm(parameters?: DequeueOrdersToEvmParameters): Promise<DequeueOrdersToEvmReturnType>;
  /** Takes wei from the account's EVM balance and queues them as collateral of `to`. */
  enqueueEvmToOrders(parameters: EnqueueEvmToOrdersParameters): Promise<EnqueueEvmToOrdersReturnType>;
  /** Takes the validator out of the set until `unjailValidator`: before works on its machine. */
  jailValidator(parameters?: JailValidatorParameters): Promise<JailValidatorReturnType>;
  /** Registers the account as a validator, jailed until `unjailValidator`. */
  joinValidators(parameters: JoinValidatorsParameters): Promise<JoinValidatorsReturnType>;
  /** Takes the validator out of the set; all stake is returned after the unbonding period. */
  leaveValidators(parameters?: LeaveValidatorsParameters): Promise<LeaveValidatorsReturnType>;
  /** Closes positions of an account below its maintenance margin until it is healthy; anyone may. */
  liquidate(parameters: LiquidateParameters): Promise<LiquidateReturnType>;
  /** From now on only signed actions count for the account. */
  lockAccount(parameters?: LockAccountParameters): Promise<LockAccountReturnType>;
  /** Gives an order another price and another open size. */
  modifyOrder(parameters: ModifyOrderParameters): Promise<ModifyOrderReturnType>;
  /** Places a limit order and gives what became of it, after the block that matched it: id, fills, and what rests. */
  placeOrder(parameters: PlaceOrderParameters): Promise<PlaceOrderReturnType>;
  /** Ends an agent for ever: the same key can not be approved again. */
  revokeAgent(parameters: RevokeAgentParameters): Promise<RevokeAgentReturnType>;
  /** Gives the validator another signing key. */
  rotateSigner(parameters: RotateSignerParameters): Promise<RotateSignerReturnType>;
  /** Does nothing but use a nonce: whoever waits for its block knows that all earlier blocks are there. */
  sendNoop(parameters?: SendNoopParameters): Promise<SendNoopReturnType>;
  /** Sets the margin of one market, or without it that of all markets that have none of their own. */
  setMarginParams(parameters: SetMarginParamsParameters): Promise<SetMarginParamsReturnType>;
  /** Says where the node of the validator listens. */
  setValidatorEndpoint(parameters: SetValidatorEndpointParameters): Promise<SetValidatorEndpointReturnType>;
  /** Signs an action without sending it: `sendAction` does, now or later, once or again. */
  signAction<const action extends Action>(
    parameters: SignActionParameters<action>,
  ): Promise<SignActionReturnType<action>>;
  /** Signs an action, sends it, and waits until a block has carried it out. */
  submitAction<const action extends Action>(
    parameters: SubmitActionParameters<action>,
  ): Promise<SubmitActionReturnType<action>>;
  /** Up to 100 orders, cancels and modifies in one action with one signature. */
  submitBatch(parameters: SubmitBatchParameters): Promise<SubmitBatchReturnType>;
  /** Moves collateral to another account, at once. */
  transferCollateral(parameters: TransferCollateralParameters): Promise<TransferCollateralReturnType>;
  /** Takes stake out; it is returned after the unbonding period. */
  unbondStake(parameters: UnbondStakeParameters): Promise<UnbondStakeReturnType>;
  /** Ends the jail of the validator. */
  unjailValidator(parameters?: UnjailValidatorParameters): Promise<UnjailValidatorReturnType>;
  /** Takes collateral out of the order book and queues it for an EVM account. */
  withdrawCollateral(parameters: WithdrawCollateralParameters): Promise<WithdrawCollateralReturnType>;
};

/**
 * Signs and sends every action of the order book, the bridge and validators: `createWalletClient({ … }).extend(primeWalletActions())`.
 */
export const primeWalletActions =
  () =>
  (client: PrimeClient): PrimeWalletActions => ({
    addMarket: (parameters) => addMarket(client, parameters),
    approveAgent: (parameters) => approveAgent(client, parameters),
    bondStake: (parameters) => bondStake(client, parameters),
    cancelAllOrders: (parameters) => cancelAllOrders(client, parameters),
    cancelOrder: (parameters) => cancelOrder(client, parameters),
    cancelOrderByClientId: (parameters) => cancelOrderByClientId(client, parameters),
    depositCollateral: (parameters) => depositCollateral(client, parameters),
    dequeueEvmToOrders: (parameters) => dequeueEvmToOrders(client, parameters),
    dequeueOrdersToEvm: (parameters) => dequeueOrdersToEvm(client, parameters),
    enqueueEvmToOrders: (parameters) => enqueueEvmToOrders(client, parameters),
    jailValidator: (parameters) => jailValidator(client, parameters),
    joinValidators: (parameters) => joinValidators(client, parameters),
    leaveValidators: (parameters) => leaveValidators(client, parameters),
    liquidate: (parameters) => liquidate(client, parameters),
    lockAccount: (parameters) => lockAccount(client, parameters),
    modifyOrder: (parameters) => modifyOrder(client, parameters),
    placeOrder: (parameters) => placeOrder(client, parameters),
    revokeAgent: (parameters) => revokeAgent(client, parameters),
    rotateSigner: (parameters) => rotateSigner(client, parameters),
    sendNoop: (parameters) => sendNoop(client, parameters),
    setMarginParams: (parameters) => setMarginParams(client, parameters),
    setValidatorEndpoint: (parameters) => setValidatorEndpoint(client, parameters),
    signAction: (parameters) => signAction(client, parameters),
    submitAction: (parameters) => submitAction(client, parameters),
    submitBatch: (parameters) => submitBatch(client, parameters),
    transferCollateral: (parameters) => transferCollateral(client, parameters),
    unbondStake: (parameters) => unbondStake(client, parameters),
    unjailValidator: (parameters) => unjailValidator(client, parameters),
    withdrawCollateral: (parameters) => withdrawCollateral(client, parameters),
  });

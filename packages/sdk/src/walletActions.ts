import { bindActions } from './actions/bindActions.ts';
import * as governance from './actions/wallet/governance.ts';
import type {
  ChangeParameterParameters,
  ChangeParameterReturnType,
  ProposeChangeParameters,
  ProposeChangeReturnType,
  VoteOnChangeParameters,
  VoteOnChangeReturnType,
} from './actions/wallet/governance.ts';
import * as keys from './actions/wallet/keys.ts';
import type {
  ApproveAgentParameters,
  ApproveAgentReturnType,
  LockAccountParameters,
  LockAccountReturnType,
  RevokeAgentParameters,
  RevokeAgentReturnType,
  SendNoopParameters,
  SendNoopReturnType,
} from './actions/wallet/keys.ts';
import * as markets from './actions/wallet/markets.ts';
import type {
  AddMarketParameters,
  AddMarketReturnType,
  LiquidateParameters,
  LiquidateReturnType,
  SetMarginParamsParameters,
  SetMarginParamsReturnType,
} from './actions/wallet/markets.ts';
import * as orders from './actions/wallet/orders.ts';
import type {
  CancelAllOrdersParameters,
  CancelAllOrdersReturnType,
  PlaceTriggerParameters,
  PlaceTriggerReturnType,
  ScheduleCancelParameters,
  ScheduleCancelReturnType,
  CancelOrderByClientIdParameters,
  CancelOrderByClientIdReturnType,
  CancelOrderParameters,
  CancelOrderReturnType,
  ModifyOrderParameters,
  ModifyOrderReturnType,
  PlaceOrderParameters,
  PlaceOrderReturnType,
  SubmitBatchParameters,
  SubmitBatchReturnType,
} from './actions/wallet/orders.ts';
import { signAction, type SignActionParameters, type SignActionReturnType } from './actions/wallet/signAction.ts';
import {
  submitAction,
  type SubmitActionParameters,
  type SubmitActionReturnType,
} from './actions/wallet/submitAction.ts';
import * as subAccounts from './actions/wallet/subAccounts.ts';
import type { CreateSubAccountParameters, CreateSubAccountReturnType } from './actions/wallet/subAccounts.ts';
import * as transfers from './actions/wallet/transfers.ts';
import type {
  DepositCollateralParameters,
  DepositCollateralReturnType,
  DequeueEvmToOrdersParameters,
  DequeueEvmToOrdersReturnType,
  DequeueOrdersToEvmParameters,
  DequeueOrdersToEvmReturnType,
  EnqueueEvmToOrdersParameters,
  EnqueueEvmToOrdersReturnType,
  TransferCollateralParameters,
  TransferCollateralReturnType,
  WithdrawCollateralParameters,
  WithdrawCollateralReturnType,
} from './actions/wallet/transfers.ts';
import * as validators from './actions/wallet/validators.ts';
import type {
  BondStakeParameters,
  BondStakeReturnType,
  JailValidatorParameters,
  JailValidatorReturnType,
  JoinValidatorsParameters,
  JoinValidatorsReturnType,
  LeaveValidatorsParameters,
  LeaveValidatorsReturnType,
  RotateSignerParameters,
  RotateSignerReturnType,
  ReportPricesParameters,
  ReportPricesReturnType,
  SetOracleKeyParameters,
  SetOracleKeyReturnType,
  SetValidatorEndpointParameters,
  SetValidatorEndpointReturnType,
  UnbondStakeParameters,
  UnbondStakeReturnType,
  UnjailValidatorParameters,
  UnjailValidatorReturnType,
} from './actions/wallet/validators.ts';
import { type PrimeClient } from './client.ts';
import { type Action } from './types/action.ts';

// A type and not an interface: viem's extend wants an index signature, which only types have implicitly.
/** Signed actions, as methods of a client with a key. Each resolves after the block that carried it out. */
export type PrimeWalletActions = {
  /** Opens a market. */
  addMarket(parameters: AddMarketParameters): Promise<AddMarketReturnType>;
  /** Lets another key sign for the account: trade, cancel, liquidate, and the same for its sub-accounts. */
  approveAgent(parameters: ApproveAgentParameters): Promise<ApproveAgentReturnType>;
  /** Changes a parameter by the admin's signature. */
  changeParameter(parameters: ChangeParameterParameters): Promise<ChangeParameterReturnType>;
  /** Puts a change of a parameter to the vote of validators. */
  proposeChange(parameters: ProposeChangeParameters): Promise<ProposeChangeReturnType>;
  /** Says yes or no to a proposed change. */
  voteOnChange(parameters: VoteOnChangeParameters): Promise<VoteOnChangeReturnType>;
  /** Adds to the stake of the validator. */
  bondStake(parameters: BondStakeParameters): Promise<BondStakeReturnType>;
  /** Cancels the open orders of the account in one market, or without it in all. */
  cancelAllOrders(parameters?: CancelAllOrdersParameters): Promise<CancelAllOrdersReturnType>;
  /** Places an order that waits until the mark of its market is at a price. */
  placeTrigger(parameters: PlaceTriggerParameters): Promise<PlaceTriggerReturnType>;
  /** Has all orders of the account end at a block time. */
  scheduleCancel(parameters: ScheduleCancelParameters): Promise<ScheduleCancelReturnType>;
  /** Takes an open order out of the book. */
  cancelOrder(parameters: CancelOrderParameters): Promise<CancelOrderReturnType>;
  /** Takes an open order out of the book by the owner's name for it. */
  cancelOrderByClientId(parameters: CancelOrderByClientIdParameters): Promise<CancelOrderByClientIdReturnType>;
  /** Makes the sub-account of a number: an account of its own, for which the owner signs. */
  createSubAccount(parameters: CreateSubAccountParameters): Promise<CreateSubAccountReturnType>;
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
  setOracleKey(parameters: SetOracleKeyParameters): Promise<SetOracleKeyReturnType>;
  reportPrices(parameters: ReportPricesParameters): Promise<ReportPricesReturnType>;
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
    ...bindActions(client, governance),
    ...bindActions(client, keys),
    ...bindActions(client, markets),
    ...bindActions(client, orders),
    ...bindActions(client, subAccounts),
    ...bindActions(client, transfers),
    ...bindActions(client, validators),
    signAction: (parameters) => signAction(client, parameters),
    submitAction: (parameters) => submitAction(client, parameters),
  });

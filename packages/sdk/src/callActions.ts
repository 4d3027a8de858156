import { bindActions } from './actions/bindActions.ts';
import * as markets from './actions/call/markets.ts';
import type {
  CallAddMarketParameters,
  CallAddMarketReturnType,
  CallLiquidateParameters,
  CallLiquidateReturnType,
  CallSetMarginParamsParameters,
  CallSetMarginParamsReturnType,
} from './actions/call/markets.ts';
import * as orders from './actions/call/orders.ts';
import type {
  CallBatchParameters,
  CallBatchReturnType,
  CallCancelAllParameters,
  CallCancelAllReturnType,
  CallPlaceTriggerParameters,
  CallPlaceTriggerReturnType,
  CallScheduleCancelParameters,
  CallScheduleCancelReturnType,
  CallCancelOrderParameters,
  CallCancelOrderReturnType,
  CallSubmitOrderParameters,
  CallSubmitOrderReturnType,
} from './actions/call/orders.ts';
import * as transfers from './actions/call/transfers.ts';
import type {
  CallDepositCollateralParameters,
  CallDepositCollateralReturnType,
  CallDequeueEvmToOrdersParameters,
  CallDequeueEvmToOrdersReturnType,
  CallDequeueOrdersToEvmParameters,
  CallDequeueOrdersToEvmReturnType,
  CallEnqueueEvmToOrdersParameters,
  CallEnqueueEvmToOrdersReturnType,
  CallEnqueueOrdersToEvmParameters,
  CallEnqueueOrdersToEvmReturnType,
} from './actions/call/transfers.ts';
import { type PrimeClient } from './client.ts';

// A type and not an interface: viem's extend wants an index signature, which only types have implicitly.
/**
 * Writes by JSON-RPC calls, as methods of a client: the node carries them out for the account. {@link CallOptions}
 * says when it may.
 */
export type PrimeCallActions = {
  /** Opens a market by `primeorders_addMarket`. */
  callAddMarket(parameters: CallAddMarketParameters): Promise<CallAddMarketReturnType>;
  /** Up to 100 orders, cancels and modifies by `primeorders_batch`. */
  callBatch(parameters: CallBatchParameters): Promise<CallBatchReturnType>;
  /** Cancels the open orders of an account by `primeorders_cancelAll`. */
  callCancelAll(parameters: CallCancelAllParameters): Promise<CallCancelAllReturnType>;
  /** Places an order that waits for the mark of its market by `primeorders_placeTrigger`. */
  callPlaceTrigger(parameters: CallPlaceTriggerParameters): Promise<CallPlaceTriggerReturnType>;
  /** Has all orders of an account end at a block time by `primeorders_scheduleCancel`. */
  callScheduleCancel(parameters: CallScheduleCancelParameters): Promise<CallScheduleCancelReturnType>;
  /** Takes an order out of the book by `primeorders_cancelOrder`, in the name of its owner. */
  callCancelOrder(parameters: CallCancelOrderParameters): Promise<CallCancelOrderReturnType>;
  /** Moves wei into collateral by `primeorders_depositCollateral`; where genesis names a faucet, it pays what the account lacks. */
  callDepositCollateral(parameters: CallDepositCollateralParameters): Promise<CallDepositCollateralReturnType>;
  /** Carries out queued transfers to collateral by `primebridge_dequeueEvmToOrders`. */
  callDequeueEvmToOrders(parameters?: CallDequeueEvmToOrdersParameters): Promise<CallDequeueEvmToOrdersReturnType>;
  /** Carries out queued transfers to EVM balances by `primebridge_dequeueOrdersToEvm`. */
  callDequeueOrdersToEvm(parameters?: CallDequeueOrdersToEvmParameters): Promise<CallDequeueOrdersToEvmReturnType>;
  /** Queues wei of the EVM as collateral by `primebridge_enqueueEvmToOrders`. */
  callEnqueueEvmToOrders(parameters: CallEnqueueEvmToOrdersParameters): Promise<CallEnqueueEvmToOrdersReturnType>;
  /** Queues collateral for an EVM account by `primebridge_enqueueOrdersToEvm`. */
  callEnqueueOrdersToEvm(parameters: CallEnqueueOrdersToEvmParameters): Promise<CallEnqueueOrdersToEvmReturnType>;
  /** Closes positions of an account below its maintenance margin by `primeorders_liquidate`. */
  callLiquidate(parameters: CallLiquidateParameters): Promise<CallLiquidateReturnType>;
  /** Sets margin by `primeorders_setMarginParams`. */
  callSetMarginParams(parameters: CallSetMarginParamsParameters): Promise<CallSetMarginParamsReturnType>;
  /** Places an order by `primeorders_submitOrder`. */
  callSubmitOrder(parameters: CallSubmitOrderParameters): Promise<CallSubmitOrderReturnType>;
};

/**
 * Calls that change state without a signature of this process: on networks that take accounts at their word, for accounts that the node holds,
 * or with an authorization that was signed elsewhere. `createPublicClient({ … }).extend(primeCallActions())`.
 */
export const primeCallActions =
  () =>
  (client: PrimeClient): PrimeCallActions => ({
    ...bindActions(client, markets),
    ...bindActions(client, orders),
    ...bindActions(client, transfers),
  });

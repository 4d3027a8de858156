import {
  callAddMarket,
  type CallAddMarketParameters,
  type CallAddMarketReturnType,
} from './actions/call/callAddMarket.ts';
import { callBatch, type CallBatchParameters, type CallBatchReturnType } from './actions/call/callBatch.ts';
import {
  callCancelAll,
  type CallCancelAllParameters,
  type CallCancelAllReturnType,
} from './actions/call/callCancelAll.ts';
import {
  callCancelOrder,
  type CallCancelOrderParameters,
  type CallCancelOrderReturnType,
} from './actions/call/callCancelOrder.ts';
import {
  callDepositCollateral,
  type CallDepositCollateralParameters,
  type CallDepositCollateralReturnType,
} from './actions/call/callDepositCollateral.ts';
import {
  callDequeueEvmToOrders,
  type CallDequeueEvmToOrdersParameters,
  type CallDequeueEvmToOrdersReturnType,
} from './actions/call/callDequeueEvmToOrders.ts';
import {
  callDequeueOrdersToEvm,
  type CallDequeueOrdersToEvmParameters,
  type CallDequeueOrdersToEvmReturnType,
} from './actions/call/callDequeueOrdersToEvm.ts';
import {
  callEnqueueEvmToOrders,
  type CallEnqueueEvmToOrdersParameters,
  type CallEnqueueEvmToOrdersReturnType,
} from './actions/call/callEnqueueEvmToOrders.ts';
import {
  callEnqueueOrdersToEvm,
  type CallEnqueueOrdersToEvmParameters,
  type CallEnqueueOrdersToEvmReturnType,
} from './actions/call/callEnqueueOrdersToEvm.ts';
import {
  callLiquidate,
  type CallLiquidateParameters,
  type CallLiquidateReturnType,
} from './actions/call/callLiquidate.ts';
import {
  callSetMarginParams,
  type CallSetMarginParamsParameters,
  type CallSetMarginParamsReturnType,
} from './actions/call/callSetMarginParams.ts';
import {
  callSubmitOrder,
  type CallSubmitOrderParameters,
  type CallSubmitOrderReturnType,
} from './actions/call/callSubmitOrder.ts';
import type { PrimeClient } from './client.ts';

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
    callAddMarket: (parameters) => callAddMarket(client, parameters),
    callBatch: (parameters) => callBatch(client, parameters),
    callCancelAll: (parameters) => callCancelAll(client, parameters),
    callCancelOrder: (parameters) => callCancelOrder(client, parameters),
    callDepositCollateral: (parameters) => callDepositCollateral(client, parameters),
    callDequeueEvmToOrders: (parameters) => callDequeueEvmToOrders(client, parameters),
    callDequeueOrdersToEvm: (parameters) => callDequeueOrdersToEvm(client, parameters),
    callEnqueueEvmToOrders: (parameters) => callEnqueueEvmToOrders(client, parameters),
    callEnqueueOrdersToEvm: (parameters) => callEnqueueOrdersToEvm(client, parameters),
    callLiquidate: (parameters) => callLiquidate(client, parameters),
    callSetMarginParams: (parameters) => callSetMarginParams(client, parameters),
    callSubmitOrder: (parameters) => callSubmitOrder(client, parameters),
  });

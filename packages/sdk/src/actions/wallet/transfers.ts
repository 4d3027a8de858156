import type { PrimeClient } from '../../client.ts';
import type { ActionResult } from '../../types/action.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Collateral and transfers between the order book and the EVM, signed by the account. */

/** Wei of the account's own EVM balance. */
export interface DepositCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
}
/** The deposit with the collateral after it, and the block. */
export type DepositCollateralReturnType = ActionResult<'deposit'> & Inclusion;

/**
 * Moves wei of the account's EVM balance into its margin collateral.
 *
 * @throws InsufficientFundsError; what `submitAction` throws
 */
export function depositCollateral(
  client: PrimeClient,
  parameters: DepositCollateralParameters,
): Promise<DepositCollateralReturnType> {
  return submitFields(client, 'deposit', parameters);
}

/** Wei of the account's free collateral, and who gets them. */
export interface WithdrawCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
  /** EVM account that gets it. */
  readonly to: Address;
}
/** The transfer with its id, which waits from this block on. */
export type WithdrawCollateralReturnType = ActionResult<'withdraw'> & Inclusion;

/**
 * Takes collateral out of the order book and queues it for an EVM account. `dequeueOrdersToEvm` carries it out, where the network does not by itself.
 *
 * @throws InsufficientCollateralError, ProfitUnpaidError, BadRecipientError; what `submitAction` throws
 */
export function withdrawCollateral(
  client: PrimeClient,
  parameters: WithdrawCollateralParameters,
): Promise<WithdrawCollateralReturnType> {
  return submitFields(client, 'withdraw', parameters);
}

/** Wei of collateral, and the account whose collateral they become. */
export interface TransferCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
  readonly to: Address;
}
/** The transfer, and the block that carried it out. */
export type TransferCollateralReturnType = ActionResult<'transfer'> & Inclusion;

/**
 * Moves collateral to another account, at once.
 *
 * @throws InsufficientCollateralError, ProfitUnpaidError, BadRecipientError; what `submitAction` throws
 */
export function transferCollateral(
  client: PrimeClient,
  parameters: TransferCollateralParameters,
): Promise<TransferCollateralReturnType> {
  return submitFields(client, 'transfer', parameters);
}

/** Wei of the account's own EVM balance, and who gets them as collateral. */
export interface EnqueueEvmToOrdersParameters extends SubmitOptions {
  readonly amount: Wei;
  /** Account whose collateral they become. */
  readonly to: Address;
}
/** The transfer with its id, which waits from this block on. */
export type EnqueueEvmToOrdersReturnType = ActionResult<'enqueueEvmToOrders'> & Inclusion;

/**
 * Takes wei from the account's EVM balance and queues them as collateral of `to`. `dequeueEvmToOrders` carries it out.
 *
 * @throws InsufficientFundsError, BadRecipientError; what `submitAction` throws
 */
export function enqueueEvmToOrders(
  client: PrimeClient,
  parameters: EnqueueEvmToOrdersParameters,
): Promise<EnqueueEvmToOrdersReturnType> {
  return submitFields(client, 'enqueueEvmToOrders', parameters);
}

/** Most transfers that one action carries out. */
const dequeuedMax = 1_000;

/** How many transfers one action carries out. */
export interface DequeueEvmToOrdersParameters extends SubmitOptions {
  /** Most transfers that are carried out. Default 1000, which is also the most. */
  readonly max?: number | undefined;
}
/** Transfers that left the queue, how many still wait, and the block. */
export type DequeueEvmToOrdersReturnType = ActionResult<'bridgeDequeue'> & Inclusion;

/** Carries out queued transfers to collateral, first in, first out; anyone may. @throws what `submitAction` throws */
export function dequeueEvmToOrders(
  client: PrimeClient,
  parameters: DequeueEvmToOrdersParameters = {},
): Promise<DequeueEvmToOrdersReturnType> {
  return submitFields(client, 'bridgeDequeue', {
    ...parameters,
    max: parameters.max ?? dequeuedMax,
    direction: 'evm_to_orders',
  });
}

/** How many transfers one action carries out. */
export interface DequeueOrdersToEvmParameters extends SubmitOptions {
  /** Most transfers that are carried out. Default 1000, which is also the most. */
  readonly max?: number | undefined;
}
/** Transfers that left the queue, how many still wait, and the block. */
export type DequeueOrdersToEvmReturnType = ActionResult<'bridgeDequeue'> & Inclusion;

/** Carries out queued transfers to EVM balances, first in, first out; anyone may. @throws what `submitAction` throws */
export function dequeueOrdersToEvm(
  client: PrimeClient,
  parameters: DequeueOrdersToEvmParameters = {},
): Promise<DequeueOrdersToEvmReturnType> {
  return submitFields(client, 'bridgeDequeue', {
    ...parameters,
    max: parameters.max ?? dequeuedMax,
    direction: 'orders_to_evm',
  });
}

import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toQuantity } from '../../decode/quantity.ts';
import { decodeDeposit, decodeDequeued, decodeQueued } from '../../decode/results.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { Deposit, DequeuedTransfers, QueuedTransfer } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Collateral and transfers by JSON-RPC calls. */

/** Whose EVM balance becomes whose collateral: both are of `address`. `amount` in wei. */
export interface CallDepositCollateralParameters extends CallOptions {
  readonly address: Address;
  readonly amount: Wei;
}
/** The deposit, with the collateral after it. */
export type CallDepositCollateralReturnType = Deposit;

/**
 * Moves wei into collateral by `primeorders_depositCollateral`; where genesis names a faucet, it pays what the account lacks. `depositCollateral` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDepositCollateral(
  client: PrimeClient,
  { address, amount, authorization }: CallDepositCollateralParameters,
): Promise<CallDepositCollateralReturnType> {
  const parameters = [address, toQuantity(amount), encodeAuthorization(authorization)] as const;
  return decodeDeposit(await callRpc(client, 'primeorders_depositCollateral', [...parameters]));
}

/** Who pays wei of its EVM balance, and whose collateral they become. */
export interface CallEnqueueEvmToOrdersParameters extends CallOptions {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}
/** The transfer with its id, which waits from this block on. */
export type CallEnqueueEvmToOrdersReturnType = QueuedTransfer & { readonly blockNumber: bigint };

/**
 * Queues wei of the EVM as collateral by `primebridge_enqueueEvmToOrders`. `enqueueEvmToOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callEnqueueEvmToOrders(
  client: PrimeClient,
  { from, to, amount, authorization }: CallEnqueueEvmToOrdersParameters,
): Promise<CallEnqueueEvmToOrdersReturnType> {
  const transfer = { from, to, amount: toQuantity(amount) };
  const answer = await callRpc(client, 'primebridge_enqueueEvmToOrders', [
    transfer,
    encodeAuthorization(authorization),
  ]);
  return { ...decodeQueued(answer), blockNumber: toBigint(answer.block_number) };
}

/** Nothing but who authorizes the call. */
export type CallDequeueEvmToOrdersParameters = CallOptions;
/** Transfers that left the queue, how many still wait, and the block. */
export type CallDequeueEvmToOrdersReturnType = DequeuedTransfers & { readonly blockNumber: bigint };

/**
 * Carries out queued transfers to collateral by `primebridge_dequeueEvmToOrders`. `dequeueEvmToOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDequeueEvmToOrders(
  client: PrimeClient,
  { authorization }: CallDequeueEvmToOrdersParameters = {},
): Promise<CallDequeueEvmToOrdersReturnType> {
  const answer = await callRpc(client, 'primebridge_dequeueEvmToOrders', [encodeAuthorization(authorization)]);
  return { ...decodeDequeued(answer), blockNumber: toBigint(answer.block_number) };
}

/** Who pays wei of its collateral, and which EVM account gets them. */
export interface CallEnqueueOrdersToEvmParameters extends CallOptions {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}
/** The transfer with its id, which waits from this block on. */
export type CallEnqueueOrdersToEvmReturnType = QueuedTransfer & { readonly blockNumber: bigint };

/**
 * Queues collateral for an EVM account by `primebridge_enqueueOrdersToEvm`. `withdrawCollateral` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callEnqueueOrdersToEvm(
  client: PrimeClient,
  { from, to, amount, authorization }: CallEnqueueOrdersToEvmParameters,
): Promise<CallEnqueueOrdersToEvmReturnType> {
  const transfer = { from, to, amount: toQuantity(amount) };
  const answer = await callRpc(client, 'primebridge_enqueueOrdersToEvm', [
    transfer,
    encodeAuthorization(authorization),
  ]);
  return { ...decodeQueued(answer), blockNumber: toBigint(answer.block_number) };
}

/** Nothing but who authorizes the call. */
export type CallDequeueOrdersToEvmParameters = CallOptions;
/** Transfers that left the queue, how many still wait, and the block. */
export type CallDequeueOrdersToEvmReturnType = DequeuedTransfers & { readonly blockNumber: bigint };

/**
 * Carries out queued transfers to EVM balances by `primebridge_dequeueOrdersToEvm`. `dequeueOrdersToEvm` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDequeueOrdersToEvm(
  client: PrimeClient,
  { authorization }: CallDequeueOrdersToEvmParameters = {},
): Promise<CallDequeueOrdersToEvmReturnType> {
  const answer = await callRpc(client, 'primebridge_dequeueOrdersToEvm', [encodeAuthorization(authorization)]);
  return { ...decodeDequeued(answer), blockNumber: toBigint(answer.block_number) };
}

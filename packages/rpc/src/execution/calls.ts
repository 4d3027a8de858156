import type { CallOutcome } from '@prime/codec';
import type { Hex } from '@prime/primitives';
import { type CallArguments, callObject } from './callObjects.ts';
import { type MethodContext, optional, required } from '../define.ts';
import { RpcError, type RpcErrorCode } from '../errors/errors.ts';
import { blockOverrides, stateOverrides } from './overrides.ts';
import { blockSelector } from '../schema/valueTypes.ts';
import type { CallRequest } from '../ports/ports.ts';

/** What eth_call and eth_estimateGas share. */

/** Their parameters. */
export const callParams = [
  required('transaction', callObject),
  optional('block', blockSelector),
  optional('stateOverrides', stateOverrides),
  optional('blockOverrides', blockOverrides),
] as const;
/** And how they fail. */
export const callErrors = [
  'RPC_BLOCK_NOT_FOUND',
  'RPC_STATE_NOT_KEPT',
  'RPC_EXECUTION_REVERTED',
  'RPC_EXECUTION_FAILED',
  'RPC_TRANSACTION_REFUSED',
] as const satisfies readonly RpcErrorCode[];

/**
 * The request with its gas bounded by the node's limit; what asks for more gets the limit, as with go-ethereum. Not for estimates:
 * what they start from is the gas limit of a block.
 */
export function boundGas(context: MethodContext, request: CallArguments): CallRequest {
  refuseOtherChain(context, request.chainId);
  const { callGas } = context.info.limits;
  return { ...request, gas: request.gas === null || request.gas > callGas ? callGas : request.gas };
}

/** @throws RpcError `RPC_TRANSACTION_REFUSED` for a request that names another chain, in go-ethereum's words */
export function refuseOtherChain({ info }: MethodContext, chainId: bigint | null): void {
  if (chainId === null || chainId === BigInt(info.chainId)) return;
  throw new RpcError(`chainId does not match node's (have=${chainId}, want=${info.chainId})`, {
    code: 'RPC_TRANSACTION_REFUSED',
  });
}

/**
 * The successful outcome.
 *
 * @throws RpcError `RPC_EXECUTION_REVERTED`, `RPC_EXECUTION_FAILED`
 */
export function successOf(outcome: CallOutcome<Hex>): Extract<CallOutcome<Hex>, { status: 'success' }> {
  if (outcome.status === 'success') return outcome;
  if (outcome.status === 'failure') throw new RpcError(outcome.message, { code: 'RPC_EXECUTION_FAILED' });
  // Exactly these words: viem decodes the revert data of a -32000 under no other message.
  throw new RpcError('execution reverted', { code: 'RPC_EXECUTION_REVERTED', output: outcome.output });
}

import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeRegisteredValidator, decodeValidator } from '../../decode/chain.ts';
import { decodeConsensusStatus, decodeNetworkNodes } from '../../decode/consensus.ts';
import { blockParameter } from '../../decode/references.ts';
import type { RpcOpenRPC } from '../../generated/methods.ts';
import type { RegisteredValidator, Validator } from '../../types/chain.ts';
import type { ConsensusStatus, NetworkNodes } from '../../types/consensus.ts';
import type { BlockReference } from '../../types/primitives.ts';

/** Reads of the network, its validators and the node itself. */

/** One node's view: another node may be ahead or behind. */
export type GetConsensusStatusReturnType = ConsensusStatus;

/**
 * The height that is being decided as the node sees it: what the next block waits for and since when, whose turn it is, who voted.
 */
export async function getConsensusStatus(client: PrimeClient): Promise<GetConsensusStatusReturnType> {
  return decodeConsensusStatus(await callRpc(client, 'prime_consensusStatus', undefined));
}

/** One node's view: who is connected is told as this node sees it. */
export type GetNetworkReturnType = NetworkNodes;

/**
 * What the node knows of the network: rules and the next upgrade, validators with their newest block, other nodes that are connected.
 */
export async function getNetwork(client: PrimeClient): Promise<GetNetworkReturnType> {
  return decodeNetworkNodes(await callRpc(client, 'prime_network', undefined));
}

/** The document as the node sent it. */
export type GetOpenRpcReturnType = RpcOpenRPC;

/**
 * The interface of the node as an OpenRPC document: every method with parameters, result, errors and examples.
 */
export async function getOpenRpc(client: PrimeClient): Promise<GetOpenRpcReturnType> {
  return callRpc(client, 'rpc.discover', undefined);
}

/** Validators of the set, and those who are jailed or leave. */
export type GetRegisteredValidatorsReturnType = readonly RegisteredValidator[];

/**
 * All validators with stake, in the set or not. Empty on networks whose validators never change.
 */
export async function getRegisteredValidators(client: PrimeClient): Promise<GetRegisteredValidatorsReturnType> {
  return (await callRpc(client, 'prime_registeredValidators', undefined)).map(decodeRegisteredValidator);
}

/** For which block the set is read. */
export interface GetValidatorsParameters {
  /** Those who decided it; without: those who decide the next one. */
  readonly block?: BlockReference | undefined;
}
/** Only those who vote; `getRegisteredValidators` has all of them. */
export type GetValidatorsReturnType = readonly Validator[];

/**
 * The active validators with stake and voting power. With a block: in the order of their set, as a light client needs them.
 *
 * @throws HistoryPrunedError, RpcAnswerError for a block that is not known
 */
export async function getValidators(
  client: PrimeClient,
  { block }: GetValidatorsParameters = {},
): Promise<GetValidatorsReturnType> {
  const parameters = block === undefined ? null : blockParameter(block);
  return (await callRpc(client, 'prime_validators', [parameters])).map(decodeValidator);
}

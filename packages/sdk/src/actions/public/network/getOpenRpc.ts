import { callRpc, type PrimeClient } from '../../../client.ts';
import type { RpcOpenRPC } from '../../../generated/methods.ts';
/** The document as the node sent it. */
export type GetOpenRpcReturnType = RpcOpenRPC;

/**
 * The interface of the node as an OpenRPC document: every method with parameters, result, errors and examples.
 */
export async function getOpenRpc(client: PrimeClient): Promise<GetOpenRpcReturnType> {
  return callRpc(client, 'rpc.discover', undefined);
}

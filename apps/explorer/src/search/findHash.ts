import type { RpcClient } from '../node/rpcClient.ts';
import type { Suggestion } from './interpret.ts';

/** Asks the node what a hash is of. @throws NoAnswer, RpcRefusal */
export async function findHash(client: RpcClient, hash: `0x${string}`): Promise<readonly Suggestion[]> {
  const [block, transaction] = await Promise.all([
    client.request({ method: 'eth_getBlockByHash', params: [hash, false] }),
    client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
  ]);
  const text = hash;
  return [
    ...(block === null ? [] : [{ kind: 'Block', text, route: { page: 'block', block: hash } } as const]),
    ...(transaction === null ? [] : [{ kind: 'Transaction', text, route: { page: 'transaction', hash } } as const]),
  ];
}

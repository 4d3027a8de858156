import { type BlockClaim, blockClaimOf } from '@prime/audit';
import { rpcAll, RpcError, toHex } from '@prime/load';

/** Blocks from one height to another, as far as a node has them, as it tells them. */
export async function readBlocks(url: string, from: number, to: number): Promise<BlockClaim[]> {
  const calls = Array.from({ length: to - from + 1 }, (_, index) => ({
    method: 'eth_getBlockByNumber',
    params: [toHex(from + index), false],
  }));
  const answers = await rpcAll(url, calls);
  return answers.flatMap((answer) => {
    const claim = answer instanceof RpcError ? null : blockClaimOf(answer);
    return claim === null ? [] : [claim];
  });
}

import { getAccount, type PrimeClient } from '@prime/sdk';
import { getBlockNumber } from 'viem/actions';
import type { UnsettledFunding } from '../ledger.ts';

/**
 * What the position is owed of funding; null where no node says so, and the next look tells.
 *
 * The block is one that the node had before it was asked, so what it says may be newer, and never older: what was settled up to that block is not in it.
 */
export async function readUnsettledFunding(
  nodes: readonly PrimeClient[],
  address: `0x${string}`,
  marketId: number,
): Promise<UnsettledFunding | null> {
  for (const node of nodes)
    try {
      const blockNumber = await getBlockNumber(node, { cacheTime: 0 });
      const { positions } = await getAccount(node, { address });
      const held = positions.find((position) => position.marketId === marketId);
      return { blockNumber, amount: held?.unsettledFunding ?? 0n };
    } catch {
      // The next one may answer.
    }
  return null;
}

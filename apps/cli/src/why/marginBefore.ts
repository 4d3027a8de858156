import { ordersAddress } from '@prime/sdk';
import type { MarginFigures } from '@prime/sdk/explain';
import { type Address, BaseError, parseAbi } from 'viem';
import type { Connection } from '../client/connect.ts';

/** What contracts read of an account (packages/contracts), at any height whose state is kept. */
const accountAbi = parseAbi([
  'function account(address owner) view returns (int256 collateral, int256 equity, uint256 initial, uint256 maintenance, uint256 withdrawable)',
]);

/** Margin of an account after a block, at the prices that judged the one after it; null where that state is not kept. */
export async function marginAfter(
  { client }: Connection,
  owner: Address,
  blockNumber: bigint,
): Promise<MarginFigures | null> {
  try {
    const [collateral, equity, initialMargin, maintenanceMargin] = await client.readContract({
      address: ordersAddress,
      abi: accountAbi,
      functionName: 'account',
      args: [owner],
      blockNumber,
    });
    return { collateral, equity, initialMargin, maintenanceMargin };
  } catch (error) {
    // Pruned, or an account that was not there yet. A node that does not answer is told of by what is asked next.
    if (error instanceof BaseError) return null;
    throw error;
  }
}

import type { AuditedNode } from '@prime/audit';
import type { Hash } from '@prime/primitives';

/** Questions at once: nodes may have a queue to work off. */
const askedAtOnce = 8;

/**
 * Which operations are in a mempool still: they are late, and nobody may say that they are lost.
 *
 * @param nodes those that answer; one that ends meanwhile says nothing
 */
export async function waitingInMempools(
  nodes: readonly AuditedNode[],
  operations: Iterable<Hash>,
): Promise<ReadonlySet<Hash>> {
  const waiting = new Set<Hash>();
  const left = [...operations];
  const isWaiting = async (hash: Hash): Promise<boolean> => {
    for (const { call } of nodes) {
      const transaction = await call('eth_getTransactionByHash', [hash]).catch(() => null);
      if ((transaction as { readonly blockNumber: unknown } | null)?.blockNumber === null) return true;
    }
    return false;
  };
  const askInTurn = async (): Promise<void> => {
    for (let hash = left.pop(); hash !== undefined; hash = left.pop()) if (await isWaiting(hash)) waiting.add(hash);
  };
  await Promise.all(Array.from({ length: askedAtOnce }, askInTurn));
  return waiting;
}

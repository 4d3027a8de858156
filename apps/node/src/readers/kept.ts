import { readOldest } from '@prime/chain';
import type { StateRef } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Height, isPrimeError } from '@prime/primitives';
import { historyPruned, RpcError } from '@prime/rpc';

type Reads = Pick<StateDatabase, 'getSync'>;

/** Runs a read of a state, and refuses it when the state is not kept, be it that it was pruned while the read went on. */
export function stateGuard(database: Reads) {
  return async <T>(at: StateRef, read: () => T | Promise<T>): Promise<T> => {
    refuseOld(database, at);
    try {
      return await read();
    } catch (error) {
      if (isPrimeError(error) && error.code === 'EVM_NODE_MISSING') refuseOld(database, at);
      throw error;
    }
  };
}

/** @throws RpcError `RPC_STATE_NOT_KEPT`, in words that clients look for: go-ethereum's of a missing root */
function refuseOld(database: Reads, { height, stateRoot }: StateRef): void {
  const oldest = readOldest(database, 'oldestState');
  if (height >= oldest) return;
  throw new RpcError(
    `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available: block ${height} is older than ${oldest}, the oldest whose state this node keeps`,
    { code: 'RPC_STATE_NOT_KEPT', height, oldest },
  );
}

/** @throws RpcError `RPC_HISTORY_PRUNED`; genesis is always kept */
export function refusePruned(database: Reads, height: Height): void {
  const oldest = readOldest(database, 'oldestBlock');
  if (height > 0 && height < oldest) throw historyPruned(height, oldest);
}

import { encodeNativeTransaction } from '@prime/codec';
import { type Hash, isPrimeError } from '@prime/primitives';
import { type ActionRequest, type Actions, type ExecutedAction, RpcError } from '@prime/rpc';
import type { GatewayBackends } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { Keyring } from './keyring.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

const needsSignature = (error: unknown): boolean =>
  isPrimeError(error) && (error.code === 'ENGINE_SIGNATURE_REQUIRED' || error.code === 'ENGINE_ACCOUNT_LOCKED');

/** What actions go through, and where their results show. */
export interface ActionServiceParts {
  readonly backends: Pick<GatewayBackends, 'consensus' | 'reader'>;
  readonly blocks: RecentBlocks;
  readonly inclusions: Inclusions;
  readonly keyring: Keyring;
  readonly chainId: number;
  /** From admission to the block, after which the caller is told that the outcome is unknown. */
  readonly timeoutMs: number;
}

/**
 * Submits actions and waits for the blocks that execute them. Admission and deltas come over different links, so a delta may
 * tell the result of an action before its hash is known here; therefore recent blocks are asked first.
 */
export function createActionService(parts: ActionServiceParts): Actions {
  const { backends, blocks, inclusions, timeoutMs } = parts;
  const notExecuted = (hash: Hash, words = `not executed within ${timeoutMs} ms`): RpcError =>
    new RpcError(`${words}; the outcome is unknown`, { code: 'RPC_ACTION_NOT_EXECUTED', hash, timeoutMs });
  /** An answer that waited long for its hash may belong to a block that is no longer in memory. */
  const lastLook = async (hash: Hash): Promise<ExecutedAction> => {
    const location = await backends.reader.location(hash);
    if (location?.kind !== 'action') throw notExecuted(hash);
    const result = (await backends.reader.actionResults(location.height))[location.index];
    if (result === undefined) throw notExecuted(hash);
    return { hash, height: location.height, result };
  };
  return {
    async submit(request) {
      const hash = await admit(parts, request);
      const executed = blocks.executedAction(hash);
      if (executed !== undefined) return executed;
      const ended = await inclusions.wait(hash, timeoutMs);
      if (ended === 'closed') throw notExecuted(hash, 'not executed before the node stopped');
      return blocks.executedAction(hash) ?? lastLook(hash);
    },
  };
}

/** The caller's signature where there is one; else the node vouches, and where that does not count, the account's own key. */
async function admit(
  { backends: { consensus }, keyring, chainId }: ActionServiceParts,
  { account, payload, authorization }: ActionRequest,
): Promise<Hash> {
  if (authorization !== null) {
    const signed = { chainId, account, payload, signatureKind: 'eip712', ...authorization } as const;
    return consensus.submitTransaction(encodeNativeTransaction(signed));
  }
  try {
    return await consensus.submitAction({ account, payload });
  } catch (error) {
    const signed = needsSignature(error) ? keyring.signAction(account, payload) : null;
    if (signed === null) throw error;
    return consensus.submitTransaction(signed);
  }
}

import { encodeNativeTransaction } from '@prime/codec';
import { type Hash, isPrimeError } from '@prime/primitives';
import { type ActionRequest, type Actions, type ExecutedAction, RpcError } from '@prime/rpc';
import type { GatewayBackends } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { Keyring } from './keyring.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

const needsSignature = (error: unknown): boolean =>
  isPrimeError(error) && (error.code === 'ENGINE_SIGNATURE_REQUIRED' || error.code === 'ENGINE_ACCOUNT_LOCKED');

/**
 * Submits actions and waits for the blocks that execute them. Admission and deltas come over different links, so a delta may
 * tell the result of an action before its hash is known here; therefore recent blocks are asked first.
 */
export class ActionService implements Actions {
  private readonly backends: GatewayBackends;
  private readonly blocks: RecentBlocks;
  private readonly inclusions: Inclusions;
  private readonly keyring: Keyring;
  private readonly chainId: number;
  private readonly timeoutMs: number;

  /** @param timeoutMs from admission to the block, after which the caller is told that the outcome is unknown */
  constructor(options: {
    readonly backends: GatewayBackends;
    readonly blocks: RecentBlocks;
    readonly inclusions: Inclusions;
    readonly keyring: Keyring;
    readonly chainId: number;
    readonly timeoutMs: number;
  }) {
    this.backends = options.backends;
    this.blocks = options.blocks;
    this.inclusions = options.inclusions;
    this.keyring = options.keyring;
    this.chainId = options.chainId;
    this.timeoutMs = options.timeoutMs;
  }

  async submit(request: ActionRequest): Promise<ExecutedAction> {
    const hash = await this.admit(request);
    const executed = this.blocks.executedAction(hash);
    if (executed !== undefined) return executed;
    const ended = await this.inclusions.wait(hash, this.timeoutMs);
    if (ended === 'closed') throw this.notExecuted(hash, 'not executed before the node stopped');
    return this.blocks.executedAction(hash) ?? this.lastLook(hash);
  }

  /** The caller's signature where there is one; else the node vouches, and where that does not count, the account's own key. */
  private async admit({ account, payload, authorization }: ActionRequest): Promise<Hash> {
    const { consensus } = this.backends;
    if (authorization !== null) {
      const { chainId } = this;
      const signed = { chainId, account, payload, signatureKind: 'eip712', ...authorization } as const;
      return consensus.submitTransaction(encodeNativeTransaction(signed));
    }
    try {
      return await consensus.submitAction({ account, payload });
    } catch (error) {
      const signed = needsSignature(error) ? this.keyring.signAction(account, payload) : null;
      if (signed === null) throw error;
      return consensus.submitTransaction(signed);
    }
  }

  private notExecuted(hash: Hash, words = `not executed within ${this.timeoutMs} ms`): RpcError {
    const { timeoutMs } = this;
    return new RpcError(`${words}; the outcome is unknown`, { code: 'RPC_ACTION_NOT_EXECUTED', hash, timeoutMs });
  }

  /** An answer that waited long for its hash may belong to a block that is no longer in memory. */
  private async lastLook(hash: Hash): Promise<ExecutedAction> {
    const { reader } = this.backends;
    const location = await reader.location(hash);
    if (location?.kind !== 'action') throw this.notExecuted(hash);
    const result = (await reader.actionResults(location.height))[location.index];
    if (result === undefined) throw this.notExecuted(hash);
    return { hash, height: location.height, result };
  }
}

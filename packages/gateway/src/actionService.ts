import type { Hash } from '@prime/primitives';
import { type ActionRequest, type Actions, type ExecutedAction, RpcError } from '@prime/rpc';
import type { GatewayBackends } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { RecentBlocks } from './readModel/recentBlocks.ts';

/**
 * Submits actions and waits for the blocks that execute them. Admission and deltas come over different links, so a delta may
 * tell the result of an action before its hash is known here; therefore recent blocks are asked first.
 */
export class ActionService implements Actions {
  private readonly backends: GatewayBackends;
  private readonly blocks: RecentBlocks;
  private readonly inclusions: Inclusions;
  private readonly timeoutMs: number;

  /** @param timeoutMs from admission to the block, after which the caller is told that the outcome is unknown */
  constructor(backends: GatewayBackends, blocks: RecentBlocks, inclusions: Inclusions, timeoutMs: number) {
    this.backends = backends;
    this.blocks = blocks;
    this.inclusions = inclusions;
    this.timeoutMs = timeoutMs;
  }

  async submit(request: ActionRequest): Promise<ExecutedAction> {
    const hash = await this.backends.consensus.submitAction(request);
    const executed = this.blocks.executedAction(hash);
    if (executed !== undefined) return executed;
    const ended = await this.inclusions.wait(hash, this.timeoutMs);
    if (ended === 'closed') throw this.notExecuted(hash, 'not executed before the node stopped');
    return this.blocks.executedAction(hash) ?? this.lastLook(hash);
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

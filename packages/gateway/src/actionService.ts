import type { Hash } from '@prime/primitives';
import { type ActionRequest, type Actions, type ExecutedAction, RpcError } from '@prime/rpc';
import type { GatewayBackends } from './backends.ts';
import type { RecentBlocks } from './readModel/recentBlocks.ts';

interface Waiter {
  readonly resolve: (executed: ExecutedAction) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Submits actions and waits for the blocks that execute them. Admission and deltas come over different links, so a delta may
 * tell the result of an action before its hash is known here; therefore recent blocks are asked first.
 */
export class ActionService implements Actions {
  private readonly backends: GatewayBackends;
  private readonly blocks: RecentBlocks;
  private readonly timeoutMs: number;
  private readonly waiters = new Map<Hash, Waiter[]>();
  private closed = false;

  /** @param timeoutMs from admission to the block, after which the caller is told that the outcome is unknown */
  constructor(backends: GatewayBackends, blocks: RecentBlocks, timeoutMs: number) {
    this.backends = backends;
    this.blocks = blocks;
    this.timeoutMs = timeoutMs;
  }

  async submit(request: ActionRequest): Promise<ExecutedAction> {
    const hash = await this.backends.consensus.submitAction(request);
    return this.blocks.executedAction(hash) ?? this.waitFor(hash);
  }

  /** Tells those who wait about the actions of a new block. */
  settle(hashes: readonly Hash[]): void {
    if (this.waiters.size === 0) return;
    for (const hash of hashes) {
      const waiting = this.waiters.get(hash);
      const executed = waiting === undefined ? undefined : this.blocks.executedAction(hash);
      if (waiting === undefined || executed === undefined) continue;
      this.waiters.delete(hash);
      for (const waiter of waiting) waiter.resolve(executed);
    }
  }

  /** Everyone who waits gets an answer: the outcome is unknown. */
  close(): void {
    this.closed = true;
    for (const [hash, waiting] of this.waiters) for (const waiter of waiting) waiter.fail(this.notExecuted(hash));
    this.waiters.clear();
  }

  private notExecuted(hash: Hash): RpcError {
    const { timeoutMs } = this;
    const words = this.closed ? 'not executed before the node stopped' : `not executed within ${timeoutMs} ms`;
    return new RpcError(`${words}; the outcome is unknown`, { code: 'RPC_ACTION_NOT_EXECUTED', hash, timeoutMs });
  }

  private async waitFor(hash: Hash): Promise<ExecutedAction> {
    if (this.closed) throw this.notExecuted(hash);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(hash, waiter);
        this.lastLook(hash).then(resolve, reject);
      }, this.timeoutMs);
      const waiter: Waiter = {
        resolve: (executed) => {
          clearTimeout(timer);
          resolve(executed);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiters.set(hash, [...(this.waiters.get(hash) ?? []), waiter]);
    });
  }

  private remove(hash: Hash, waiter: Waiter): void {
    const left = (this.waiters.get(hash) ?? []).filter((other) => other !== waiter);
    if (left.length === 0) this.waiters.delete(hash);
    else this.waiters.set(hash, left);
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

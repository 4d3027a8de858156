import { overloaded } from '@prime/rpc';
import type { ConsensusBackend, ExecutionBackend } from './backends.ts';

/**
 * The consensus thread as callers may use it. Each question takes a little of the one thread that blocks depend on, so only a few
 * are asked at once, and one that everybody asks is asked once for all of them. What is submitted is bounded by the engine.
 */
export function boundedConsensus(consensus: ConsensusBackend, readsMax: number): ConsensusBackend {
  const slots = new Slots(readsMax, 'consensusReads', 'consensus');
  return {
    submitTransaction: (raw) => consensus.submitTransaction(raw),
    submitReadyTransaction: (raw) => consensus.submitReadyTransaction(raw),
    submitAction: (request) => consensus.submitAction(request),
    listenPending: (detail) => consensus.listenPending(detail),
    pendingNonce: (address) => slots.run(() => consensus.pendingNonce(address)),
    pooledTransaction: (hash) => slots.run(() => consensus.pooledTransaction(hash)),
    poolContent: (sender) => slots.run(() => consensus.poolContent(sender)),
    poolStatus: shared(() => consensus.poolStatus()),
    proposalTransactions: shared(() => consensus.proposalTransactions()),
    networkStatus: shared(() => consensus.networkStatus()),
    consensusStatus: shared(() => consensus.consensusStatus()),
    knownNodes: shared(() => consensus.knownNodes()),
  };
}

/** The same for the execution thread, which answers between blocks. */
export function boundedExecution(execution: ExecutionBackend, readsMax: number): ExecutionBackend {
  const slots = new Slots(readsMax, 'executionReads', 'execution');
  return { ordersProof: (key) => slots.run(() => execution.ordersProof(key)) };
}

/** Questions that may wait for a slot, per slot. */
const waitingPerSlot = 256;

/** At most so many at once, the others in their order. */
class Slots {
  private readonly max: number;
  private readonly limit: string;
  private readonly thread: string;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(max: number, limit: string, thread: string) {
    this.max = max;
    this.limit = limit;
    this.thread = thread;
  }

  /** @throws RpcError `RPC_OVERLOADED` when too many wait already */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.running >= this.max) {
      const waitingMax = this.max * waitingPerSlot;
      if (this.waiting.length >= waitingMax)
        throw overloaded(this.limit, waitingMax, `${waitingMax} questions to ${this.thread} wait`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await ask();
    } finally {
      // A slot goes from hand to hand, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}

/**
 * Asks once for all who ask. Whoever comes while a question is under way gets the answer to the next one: the one under way may
 * have been answered before something that this caller knows of already.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    running = ask();
    const settled = (): void => {
      running = null;
    };
    running.then(settled, settled);
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}

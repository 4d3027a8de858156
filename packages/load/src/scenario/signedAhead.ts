import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorFromObject, type ErrorObject } from '@prime/primitives';
import type { NetworkFacts, Operation, Partition } from './operation.ts';
import type { Scenario } from './schema.ts';

/** What a thread that signs is told. */
export interface AheadJob {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly partition: Partition;
  readonly facts: Omit<NetworkFacts, 'nonceOf'> & { readonly nonces: readonly number[] };
  readonly secret?: Uint8Array;
  readonly rate?: number;
  /** Operations of one message. */
  readonly chunk: number;
  /** One 32-bit word; not 0 when nothing more is wanted. */
  readonly stop: SharedArrayBuffer;
}

/** What it says: operations, or why it ended. */
export type AheadAnswer = { readonly operations: readonly Operation[] } | { readonly failure: ErrorObject };

export interface SignedAheadOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly partition: Partition;
  readonly facts: NetworkFacts;
  /** Accounts of the plan, the deployer included: nonces are asked for so many. */
  readonly accounts: number;
  readonly secret?: Uint8Array;
  readonly rate?: number;
  /** Operations that wait at most. Each takes about a kilobyte. */
  readonly capacity: number;
  /**
   * Threads that sign. Each has a share of the accounts like a worker, so the plan has to be made for `partition.workers` times as many workers.
   */
  readonly threads: number;
}

/** Operations of one message between threads: large enough that messages cost nothing beside signatures. */
const chunkMax = 256;

/**
 * Operations of a worker that are signed before they are due, by threads of their own, into a buffer with a bound.
 *
 * Each thread signs for every so manieth account of the worker, and the buffer takes from them in turn, so that the operations of a sender stay in their order.
 * The same options give the same operations, however fast the threads are; another number of threads gives others.
 */
export class SignedAhead {
  readonly #threads: readonly SigningThread[];
  readonly #stop = new SharedArrayBuffer(4);
  #next = 0;

  constructor(options: SignedAheadOptions) {
    const { partition, threads, capacity } = options;
    const { facts, accounts } = options;
    const { chainId, timeMs, baseFee, gasLimit, markets, height, transactions } = facts;
    const each = Math.max(1, Math.ceil(capacity / threads));
    this.#threads = Array.from(
      { length: threads },
      (_, index) =>
        new SigningThread(each, {
          scenario: options.scenario,
          seed: options.seed,
          // Of the accounts that leave `worker` when divided by `workers`, those that leave `index`.
          partition: { worker: partition.worker + index * partition.workers, workers: partition.workers * threads },
          facts: {
            ...{ chainId, timeMs, baseFee, gasLimit, markets },
            ...(height !== undefined && { height }),
            ...(transactions !== undefined && { transactions }),
            nonces: Array.from({ length: accounts }, (_account, account) => facts.nonceOf(account)),
          },
          ...(options.secret !== undefined && { secret: options.secret }),
          ...(options.rate !== undefined && { rate: options.rate }),
          chunk: Math.min(chunkMax, each),
          stop: this.#stop,
        }),
    );
  }

  /** Operations that are ready. */
  get ready(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.ready, 0);
  }

  /**
   * The next one; null when its thread has none ready, which is late and not an end.
   *
   * @throws LoadError what the scenario's own operations would throw
   */
  take(): Operation | null {
    const operation = this.#threads[this.#next]!.take();
    if (operation !== null) this.#next = (this.#next + 1) % this.#threads.length;
    return operation;
  }

  /** When the buffer is full. @throws LoadError as {@link SignedAhead.take} */
  async filled(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.filled()));
  }

  /** Ends the threads, and has to be called before the program ends. What is signed and not taken is lost. */
  async close(): Promise<void> {
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

class SigningThread {
  readonly #worker: Worker;
  readonly #chunk: number;
  readonly #capacity: number;
  readonly #waiting: (readonly Operation[])[] = [];
  /** Next of the first chunk. */
  #at = 0;
  #count = 0;
  /** Asked for and not here yet. */
  #asked = 0;
  #failure: Error | null = null;
  #onChange: () => void = () => undefined;

  constructor(capacity: number, job: AheadJob) {
    this.#chunk = job.chunk;
    this.#capacity = capacity;
    this.#worker = new Worker(new URL('./signedAhead.worker.js', import.meta.url), { workerData: job });
    // It must not keep a program alive that has nothing else to do.
    this.#worker.unref();
    this.#worker.on('message', (answer: AheadAnswer) => this.#hear(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ask();
  }

  get ready(): number {
    return this.#count;
  }

  take(): Operation | null {
    if (this.#count === 0) {
      if (this.#failure !== null) throw this.#failure;
      return null;
    }
    const operation = this.#waiting[0]![this.#at++]!;
    this.#count--;
    if (this.#at === this.#waiting[0]!.length) {
      this.#waiting.shift();
      this.#at = 0;
      this.#ask();
    }
    return operation;
  }

  filled(): Promise<void> {
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#onChange = () => {
        const isFull = this.#count + this.#chunk > this.#capacity;
        if (!isFull && this.#failure === null) return;
        this.#onChange = () => undefined;
        this.#worker.unref();
        if (this.#failure === null) resolve();
        else reject(this.#failure);
      };
      this.#onChange();
    });
  }

  /** Not terminate(): the native signer does not survive being ended inside of a call. */
  async close(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage('end');
    if (this.#worker.threadId !== -1) await once(this.#worker, 'exit');
  }

  /** Never more than fits. */
  #ask(): void {
    while (this.#count + this.#asked + this.#chunk <= this.#capacity) {
      this.#asked += this.#chunk;
      this.#worker.postMessage('chunk');
    }
  }

  #hear(answer: AheadAnswer): void {
    if ('failure' in answer) return this.#fail(errorFromObject(answer.failure));
    this.#waiting.push(answer.operations);
    this.#count += answer.operations.length;
    this.#asked -= answer.operations.length;
    this.#onChange();
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#onChange();
  }
}

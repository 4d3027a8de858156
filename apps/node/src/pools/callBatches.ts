import { type ErrorObject, errorFromObject } from '@prime/primitives';
import type { JobQueue } from './jobQueue.ts';

/** What became of each call of a batch; undefined for one that was not begun. */
export type BatchAnswers = readonly ({ readonly value: unknown } | { readonly error: ErrorObject } | undefined)[];

/** The queue that calls wait in, and how several of them go to one reader. */
export interface CallBatchesOptions {
  readonly queue: JobQueue;
  /** Has a reader carry out the calls that nobody claimed before it, in order. */
  readonly run: (calls: readonly (readonly unknown[])[], claims: Int32Array) => Promise<BatchAnswers>;
}

interface Call {
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Takes the call out of the queue. */
  leave: () => void;
}

/** State of a call in a batch, in memory that both threads see. */
const claim = { open: 0, running: 1, recalled: 2, done: 3 } as const;

/** Calls that go to a reader in one message. */
const batchMax = 64;
/** A batch that is not back by then holds a slow call: the others need not wait for it. */
const recallMs = 20;

/**
 * Sends the calls that wait for a reader to it together: a message between threads costs as much as many a call. A call waits in the
 * queue like any other job and takes those behind it along when its turn comes.
 *
 * Calls that share a batch with a slow one are called back and queue anew, so that they can go to another reader. One that is done but
 * whose answer is held up is simply carried out again.
 */
export class CallBatches {
  readonly #options: CallBatchesOptions;
  readonly #waiting = new Set<Call>();

  constructor(options: CallBatchesOptions) {
    this.#options = options;
  }

  /** @throws what the reader throws, or the refusal of the queue */
  call(args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue({ args, resolve, reject, leave: () => undefined });
    });
  }

  #queue(call: Call): void {
    this.#waiting.add(call);
    const job = () => this.#run(call);
    const queued = (leave: () => void): void => {
      call.leave = leave;
    };
    this.#options.queue.run('heavy', job, queued).catch((error: unknown) => {
      this.#waiting.delete(call);
      call.reject(error);
    });
  }

  async #run(first: Call): Promise<void> {
    // It went along with another one.
    if (!this.#waiting.delete(first)) return;
    const batch = [first];
    for (const call of this.#waiting) {
      if (batch.length >= batchMax) break;
      this.#waiting.delete(call);
      call.leave();
      batch.push(call);
    }
    const claims = new Int32Array(new SharedArrayBuffer(batch.length * Int32Array.BYTES_PER_ELEMENT));
    const recall = setInterval(() => this.#recall(batch, claims), recallMs);
    try {
      const answers = await this.#options.run(
        batch.map(({ args }) => args),
        claims,
      );
      for (const [index, call] of batch.entries()) settle(call, answers[index]);
    } catch (error) {
      // One call ended its reader: it fails. Others may be done, but their answers went with the reader.
      const isOwnFault = claims.includes(claim.running);
      for (const [index, call] of batch.entries())
        if (claims[index] === claim.running || !isOwnFault) call.reject(error);
        else if (Atomics.exchange(claims, index, claim.recalled) !== claim.recalled) this.#queue(call);
    } finally {
      clearInterval(recall);
    }
  }

  #recall(batch: readonly Call[], claims: Int32Array): void {
    // The reader has not come to it: it may be loading.
    if (claims.every((state) => state === claim.open)) return;
    for (const [index, call] of batch.entries())
      if (takeBack(claims, index, claim.open) || takeBack(claims, index, claim.done)) this.#queue(call);
  }
}

const takeBack = (claims: Int32Array, index: number, from: number): boolean =>
  Atomics.compareExchange(claims, index, from, claim.recalled) === from;

/** A second answer to a call that was carried out again changes nothing. */
function settle({ resolve, reject }: Call, answer: BatchAnswers[number]): void {
  if (answer === undefined) return;
  if ('error' in answer) reject(errorFromObject(answer.error));
  else resolve(answer.value);
}

/** The reader's side: carries out the calls that are still open. */
export async function answerBatch(
  calls: readonly (readonly unknown[])[],
  claims: Int32Array,
  answer: (args: readonly unknown[]) => Promise<NonNullable<BatchAnswers[number]>>,
): Promise<BatchAnswers> {
  const answers: BatchAnswers[number][] = [];
  for (const [index, args] of calls.entries()) {
    if (Atomics.compareExchange(claims, index, claim.open, claim.running) !== claim.open) {
      answers.push(undefined);
      continue;
    }
    answers.push(await answer(args));
    Atomics.store(claims, index, claim.done);
  }
  return answers;
}

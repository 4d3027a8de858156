import { EngineError } from './errors.ts';
import type { VerificationFailure } from './ports.ts';

/**
 * Hands raw bytes to the verifier in batches: while one batch is under way the next one gathers, so that a burst costs few
 * round trips and a lone transaction none in vain. Bounded in entries.
 */
export interface VerifyQueue<Verified> {
  /** @throws EngineError `ENGINE_BUSY` when the queue is full */
  push(raw: Uint8Array, done: (result: Verified | VerificationFailure) => void): void;
}

const batchMax = 256;
/** Raw transactions that wait for their signature check; at ~100 µs each the last one waits under a second. */
const queueMax = 8192;

export function createVerifyQueue<Verified>(
  verify: (raws: readonly Uint8Array[]) => Promise<readonly (Verified | VerificationFailure)[]>,
  onBatchDone: () => void,
  onFatal: (error: unknown) => void,
): VerifyQueue<Verified> {
  type Entry = { readonly raw: Uint8Array; readonly done: (result: Verified | VerificationFailure) => void };
  let waiting: Entry[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      const results = await verify(batch.map(({ raw }) => raw));
      batch.forEach(({ done }, index) => done(results[index]!));
      onBatchDone();
    }
    running = false;
  };

  return {
    push(raw, done) {
      if (waiting.length >= queueMax)
        throw new EngineError(`${queueMax} transactions wait for their signature check already`, {
          code: 'ENGINE_BUSY',
          limit: queueMax,
        });
      waiting.push({ raw, done });
      if (!running) drain().catch(onFatal);
    },
  };
}

export const isFailure = (result: object): result is VerificationFailure => 'failure' in result;

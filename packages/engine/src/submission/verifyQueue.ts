import type { Hash } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import type { VerificationFailure } from '../ports.ts';

type Done<Verified> = (result: Verified | VerificationFailure) => void;

/**
 * Hands raw bytes to the verifier in batches: while one batch is under way the next one gathers, so that a burst costs few
 * round trips and a lone transaction none in vain. Bounded in entries.
 */
export interface VerifyQueue<Verified> {
  /** @throws EngineError `ENGINE_BUSY` when the queue is full */
  push(raw: Uint8Array, hash: Hash, done: Done<Verified>): void;
  /** Bytes that wait for their check or are in it; null when none with this hash are. */
  waiting(hash: Hash): Uint8Array | null;
  /** How many more it takes. */
  readonly room: number;
}

const batchMax = 256;
/** Raw transactions that wait for their signature check; at ~100 µs each the last one waits under a second. */
const queueMax = 8192;

/**
 * Checks items in batches of at most 256, in the order of their arrival. At most 8192 wait.
 *
 * @throws EngineError `ENGINE_BUSY` by `push`, when as many wait already
 */
export function createVerifyQueue<Verified>(
  verify: (
    raws: readonly Uint8Array[],
    hashes: readonly Hash[],
  ) => Promise<readonly (Verified | VerificationFailure)[]>,
  onBatchDone: () => void,
  onFatal: (error: unknown) => void,
): VerifyQueue<Verified> {
  type Entry = { readonly raw: Uint8Array; readonly hash: Hash; readonly done: Done<Verified> };
  let waiting: Entry[] = [];
  /** These and those that are being checked, for who needs them sooner. */
  const raws = new Map<Hash, Uint8Array>();
  let running = false;

  const drain = async (): Promise<void> => {
    running = true;
    // What comes in one message is one batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      const results = await verify(
        batch.map(({ raw }) => raw),
        batch.map(({ hash }) => hash),
      );
      for (const { hash } of batch) raws.delete(hash);
      batch.forEach(({ done }, index) => done(results[index]!));
      onBatchDone();
    }
    running = false;
  };

  return {
    push(raw, hash, done) {
      if (waiting.length >= queueMax)
        throw new EngineError(`${queueMax} transactions wait for their signature check already`, {
          code: 'ENGINE_BUSY',
          limit: queueMax,
        });
      waiting.push({ raw, hash, done });
      raws.set(hash, raw);
      if (!running) drain().catch(onFatal);
    },
    waiting: (hash) => raws.get(hash) ?? null,
    get room() {
      return queueMax - waiting.length;
    },
  };
}

/** Tells a failure from what was verified. */
export const isFailure = (result: object): result is VerificationFailure => 'failure' in result;

import { decodeVerifiedFields, encodeFrames, type VerifiedAction, type VerifiedTransaction } from '@prime/codec';
import type { VerificationFailure, Verifier } from '@prime/engine';
import { Piscina } from 'piscina';
import type { FlatVerdicts, VerifyTask } from './crypto.worker.ts';
import type { CheckContext } from './signatureChecks.ts';
import { workerFile } from '../workerFile.ts';

/** Signature checks in worker threads of their own, so that a flood of transactions costs the consensus thread no time. */
export interface VerifierPool extends Verifier {
  /** Starts the threads, so that the first real batch does not wait for them. */
  warm(): void;
  close(): Promise<void>;
}

/** Starts no thread before it is warmed or asked. */
export function createVerifierPool({
  threads,
  ...workerData
}: CheckContext & { readonly threads: number }): VerifierPool {
  // Started late: while a node starts, its processors have more urgent things to load.
  let pool: Piscina | null = null;
  const started = (): Piscina =>
    (pool ??= new Piscina({
      filename: workerFile('pools/crypto.worker.js').href,
      name: 'verify',
      minThreads: threads,
      maxThreads: threads,
      workerData,
    }));
  const run = (task: VerifyTask, transferList: ArrayBuffer[] = []): Promise<unknown> =>
    started().run(task, { transferList }) as Promise<unknown>;
  return {
    async transactions(raws) {
      const frames = encodeFrames(raws);
      return verdictsOf(
        (await run({ kind: 'transactions', frames }, [frames.buffer as ArrayBuffer])) as FlatVerdicts,
        raws,
      );
    },
    actions: async (raws) =>
      (await run({ kind: 'actions', raws })) as readonly (VerifiedAction | VerificationFailure)[],
    warm: () => {
      started();
    },
    // Not destroyed: a thread that is ended in the middle of native code takes the process with it.
    close: async () => {
      await pool?.close({ force: true });
    },
  };
}

/** In the order of the bytes. */
function verdictsOf(
  { fields, failures }: FlatVerdicts,
  raws: readonly Uint8Array[],
): readonly (VerifiedTransaction | VerificationFailure)[] {
  const failed = new Map(failures.map((each) => [each.index, each.failure]));
  const good = decodeVerifiedFields(
    fields,
    raws.filter((_, index) => !failed.has(index)),
  );
  if (failed.size === 0) return good;
  let next = 0;
  return raws.map((_, index) => {
    const failure = failed.get(index);
    return failure === undefined ? good[next++]! : { failure };
  });
}

/** Threads of a pool: the configured number, or one per two cores and at least one. */
export const poolThreads = (configured: number, cores: number): number =>
  configured > 0 ? configured : Math.max(1, Math.floor(cores / 2));

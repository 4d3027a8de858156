import type { VerifiedAction, VerifiedTransaction } from '@prime/codec';
import type { VerificationFailure, Verifier } from '@prime/engine';
import { Piscina } from 'piscina';
import type { VerifyTask } from './pools/crypto.worker.ts';
import type { CheckContext } from './signatureChecks.ts';
import { workerFile } from './workerFile.ts';

/** Signature checks in worker threads of their own, so that a flood of transactions costs the consensus thread no time. */
export interface VerifierPool extends Verifier {
  /** Starts the threads, so that the first real batch does not wait for them. */
  warm(): void;
  close(): Promise<void>;
}

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
  const run = (task: VerifyTask): Promise<unknown> => started().run(task) as Promise<unknown>;
  return {
    transactions: async (raws) =>
      (await run({ kind: 'transactions', raws })) as readonly (VerifiedTransaction | VerificationFailure)[],
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

/** Threads of a pool: the configured number, or one per two cores and at least one. */
export const poolThreads = (configured: number, cores: number): number =>
  configured > 0 ? configured : Math.max(1, Math.floor(cores / 2));

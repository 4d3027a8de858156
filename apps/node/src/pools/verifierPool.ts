import { decodeActionFields, decodeVerifiedFields, encodeFrames } from '@prime/codec';
import type { VerificationFailure, Verifier } from '@prime/engine';
import { Piscina } from 'piscina';
import type { FlatVerdicts, VerifyTask } from './crypto.worker.ts';
import type { CheckContext } from './signatureChecks.ts';
import { workerFile } from '../workerFile.ts';
import { youngHeap } from '../v8/collector.ts';

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
      resourceLimits: youngHeap('small'),
      workerData,
    }));
  const run = (kind: VerifyTask['kind'], raws: readonly Uint8Array[]): Promise<FlatVerdicts> => {
    const frames = encodeFrames(raws);
    return started().run({ kind, frames }, { transferList: [frames.buffer as ArrayBuffer] }) as Promise<FlatVerdicts>;
  };
  return {
    transactions: async (raws) => verdictsOf(await run('transactions', raws), raws, decodeVerifiedFields),
    actions: async (raws) => verdictsOf(await run('actions', raws), raws, decodeActionFields),
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
function verdictsOf<Verified>(
  { fields, failures }: FlatVerdicts,
  raws: readonly Uint8Array[],
  decode: (fields: Uint8Array, raws: readonly Uint8Array[]) => Verified[],
): readonly (Verified | VerificationFailure)[] {
  const failed = new Map(failures.map((each) => [each.index, each.failure]));
  const good = decode(
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

import { workerData } from 'node:worker_threads';
import { encodeVerifiedFields, frameAt, frameCount, type VerifiedTransaction } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { type CheckContext, createSignatureChecks } from './signatureChecks.ts';

/** What the consensus thread hands to the pool: raw bytes of one kind, of transactions as frames. */
export type VerifyTask =
  | { readonly kind: 'transactions'; readonly frames: Uint8Array }
  | { readonly kind: 'actions'; readonly raws: readonly Uint8Array[] };

const checks = createSignatureChecks(workerData as CheckContext, await cryptoProvider());

/** Verdicts about transactions: fields of the good ones as the codec has them, without the bytes, which the asker has; and the others by their places. */
export interface FlatVerdicts {
  readonly fields: Uint8Array;
  readonly failures: readonly { readonly index: number; readonly failure: string }[];
}

function flatVerdicts(frames: Uint8Array): FlatVerdicts {
  const raws = Array.from({ length: frameCount(frames) }, (_, index) => frameAt(frames, index));
  const good: VerifiedTransaction[] = [];
  const failures: { index: number; failure: string }[] = [];
  for (const [index, verdict] of checks.transactions(raws).entries())
    if ('failure' in verdict) failures.push({ index, failure: verdict.failure });
    else good.push(verdict);
  return { fields: encodeVerifiedFields(good), failures };
}

/** Recovers senders or signers of a batch. */
export const verify = (task: VerifyTask): FlatVerdicts | readonly unknown[] =>
  task.kind === 'transactions' ? flatVerdicts(task.frames) : checks.actions(task.raws);

import { workerData } from 'node:worker_threads';
import { encodeActionFields, encodeVerifiedFields, framesIn } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import type { VerificationFailure } from '@prime/engine';
import { type CheckContext, createSignatureChecks } from './signatureChecks.ts';

/** What the consensus thread hands to the pool: raw bytes of one kind, as frames. */
export interface VerifyTask {
  readonly kind: 'transactions' | 'actions';
  readonly frames: Uint8Array;
}

const checks = createSignatureChecks(workerData as CheckContext, await cryptoProvider());

/** Verdicts: fields of the good items as the codec has them, without the bytes, which the asker has; and the others by their places. */
export interface FlatVerdicts {
  readonly fields: Uint8Array;
  readonly failures: readonly { readonly index: number; readonly failure: string }[];
}

function flatVerdicts<Verified extends object>(
  verdicts: readonly (Verified | VerificationFailure)[],
  encode: (good: readonly Verified[]) => Uint8Array,
): FlatVerdicts {
  const good: Verified[] = [];
  const failures: { index: number; failure: string }[] = [];
  for (const [index, verdict] of verdicts.entries())
    if ('failure' in verdict) failures.push({ index, failure: verdict.failure });
    else good.push(verdict);
  return { fields: encode(good), failures };
}

/** Recovers senders or signers of a batch. */
export function verify({ kind, frames }: VerifyTask): FlatVerdicts {
  const raws = framesIn(frames);
  return kind === 'transactions'
    ? flatVerdicts(checks.transactions(raws), encodeVerifiedFields)
    : flatVerdicts(checks.actions(raws), encodeActionFields);
}

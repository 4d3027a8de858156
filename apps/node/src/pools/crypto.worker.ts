import { workerData } from 'node:worker_threads';
import { cryptoProvider } from '@prime/crypto';
import { type CheckContext, createSignatureChecks, type SignatureChecks } from '../signatureChecks.ts';

/** What the consensus thread hands to the pool: raw bytes of one kind. */
export interface VerifyTask {
  readonly kind: keyof SignatureChecks;
  readonly raws: readonly Uint8Array[];
}

const checks = createSignatureChecks(workerData as CheckContext, await cryptoProvider());

/** Recovers senders or signers of a batch. */
export const verify = ({ kind, raws }: VerifyTask): readonly unknown[] => checks[kind](raws);

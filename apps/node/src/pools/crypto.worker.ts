import { workerData } from 'node:worker_threads';
import { verifyNativeTransaction } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createTransactionVerifier } from '@prime/evm/verify';

/** What the consensus thread hands to the pool: raw bytes of one kind. */
export interface VerifyTask {
  readonly kind: 'transactions' | 'actions';
  readonly raws: readonly Uint8Array[];
}

export interface VerifyPoolData {
  readonly chainId: number;
  readonly gasLimit: bigint;
}

const { chainId, gasLimit } = workerData as VerifyPoolData;
const provider = await cryptoProvider();
const verifyTransaction = createTransactionVerifier({ chainId, blockGasLimit: gasLimit, provider });

/** Recovers senders or signers of a batch. */
export function verify({ kind, raws }: VerifyTask): unknown[] {
  return kind === 'transactions'
    ? raws.map((raw) => verifyTransaction(raw))
    : raws.map((raw) => verifyNativeTransaction(raw, chainId, provider));
}

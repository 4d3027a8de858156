import { verifyNativeTransaction } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Verifier } from '@prime/engine';
import { createTransactionVerifier } from '@prime/evm/verify';

/** What a verdict depends on besides the bytes. */
export interface CheckContext {
  readonly chainId: number;
  readonly gasLimit: bigint;
}

/** {@link Verifier} in the calling thread. */
export type SignatureChecks = {
  readonly [Kind in keyof Verifier]: (raws: readonly Uint8Array[]) => Awaited<ReturnType<Verifier[Kind]>>;
};

/** Recovers senders and signers. The same in every thread. */
export function createSignatureChecks({ chainId, gasLimit }: CheckContext, provider: CryptoProvider): SignatureChecks {
  const verifyTransaction = createTransactionVerifier({ chainId, blockGasLimit: gasLimit, provider });
  return {
    transactions: (raws) => raws.map((raw) => verifyTransaction(raw)),
    actions: (raws) => raws.map((raw) => verifyNativeTransaction(raw, chainId, provider)),
  };
}

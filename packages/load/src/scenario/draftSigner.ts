import type { Address } from '@prime/primitives';
import type { ActionDraft, Draft, TransactionDraft } from './draft.ts';
import type { Keyring } from './keyring.ts';
import type { Operation } from './operation.ts';
import { type Fees, signAction, type Signing, signTransaction } from './signedOperation.ts';

/** Keys, fees and nonces that drafts become operations with. */
export interface DraftSignerOptions extends Signing {
  readonly keyring: Keyring;
  /** Fee cap and tip of transactions, wei per gas. */
  readonly fees: Fees;
  /** Nonce of the first action of each signer, ms. */
  readonly firstActionNonce: number;
  /** Next EVM nonce of an account by index. */
  nonceOf(account: number): number;
}

/** Fees of a run, wei per gas. */
export interface RunFees extends Fees {
  /** What a transaction is counted with when nobody knows how the base fee will rise. */
  readonly expected: bigint;
}

const gwei = 10n ** 9n;

/** A run that fills blocks raises the base fee by an eighth a block: room for forty of them. */
const feeCapFactor = 100n;
/** The base fee may be so many times what it was, on the average of a run. */
const feeRise = 4n;

/** @param baseFee wei per gas of the newest block */
export const feesAt = (baseFee: bigint): RunFees => {
  const base = baseFee > gwei ? baseFee : gwei;
  const tip = gwei / 10n;
  return { maxFeePerGas: base * feeCapFactor, maxPriorityFeePerGas: tip, expected: base * feeRise + tip };
};

/** Makes operations of drafts: the nonces of each signer go up by one. */
export class DraftSigner {
  readonly #options: DraftSignerOptions;
  readonly #fees: Fees;
  readonly #actionNonces = new Map<Address, number>();
  readonly #transactionNonces = new Map<number, number>();

  constructor(options: DraftSignerOptions) {
    this.#options = options;
    const { maxFeePerGas, maxPriorityFeePerGas } = options.fees;
    this.#fees = { maxFeePerGas, maxPriorityFeePerGas };
  }

  sign(draft: Draft): Operation {
    switch (draft.as) {
      case 'action':
        return this.#action(draft);
      case 'transaction':
        return this.#transaction(draft);
      case 'read':
        return { kind: draft.kind, method: draft.method, params: draft.params, hash: null, sender: null };
    }
  }

  #action({ kind, signer, account, payload }: ActionDraft): Operation {
    const nonce = this.#actionNonces.get(signer.address) ?? this.#options.firstActionNonce;
    this.#actionNonces.set(signer.address, nonce + 1);
    return signAction(this.#options, { kind, signer, nonce, account, payload });
  }

  #transaction({ from, ...draft }: TransactionDraft): Operation {
    const nonce = this.#transactionNonces.get(from) ?? this.#options.nonceOf(from);
    this.#transactionNonces.set(from, nonce + 1);
    const signer = this.#options.keyring.account(from);
    return signTransaction(this.#options, { ...draft, signer, nonce, fees: this.#fees });
  }
}

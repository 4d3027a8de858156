import { encodeNativeTransaction, nativeSigningDigest, nativeTransactionHash, unsignedTransaction } from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { type Address, bytesToHex, type Hash } from '@prime/primitives';
import type { ActionDraft, Draft, TransactionDraft } from './draft.ts';
import type { Account, Keyring } from './keyring.ts';
import type { Operation } from './operation.ts';

/** Keys, fees and nonces that drafts become operations with. */
export interface DraftSignerOptions {
  readonly chainId: number;
  readonly provider: CryptoProvider;
  readonly keyring: Keyring;
  /** Fee cap and tip of transactions, wei per gas. */
  readonly fees: Fees;
  /** Nonce of the first action of each signer, ms. */
  readonly firstActionNonce: number;
  /** Next EVM nonce of an account by index. */
  nonceOf(account: number): number;
}

/** Fee cap and tip of EIP-1559 transactions, wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
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
  readonly #fees: { readonly kind: 'dynamic' } & Fees;
  readonly #actionNonces = new Map<Address, number>();
  readonly #transactionNonces = new Map<number, number>();

  constructor(options: DraftSignerOptions) {
    this.#options = options;
    const { maxFeePerGas, maxPriorityFeePerGas } = options.fees;
    this.#fees = { kind: 'dynamic', maxFeePerGas, maxPriorityFeePerGas };
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
    const { chainId, provider } = this.#options;
    const nonce = this.#nextActionNonce(signer);
    const unsigned = { chainId, nonce, expiresAt: 0, account, payload, signatureKind: 'raw' } as const;
    const signature = provider.sign(nativeSigningDigest(unsigned), signer.privateKey);
    const raw = encodeNativeTransaction({ ...unsigned, signature });
    return signed(kind, raw, nativeTransactionHash(raw), signer.address);
  }

  #transaction({ kind, from, to, value, data, gas }: TransactionDraft): Operation {
    const { chainId, provider, keyring } = this.#options;
    const { address, privateKey } = keyring.account(from);
    const nonce = this.#transactionNonces.get(from) ?? this.#options.nonceOf(from);
    this.#transactionNonces.set(from, nonce + 1);
    const content = { to, value, data, gas, accessList: [], authorizationList: [], fees: this.#fees };
    const unsigned = unsignedTransaction(chainId, nonce, content);
    const raw = unsigned.encode(provider.sign(keccak256(unsigned.message), privateKey));
    return signed(kind, raw, keccakHex(raw), address);
  }

  #nextActionNonce({ address }: Account): number {
    const nonce = this.#actionNonces.get(address) ?? this.#options.firstActionNonce;
    this.#actionNonces.set(address, nonce + 1);
    return nonce;
  }
}

const signed = (kind: string, raw: Uint8Array, hash: Hash, sender: Address): Operation => ({
  kind,
  method: 'eth_sendRawTransaction',
  params: `["${bytesToHex(raw)}"]`,
  hash,
  sender,
});

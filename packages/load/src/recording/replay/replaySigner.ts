import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  type UnsignedNativeTransaction,
  unsignedTransaction,
} from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { type Address, bytesToHex } from '@prime/primitives';
import type { NetworkFacts, Operation } from '../../scenario/operation.ts';
import type { ReplayAccount } from './replayAccounts.ts';

/** Wei per gas: so many times the base fee is paid at most, for it may rise while a replay runs. */
const baseFeesMax = 10n;
const tip = 10n ** 9n;

/** The most that a replay pays for a gas, wei. */
export const maxFeePerGas = ({ baseFee }: Pick<NetworkFacts, 'baseFee'>): bigint => baseFeesMax * baseFee + tip;

interface EvmContent {
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gas: bigint;
}

/** Signs what a replay sends. Nonces are given in the order in which it is asked. */
export class ReplaySigner {
  readonly #facts: NetworkFacts;
  readonly #provider: CryptoProvider;
  readonly #nonces = new Map<Address, number>();
  readonly #evmNonces = new Map<number, number>();

  constructor(facts: NetworkFacts, provider: CryptoProvider) {
    this.#facts = facts;
    this.#provider = provider;
  }

  /** Takes the next nonce of a signer now, for an action that is signed later. */
  reserve(signer: ReplayAccount): number {
    const nonce = (this.#nonces.get(signer.address) ?? this.#facts.timeMs) + 1;
    this.#nonces.set(signer.address, nonce);
    return nonce;
  }

  action(
    kind: string,
    signer: ReplayAccount,
    account: Address,
    payload: ActionPayload,
    nonce = this.reserve(signer),
  ): Operation {
    const unsigned: UnsignedNativeTransaction = {
      chainId: this.#facts.chainId,
      nonce,
      expiresAt: 0,
      account,
      payload,
      signatureKind: 'raw',
    };
    const signature = this.#provider.sign(nativeSigningDigest(unsigned), signer.privateKey);
    return rawOperation(kind, account, encodeNativeTransaction({ ...unsigned, signature }));
  }

  /** Nonce of the next EVM transaction of an account of the flow. */
  evmNonce(account: number): number {
    return this.#evmNonces.get(account) ?? this.#facts.nonceOf(account);
  }

  transaction(account: number, signer: ReplayAccount, { to, value, data, gas }: EvmContent): Operation {
    const nonce = this.evmNonce(account);
    this.#evmNonces.set(account, nonce + 1);
    const unsigned = unsignedTransaction(this.#facts.chainId, nonce, {
      to,
      value,
      data,
      gas,
      accessList: [],
      authorizationList: [],
      fees: { kind: 'dynamic', maxFeePerGas: maxFeePerGas(this.#facts), maxPriorityFeePerGas: tip },
    });
    const signature = this.#provider.sign(keccak256(unsigned.message), signer.privateKey);
    return rawOperation(to === null ? 'deploy' : 'transaction', signer.address, unsigned.encode(signature));
  }
}

const rawOperation = (kind: string, sender: Address, raw: Uint8Array): Operation => ({
  kind,
  method: 'eth_sendRawTransaction',
  params: `["${bytesToHex(raw)}"]`,
  hash: keccakHex(raw),
  sender,
});

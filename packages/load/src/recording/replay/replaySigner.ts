import type { ActionPayload } from '@prime/codec';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import { type Address, utf8ToBytes } from '@prime/primitives';
import { type Account, accountOfKey } from '../../scenario/keyring.ts';
import type { NetworkFacts, Operation } from '../../scenario/operation.ts';
import { type NewTransaction, signAction, type Signing, signTransaction } from '../../scenario/signedOperation.ts';

/**
 * The fresh account that stands for an account of the flow. The same secret gives the same accounts, so that what is left in them can be given back; who
 * knows the secret has their keys.
 *
 * @param name index of the account in the flow, or what else it is for
 */
export function replayAccount(provider: CryptoProvider, secret: string, name: number | 'agent'): Account {
  // Not every 32 bytes are a key; that one hash is none happens once in 2^128 times.
  return accountOfKey(keccak256(utf8ToBytes(`prime replay ${JSON.stringify([secret, name])}`)), provider);
}

/** Wei per gas: so many times the base fee is paid at most, for it may rise while a replay runs. */
const baseFeesMax = 10n;
const tip = 10n ** 9n;

/** The most that a replay pays for a gas, wei. */
export const maxFeePerGas = ({ baseFee }: Pick<NetworkFacts, 'baseFee'>): bigint => baseFeesMax * baseFee + tip;

/** Signs what a replay sends. Nonces are given in the order in which it is asked. */
export class ReplaySigner {
  readonly #facts: NetworkFacts;
  readonly #signing: Signing;
  readonly #nonces = new Map<Address, number>();
  readonly #evmNonces = new Map<number, number>();

  constructor(facts: NetworkFacts, provider: CryptoProvider) {
    this.#facts = facts;
    this.#signing = { chainId: facts.chainId, provider };
  }

  /** Takes the next nonce of a signer now, for an action that is signed later. */
  reserve(signer: Account): number {
    const nonce = (this.#nonces.get(signer.address) ?? this.#facts.timeMs) + 1;
    this.#nonces.set(signer.address, nonce);
    return nonce;
  }

  /** The order of an account's operations is kept, whoever signs them. */
  action(
    kind: string,
    signer: Account,
    account: Address,
    payload: ActionPayload,
    nonce = this.reserve(signer),
  ): Operation {
    return { ...signAction(this.#signing, { kind, signer, nonce, account, payload }), sender: account };
  }

  /** Nonce of the next EVM transaction of an account of the flow. */
  evmNonce(account: number): number {
    return this.#evmNonces.get(account) ?? this.#facts.nonceOf(account);
  }

  transaction(
    account: number,
    signer: Account,
    content: Pick<NewTransaction, 'to' | 'value' | 'data' | 'gas'>,
  ): Operation {
    const nonce = this.evmNonce(account);
    this.#evmNonces.set(account, nonce + 1);
    const fees = { maxFeePerGas: maxFeePerGas(this.#facts), maxPriorityFeePerGas: tip };
    const kind = content.to === null ? 'deploy' : 'transaction';
    return signTransaction(this.#signing, { ...content, kind, signer, nonce, fees });
  }
}

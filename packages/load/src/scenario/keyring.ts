import { type CryptoProvider, keccak256, recoverAddress } from '@prime/crypto';
import { type Address, bytesToHex, utf8ToBytes } from '@prime/primitives';

/** An account of a run with its key. */
export interface Account {
  readonly address: Address;
  /** 32 bytes. Never printed, never in an error. */
  readonly privateKey: Uint8Array;
}

/** From what the keys of a run follow: the same options give the same accounts. */
export interface KeyringOptions {
  /** The run's, 0 to 2^32 - 1. */
  readonly seed: number;
  /** Name of the scenario: two scenarios of one seed have no account in common. */
  readonly scenario: string;
  /**
   * Mixed into every key: a seed is a number that anybody can guess, so on a network with strangers wei are only safe with it. A hash of the
   * funder's key is a good one. Default none.
   */
  readonly secret?: Uint8Array | null;
  readonly provider: CryptoProvider;
}

/** Addresses that are not worked out again. */
const receiversKept = 65_536;

const anyDigest = keccak256(utf8ToBytes('prime-load'));

/** From a signature: ten times faster than from a compressed public key. @param privateKey 32 bytes */
export const accountOfKey = (privateKey: Uint8Array, provider: CryptoProvider): Account => ({
  address: recoverAddress(provider, anyDigest, provider.sign(anyDigest, privateKey))!,
  privateKey,
});

/**
 * Accounts of a run by index, and others by name: the same seed gives the same ones. A key is made when it is first asked for and kept;
 * those of short life are not (`once`).
 */
export class Keyring {
  readonly #prefix: string;
  readonly #provider: CryptoProvider;
  readonly #accounts: Account[] = [];
  readonly #receivers = new Map<number, Address>();

  constructor({ seed, scenario, secret = null, provider }: KeyringOptions) {
    this.#prefix = `prime-load/${seed}/${scenario}/${secret === null ? '' : bytesToHex(secret)}`;
    this.#provider = provider;
  }

  /** @param index 0, 1, 2 … */
  account(index: number): Account {
    return (this.#accounts[index] ??= this.once(`account/${index}`));
  }

  /** Gives an index to an account of another name. */
  assign(index: number, name: string): Account {
    return (this.#accounts[index] = this.once(name));
  }

  /** Made anew at each call: for agents and victims of which one run has many thousands. */
  once(name: string): Account {
    return accountOfKey(keccak256(utf8ToBytes(`${this.#prefix}/${name}`)), this.#provider);
  }

  /** An address without a key: for those who only receive. */
  receiver(index: number): Address {
    const known = this.#receivers.get(index);
    if (known !== undefined) return known;
    const receiver = bytesToHex(keccak256(utf8ToBytes(`${this.#prefix}/receiver/${index}`)).subarray(12)) as Address;
    if (this.#receivers.size < receiversKept) this.#receivers.set(index, receiver);
    return receiver;
  }
}

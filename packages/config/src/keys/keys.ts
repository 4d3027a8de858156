import { type CryptoProvider, isValidPrivateKey, publicKeyToAddress } from '@prime/crypto';
import type { Address } from '@prime/primitives';

/**
 * - `owner`: of an account. Owns the stake of a validator and signs what moves it; the node never needs it.
 * - `signer`: hot key, signs proposals and votes.
 */
export const keyKinds = ['owner', 'signer'] as const;
/** One of {@link keyKinds}. */
export type KeyKind = (typeof keyKinds)[number];

/** Where passwords of keystores come from outside of the command line, by what the keys are for: who holds the key of an owner is not the node. */
export const passwordNames = {
  signer: { variable: 'PRIME_KEY_PASSWORD', fileVariable: 'PRIME_KEY_PASSWORD_FILE', credential: 'key-password' },
  owner: {
    variable: 'PRIME_OWNER_PASSWORD',
    fileVariable: 'PRIME_OWNER_PASSWORD_FILE',
    credential: 'owner-password',
  },
} as const satisfies Record<
  KeyKind,
  {
    /** Of the environment: the password itself. */
    readonly variable: string;
    /** Of the environment: the name of a file with it. */
    readonly fileVariable: string;
    /** Of systemd: `LoadCredential=NAME:FILE`. */
    readonly credential: string;
  }
>;

/** All variables of the environment that have to do with passwords. */
export const passwordVariables: readonly string[] = keyKinds.flatMap((kind) => {
  const { variable, fileVariable } = passwordNames[kind];
  return [variable, fileVariable];
});

/** Both halves of a secp256k1 key in the clear, for the time that they are used. */
export interface KeyPair {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly address: Address;
}

/**
 * @param privateKey 32 bytes
 * @throws CryptoError when it is not a scalar of the curve
 */
export function keyPair(provider: CryptoProvider, privateKey: Uint8Array): KeyPair {
  const publicKey = provider.publicKey(privateKey);
  return { privateKey, publicKey, address: publicKeyToAddress(publicKey) };
}

/** A source of uniform random bytes: the system's for real keys, a seeded one for reproducible test networks. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * A fresh key from a source of random bytes.
 *
 * @param randomBytes uniform bytes; asked again in the one of 2^128 cases in which 32 bytes are no valid key
 */
export function generateKeyPair(provider: CryptoProvider, randomBytes: RandomBytes): KeyPair {
  let candidate = randomBytes(32);
  while (!isValidPrivateKey(candidate)) candidate = randomBytes(32);
  return keyPair(provider, candidate);
}

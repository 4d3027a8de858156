import { PrimeError } from '@prime/primitives';

/** No detail holds a private key. */
export type CryptoErrorDetail =
  /** A digest to sign or to check is not 32 bytes. */
  | { readonly code: 'CRYPTO_DIGEST_LENGTH'; readonly length: number }
  /** A private key is not 32 bytes, is zero, or is not below the order of the curve. */
  | { readonly code: 'CRYPTO_PRIVATE_KEY_INVALID' }
  /** A public key is not a point of the curve in 33 or 65 bytes. */
  | { readonly code: 'CRYPTO_PUBLIC_KEY_INVALID'; readonly publicKey: string }
  /** The wanted implementation does not load on this machine. */
  | { readonly code: 'CRYPTO_PROVIDER_UNAVAILABLE'; readonly provider: string };
/** A caller's mistake; malformed signatures of others are never an exception but `null` or `false`. */
export class CryptoError extends PrimeError<CryptoErrorDetail> {}

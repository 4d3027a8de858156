/**
 * Signatures behind one interface. The native addon is ~70 times faster than the pure JavaScript reference; the reference
 * is what the tests compare the others with and what is left when neither loads.
 */
export interface CryptoProvider {
  readonly name: 'native' | 'wasm' | 'noble';
  /** @returns 65 bytes r | s | yParity, low s, deterministic (RFC 6979) */
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /**
   * @param signature 65 bytes r | s | yParity
   * @returns the uncompressed public key (65 bytes), or null when the signature is malformed, high-s or recovers nothing
   */
  recover(digest: Uint8Array, signature: Uint8Array): Uint8Array | null;
  /** @param signature 65 bytes, of which the first 64 are checked; false for high s @param publicKey 33 or 65 bytes */
  verify(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
  /** @returns the compressed public key, 33 bytes */
  publicKey(privateKey: Uint8Array): Uint8Array;
}

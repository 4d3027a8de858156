/** What we use of the native addon; the package ships no types for this entry. */
declare module 'secp256k1/bindings.js' {
  interface Secp256k1Addon {
    /** @throws Error when the key is invalid */
    publicKeyCreate(privateKey: Uint8Array, compressed?: boolean): Uint8Array;
    /** @throws Error when the key is invalid */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
    /** @throws Error when signature or key can not be parsed */
    ecdsaVerify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean;
    /** @throws Error when nothing can be recovered */
    ecdsaRecover(signature: Uint8Array, recoveryId: number, digest: Uint8Array, compressed?: boolean): Uint8Array;
  }
  const addon: Secp256k1Addon;
  export default addon;
}

import { checkedProvider, joinSignature } from './checkedProvider.ts';
import type { CryptoProvider } from './provider.ts';

/**
 * libsecp256k1 through a prebuilt addon. Only the package's `bindings.js` is loaded: its index falls back to a slow
 * JavaScript curve without saying so.
 *
 * @throws whatever loading the addon throws, where no prebuilt binary fits
 */
export async function createNativeProvider(): Promise<CryptoProvider> {
  const { default: addon } = await import('secp256k1/bindings.js');
  return checkedProvider('native', {
    sign(digest, privateKey) {
      const { signature, recid } = addon.ecdsaSign(digest, privateKey);
      return joinSignature(signature, recid);
    },
    recover: (compact, yParity, digest) => addon.ecdsaRecover(compact, yParity, digest, false),
    verify: (compact, digest, publicKey) => addon.ecdsaVerify(compact, digest, publicKey),
    publicKey: (privateKey) => addon.publicKeyCreate(privateKey, true),
  });
}

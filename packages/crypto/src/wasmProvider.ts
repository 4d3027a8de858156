import { assert } from '@prime/primitives';
import { checkedProvider, joinSignature } from './checkedProvider.ts';
import type { CryptoProvider } from './provider.ts';

/**
 * libsecp256k1 compiled to WebAssembly, around five times slower than the addon; works where no binary fits.
 *
 * @throws whatever loading the module throws
 */
export async function createWasmProvider(): Promise<CryptoProvider> {
  const wasm = await import('tiny-secp256k1');
  return checkedProvider('wasm', {
    sign(digest, privateKey) {
      const { signature, recoveryId } = wasm.signRecoverable(digest, privateKey);
      return joinSignature(signature, recoveryId);
    },
    recover: (compact, yParity, digest) => wasm.recover(digest, compact, yParity === 0 ? 0 : 1, false),
    verify: (compact, digest, publicKey) => wasm.verify(digest, publicKey, compact, true),
    publicKey(privateKey) {
      const key = wasm.pointFromScalar(privateKey, true);
      assert(key !== null, 'a valid private key has a public key');
      return key;
    },
  });
}

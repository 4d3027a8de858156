import { unsignedTransaction } from '@prime/codec';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import { concatBytes, utf8ToBytes } from '@prime/primitives';
import type { SendRequest } from '@prime/rpc';

/**
 * Signs a transaction of the type that the request asks for, see unsignedTransaction.
 *
 * @returns its EIP-2718 encoding
 */
export function signTransaction(
  provider: CryptoProvider,
  privateKey: Uint8Array,
  chainId: number,
  nonce: number,
  request: SendRequest,
): Uint8Array {
  const unsigned = unsignedTransaction(chainId, nonce, request);
  return unsigned.encode(provider.sign(keccak256(unsigned.message), privateKey));
}

/** EIP-191, version 0x45. @returns 65 bytes r | s | v, v 27 or 28 */
export function signMessage(provider: CryptoProvider, privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
  return signDigest(provider, privateKey, keccak256(concatBytes(prefix, message)));
}

/** As wallets sign. @returns 65 bytes r | s | v, v 27 or 28 */
export function signDigest(provider: CryptoProvider, privateKey: Uint8Array, digest: Uint8Array): Uint8Array {
  const signature = provider.sign(digest, privateKey);
  return concatBytes(signature.subarray(0, 64), Uint8Array.of(27 + signature[64]!));
}

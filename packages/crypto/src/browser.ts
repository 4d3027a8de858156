/**
 * The package as bundlers for browsers see it (condition `browser`): hashes, addresses and signatures in JavaScript and WebAssembly. No way
 * leads from here to a native addon, nor to what only Node has.
 */
export { publicKeyToAddress, recoverAddress } from './address.ts';
export { CryptoError, type CryptoErrorDetail } from './errors.ts';
export { keccak256, keccakHex } from './keccak.ts';
export { createNobleProvider } from './nobleProvider.ts';
export { nobleVerify } from './nobleVerify.ts';
export type { CryptoProvider } from './provider.ts';
export { isCanonicalSignature, isValidPrivateKey } from './scalar.ts';

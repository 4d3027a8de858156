export { publicKeyToAddress, recoverAddress } from './address.ts';
export { createCryptoProvider, cryptoProvider } from './createCryptoProvider.ts';
export { CryptoError, type CryptoErrorDetail } from './errors.ts';
export { keccak256, keccakHex } from './keccak.ts';
export { createNobleProvider } from './nobleProvider.ts';
export { nobleVerify } from './nobleVerify.ts';
export type { CryptoProvider } from './provider.ts';
export { isCanonicalSignature, isValidPrivateKey } from './scalar.ts';

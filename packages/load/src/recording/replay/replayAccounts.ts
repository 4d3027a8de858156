import { type CryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { type Address, utf8ToBytes } from '@prime/primitives';

/** An account of a replay, whose key follows from the replay's secret. */
export interface ReplayAccount {
  readonly address: Address;
  readonly privateKey: Uint8Array;
}

/**
 * The fresh account that stands for an account of the flow. The same secret gives the same accounts, so that what is left in them can be given back; who
 * knows the secret has their keys.
 *
 * @param name index of the account in the flow, or what else it is for
 */
export function replayAccount(provider: CryptoProvider, secret: string, name: number | 'agent'): ReplayAccount {
  // Not every 32 bytes are a key; that one hash is none happens once in 2^128 times.
  const privateKey = keccak256(utf8ToBytes(`prime replay ${JSON.stringify([secret, name])}`));
  return { privateKey, address: publicKeyToAddress(provider.publicKey(privateKey)) };
}

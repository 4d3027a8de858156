import { encodeAbi } from '@prime/predeploy';
import { keccak256 } from '@prime/crypto';
import { type Address, concatBytes, utf8ToBytes } from '@prime/primitives';

/** A function of a contract all of whose arguments are words. @param signature `transfer(address,uint256)` @returns what makes the data of a call to it */
export function contractFunction(signature: string): (...words: readonly bigint[]) => Uint8Array {
  const selector = keccak256(utf8ToBytes(signature)).subarray(0, 4);
  return (...words) => concatBytes(selector, encodeAbi(words));
}

/** An address as a word of calldata: a number below 2^160. */
export const addressWord = (address: Address): bigint => BigInt(address);

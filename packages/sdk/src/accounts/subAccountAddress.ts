import { subAccountAddress as addressOf, subAccountIndexMax } from '@prime/codec';
import { InvalidActionError } from '../errors/own.ts';
import { toAddress } from '../signing/payload.ts';
import type { Address } from '../types/primitives.ts';

/**
 * Where the sub-account of a number is or would be. Nothing is asked of a node.
 *
 * @param owner whose it is
 * @param index 1 to 4294967295
 * @returns the last 20 bytes of keccak256("prime-subaccount" | owner | index as 4 bytes)
 * @throws InvalidActionError for what is no address, or another number
 */
export function subAccountAddress(owner: Address, index: number): Address {
  if (!Number.isInteger(index) || index < 1 || index > subAccountIndexMax)
    throw new InvalidActionError('index', `has to be 1 to ${subAccountIndexMax}, not ${index}`);
  return addressOf(toAddress(owner, 'owner'), index) as string as Address;
}

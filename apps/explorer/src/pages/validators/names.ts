import { shareOf } from '../../chain/share.ts';
import type { Validator } from '@prime/sdk';
import { shortHex } from '../../kit/index.ts';

/** More than two thirds of the power decide. */
export const quorumShare = 2 / 3;

/** Names of validators and their share of the power. */
export interface Membership {
  readonly validators: readonly Validator[];
  nameOf(address: string): string;
  /** Of the power of the set, from 0 to 1. @param addresses each once */
  shareOf(addresses: readonly string[]): number;
}

/**
 * Names and shares of power of the set; an address that is not in it has no share, and a shortened address as name.
 */
export function membershipOf(validators: readonly Validator[]): Membership {
  const byAddress = new Map(validators.map((validator) => [validator.address as string, validator]));
  const total = validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
  return {
    validators,
    nameOf: (address) => byAddress.get(address)?.moniker ?? shortHex(address),
    shareOf(addresses) {
      const power = addresses.reduce((sum, address) => sum + (byAddress.get(address)?.votingPower ?? 0n), 0n);
      return shareOf(power, total, 1_000_000n);
    },
  };
}

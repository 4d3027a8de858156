import type { RankedValidator } from '@prime/codec';
import { type Address, parseAddress } from '@prime/primitives';

/** Address of the owner of member number `index` of a set. */
export const addressOf = (index: number): Address => parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`);

/** Member number `index` of a set: stake and power are the same, and nobody has its keys. */
export const memberOf = (index: number, power = 1n, proposerPriority = 0n): RankedValidator => ({
  address: addressOf(index),
  signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
  publicKey: new Uint8Array(33),
  stake: power,
  power,
  moniker: `v${index}`,
  proposerPriority,
});

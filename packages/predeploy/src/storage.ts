import type { Hash } from '@prime/primitives';

/** Storage of 0x…0100 that is not the contract's alone. Its layout is that of contracts/PrimeOrders.sol. */

const word = (value: bigint): Hash => `0x${value.toString(16).padStart(64, '0')}` as Hash;

/** The orders root; the node writes it at the end of each block. */
export const ordersRootSlot: Hash = word(0n);
/** Writes of the contracts of one block: number of the block, writes so far, most of them; 8 bytes each, from the low end. */
export const quotaSlot: Hash = word(2n);
/** Hash of what the next block has to carry out, 0 for nothing; the node writes it at the end of each block. */
export const pendingWritesSlot: Hash = word(3n);

/** Writes that the contracts of one block may make; one more reverts. */
export const contractWritesPerBlock = 2000;

/** {@link quotaSlot} of genesis. */
export const quotaWord = (writesMax: number): Hash => word(BigInt(writesMax) << 128n);

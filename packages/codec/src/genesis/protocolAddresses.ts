import type { Address } from '@prime/primitives';

/** Accounts that the protocol itself has. */

/** The order book: its contract, its escrow, the orders root in its slot 0, and the verifying contract of typed data. */
export const ordersAddress = '0x0000000000000000000000000000000000000100' as Address;
/** The precompile that answers reads of the order book. */
export const orderReadsAddress = '0x0000000000000000000000000000000000000101' as Address;
/** Where stakes are held. */
export const stakingAddress = '0x0000000000000000000000000000000000000200' as Address;

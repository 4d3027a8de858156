import type { Hex } from '../types/primitives.ts';

/** Hex of the chain's code, which knows addresses from hashes, as viem types it. */
export const plain = (branded: string): Hex => branded as Hex;

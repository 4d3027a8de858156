import type { Address } from '@prime/primitives';
import type { Corruption } from './corruption.ts';

/** How a node is, from its first start on. */
export interface NodeOptions {
  readonly label: string;
  readonly address: Address;
  /** Default: validator. */
  readonly role?: 'full';
  readonly isHonest: boolean;
  readonly circle: ReadonlySet<Address> | null;
  /** What it makes of its messages; null sends them as they are. */
  readonly corruption: Corruption | null;
  /** Forgets in each crash what it signed. */
  readonly isForgetful: boolean;
  /** Wall clock against the true time when the run begins, ms. */
  readonly skewMs: number;
  /** The clock is off by more than blocks may be, and is set to other wrong times. */
  readonly hasWrongClock: boolean;
  /** Its order book gives other results than those of the others. */
  readonly isDivergent?: true;
  /** It answers requests for blocks late, and with one. */
  readonly isDribbling?: true;
  /** It is to be started with a copy of a validator's home. */
  readonly isCopy?: true;
}

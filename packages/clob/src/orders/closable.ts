import type { Exposure } from '../book/exposure.ts';
import { buySide, type SideIndex } from '../book/orderPool.ts';

/** Base units of a position that orders of a side close; 0 or less where there is none. */
export const closableBy = ({ size }: Pick<Exposure, 'size'>, side: SideIndex): bigint =>
  side === buySide ? -size : size;

import type { TriggerFields } from '@prime/codec';
import { type Account, findExposure } from '../state/accounts.ts';
import { buySide, sellSide } from '../book/orderPool.ts';
import { closableBy } from '../orders/closable.ts';

/** Base units of the position that a trigger is against; 0 or less where there is none. */
export function heldAgainst(account: Account, { marketId, side }: Pick<TriggerFields, 'marketId' | 'side'>): bigint {
  const exposure = findExposure(account, marketId);
  return exposure === undefined ? 0n : closableBy(exposure, side === 'buy' ? buySide : sellSide);
}

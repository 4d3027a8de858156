import { type Static, Type } from '@sinclair/typebox';
import type { MarketLimits } from '@prime/codec';
import { amount, bps, strict } from './genesisTypes.ts';

/** Limits of orders in genesis.json, of all markets or of one. */
const section = Type.Object(
  {
    openInterestMax: Type.Optional(amount),
    positionMax: Type.Optional(amount),
    priceBandBps: Type.Optional(bps),
    orderNotionalMax: Type.Optional(amount),
  },
  strict,
);

/** What is left out is no limit; in the entry of a market it is as for all markets. */
export const limits = Type.Optional(section);

/** Undoes reading: limits as genesis.json has them, amounts as decimal text. */
export const writeLimits = ({
  openInterestMax,
  positionMax,
  priceBandBps,
  orderNotionalMax,
}: MarketLimits): Required<Static<typeof section>> => ({
  openInterestMax: String(openInterestMax),
  positionMax: String(positionMax),
  priceBandBps,
  orderNotionalMax: String(orderNotionalMax),
});

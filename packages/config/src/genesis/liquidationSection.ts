import { type Static, Type } from '@sinclair/typebox';
import type { LiquidationParams } from '@prime/codec';
import { amount, bps, strict } from './genesisTypes.ts';

const section = Type.Object(
  {
    sliceBps: Type.Optional(bps),
    sliceNotionalMin: Type.Optional(amount),
    bandBps: Type.Optional(bps),
    rewardBps: Type.Optional(bps),
  },
  strict,
);

/** How positions are liquidated, in genesis.json; what is left out is 0. */
export const liquidation = Type.Optional(section);

/** Undoes reading: the amount as decimal text. */
export const writeLiquidation = ({
  sliceNotionalMin,
  ...rates
}: LiquidationParams): Required<Static<typeof section>> => ({ ...rates, sliceNotionalMin: String(sliceNotionalMin) });

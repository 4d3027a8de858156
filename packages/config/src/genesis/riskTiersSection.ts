import { type Static, Type } from '@sinclair/typebox';
import { type RiskTier, riskTiersMax } from '@prime/codec';
import { amount, bps, strict } from './genesisTypes.ts';

/** Risk tiers of the order book, or of one market, in genesis.json. */
const tier = Type.Object({ aboveNotional: amount, initialMarginBps: bps, maintenanceMarginBps: bps }, strict);

/** Absent where margin does not depend on size. Order and values are checked beyond this form. */
export const riskTiers = Type.Optional(
  Type.Array(tier, {
    minItems: 1,
    maxItems: riskTiersMax,
    title: `1 to ${riskTiersMax} tiers {aboveNotional, initialMarginBps, maintenanceMarginBps}`,
  }),
);

type TierFile = Static<typeof tier>;
/** Undoes reading: the tier as genesis.json has it, wei as decimal text. */
export const writeTier = (tierOf: RiskTier): TierFile => ({ ...tierOf, aboveNotional: String(tierOf.aboveNotional) });

import { type Static, Type } from '@sinclair/typebox';
import { type GenesisMarket, marketDecimalsMax } from '@prime/codec';
import { amount, strict, whole } from './genesisTypes.ts';
import { limits, writeLimits } from './limitsSection.ts';
import { riskTiers, writeTier } from './riskTiersSection.ts';

/** Markets as genesis.json has them. */

const decimals = Type.Optional(whole(0, marketDecimalsMax));
const marketSchema = Type.Object(
  {
    symbol: Type.String({ minLength: 1, maxLength: 32 }),
    tickSize: amount,
    lotSize: amount,
    baseDecimals: decimals,
    quoteDecimals: decimals,
    riskTiers,
    oracle: Type.Optional(Type.Boolean()),
    limits,
  },
  strict,
);
/** Markets at genesis. Their ids follow from the order: the first is 1. */
export const marketsSchema = Type.Array(marketSchema, { maxItems: 10_000 });

type MarketEntry = Static<typeof marketSchema>;

/** Undoes reading: the market as genesis.json has it, amounts as decimal text. */
export const writeMarket = ({
  tickSize,
  lotSize,
  riskTiers: tiers,
  oracle,
  limits: own,
  ...market
}: GenesisMarket): MarketEntry => ({
  symbol: market.symbol,
  tickSize: String(tickSize),
  lotSize: String(lotSize),
  baseDecimals: market.baseDecimals,
  quoteDecimals: market.quoteDecimals,
  ...(tiers === undefined ? {} : { riskTiers: tiers.map(writeTier) }),
  ...(oracle === true ? { oracle } : {}),
  ...(own === undefined ? {} : { limits: writeLimits(own) }),
});

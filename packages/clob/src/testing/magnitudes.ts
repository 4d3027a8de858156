import type { ActionPayload, ClobParams, GenesisMarket } from '@prime/codec';
import type { Prng } from '@prime/primitives';
import { defaultMarkets, type Step } from './harness.ts';

/**
 * Blocks of small whole numbers as blocks of any magnitude. Small notionals hide errors of rates and roundings: a fee divided by 9999 in place of 10 000 is the
 * same number up to there.
 */
export interface Magnitude {
  /** Prices and ticks are multiplied by it; best an odd number, so that little divides without a rest. */
  readonly price: bigint;
  /** The same of sizes and lots. */
  readonly size: bigint;
}

export const unmagnified: Magnitude = { price: 1n, size: 1n };

/** Wei in one where everything is small. */
export const unitOf = ({ price, size }: Magnitude): bigint => price * size;

/** The markets of the harness, in larger units. */
export const magnifiedMarkets = ({ price, size }: Magnitude): GenesisMarket[] =>
  defaultMarkets.map((market) => ({ ...market, tickSize: market.tickSize * price, lotSize: market.lotSize * size }));

/** Parameters whose amounts are in larger units. */
export function magnifiedParams(params: Partial<ClobParams>, magnitude: Magnitude): Partial<ClobParams> {
  const unit = unitOf(magnitude);
  const { mark, riskTiers } = params;
  return {
    ...params,
    ...(mark && { mark: { ...mark, impactNotional: mark.impactNotional * unit } }),
    ...(riskTiers && {
      riskTiers: riskTiers.map((tier) => ({ ...tier, aboveNotional: tier.aboveNotional * unit + 1n })),
    }),
  };
}

/** The same actions in larger units; amounts get a rest that is no multiple of anything. */
export function magnified(random: Prng, steps: readonly Step[], magnitude: Magnitude): Step[] {
  if (magnitude === unmagnified) return [...steps];
  return steps.map((step) => ({ ...step, payload: larger(random, step.payload, magnitude) }));
}

function larger(random: Prng, payload: ActionPayload, magnitude: Magnitude): ActionPayload {
  switch (payload.type) {
    case 'order':
    case 'modify':
      return { ...payload, price: payload.price * magnitude.price, size: payload.size * magnitude.size };
    case 'batch':
      return { ...payload, items: payload.items.map((item) => larger(random, item, magnitude) as typeof item) };
    case 'deposit':
    case 'transfer':
    case 'enqueueEvmToOrders':
    case 'withdraw':
      return { ...payload, amount: payload.amount * unitOf(magnitude) + BigInt(random.below(9999)) };
    default:
      return payload;
  }
}

import type { ReportedPrice } from '@prime/codec';
import type { MarketId, Prng, TimestampMs } from '@prime/primitives';
import type { OracleSet } from '../ports.ts';
import { addressOf, type Step } from './harness.ts';

/** Validators and their reports, as random as the world is. */

/** Four validators, of which none has a third of the power; each with the key of its signer and one more. */
export const reporters: OracleSet = {
  precisionMs: 500,
  reporters: [31n, 27n, 22n, 20n].map((power, index) => ({
    validator: addressOf(0x5a1 + index),
    keys: [addressOf(0x5b1 + index), addressOf(0x5c1 + index)],
    power,
  })),
};

/** What there is to report. */
interface Outside {
  /** Ids of the markets with an oracle, ascending. */
  readonly markets: readonly number[];
  /** Price around which those of the reports are, wei. */
  readonly center: number;
}

/**
 * Reports of a block: in most, of most validators; at times of nobody for a while, of somebody who may not, too old, or of prices that make no sense.
 */
export function randomReports(random: Prng, timeMs: number, { markets, center }: Outside): Step[] {
  // Silence comes in long pieces, else no price would ever be too old.
  if (Math.floor(timeMs / 9_000) % 4 === 3) return [];
  return reporters.reporters.flatMap(({ validator, keys }, index): Step[] => {
    if (random.chance(1, 4)) return [];
    const signer = random.chance(1, 25) ? addressOf(0x5b1 + ((index + 1) % 4)) : keys[random.below(2)]!;
    const observedAtMs = (timeMs -
      random.below(random.chance(1, 12) ? 12_000 : 900) +
      random.below(150)) as TimestampMs;
    const prices = randomPrices(random, markets, center);
    const nonce = timeMs + 100 + index;
    return [
      {
        account: validator,
        payload: { type: 'oracleReport', observedAtMs, prices },
        signer,
        signatureKind: 'raw',
        nonce,
      },
    ];
  });
}

function randomPrices(random: Prng, ids: readonly number[], center: number): ReportedPrice[] {
  const price = (): bigint => {
    if (random.chance(1, 15)) return BigInt(random.below(4) * 1000);
    return BigInt(Math.max(1, center - 6 + random.below(13)));
  };
  const prices = ids.map((id): ReportedPrice => ({ marketId: id as MarketId, price: price() }));
  if (random.chance(1, 20)) prices.unshift({ marketId: (1 + random.below(3)) as MarketId, price: price() });
  return random.chance(1, 6) ? prices.slice(random.below(2), 1 + random.below(2)) : prices;
}

import type { ReportedPrice } from '@prime/codec';
import { compareStrings, type MarketId, type Prng, type TimestampMs } from '@prime/primitives';
import type { OracleSet, PriceReporter } from '../ports.ts';
import { addressOf, type Step } from './harness.ts';

/** Validators and their reports, as random as the world is. */

/** A validator with the key of its signer and one more. @param place from 0 */
const reporterOf = (place: number, power: bigint): PriceReporter => ({
  validator: addressOf(0x5a1 + place),
  keys: [addressOf(0x5b1 + place), addressOf(0x5c1 + place)],
  power,
});

/** Four validators, of which none has a third of the power. */
export const reporters: OracleSet = {
  precisionMs: 500,
  reporters: [31n, 27n, 22n, 20n].map((power, place) => reporterOf(place, power)),
};

/** Who may be a validator where the set changes: those of {@link reporters}, and as many who may join. */
const candidates = 2 * reporters.reporters.length;

/** The owners of all who may be one. */
export const candidateOwners = Array.from({ length: candidates }, (_, place) => reporterOf(place, 0n).validator);

/** The set of the next block: now and then somebody joins, leaves, has another power or another oracle key. At least two stay. */
export function nextReporters(random: Prng, set: OracleSet): OracleSet {
  if (!random.chance(1, 6)) return set;
  const place = random.below(candidates);
  const validator = candidateOwners[place]!;
  const others = set.reporters.filter((other) => other.validator !== validator);
  const known = set.reporters.find((other) => other.validator === validator);
  const power = BigInt(1 + random.below(40));
  if (known === undefined) return withAll(set, [...others, reporterOf(place, power)]);
  const dice = random.below(3);
  if (dice === 0) return others.length < 2 ? set : withAll(set, others);
  if (dice === 1) return withAll(set, [...others, { ...known, power }]);
  // Another key, which an earlier block may have had before, or none.
  const keys = [known.keys[0]!, ...(random.chance(1, 4) ? [] : [addressOf(0x5d1 + 16 * random.below(2) + place)])];
  return withAll(set, [...others, { ...known, keys }]);
}

/** In the order in which a chain tells them, by address. */
const withAll = (set: OracleSet, all: readonly PriceReporter[]): OracleSet => ({
  ...set,
  reporters: all.toSorted((a, b) => compareStrings(a.validator, b.validator)),
});

/** What there is to report. */
interface Outside {
  /** Ids of the markets with an oracle, ascending. */
  readonly markets: readonly number[];
  /** Price around which those of the reports are, wei. */
  readonly center: number;
  /** Who the validators of the block are. */
  readonly set: OracleSet;
}

/**
 * Reports of a block: in most, of most validators; at times of nobody for a while, of somebody who may not, too old, or of prices that make no sense.
 */
export function randomReports(random: Prng, timeMs: number, { markets, center, set }: Outside): Step[] {
  // Silence comes in long pieces, else no price would ever be too old.
  if (Math.floor(timeMs / 9_000) % 4 === 3) return [];
  // Those who left, or never were, go on for a while.
  const strangers = set === reporters ? [] : candidateOwners.map((_, place) => reporterOf(place, 0n));
  const outside = strangers.filter(({ validator }) => !set.reporters.some((other) => other.validator === validator));
  return [...set.reporters, ...outside].flatMap(({ validator, keys, power }, index): Step[] => {
    if (power === 0n ? !random.chance(1, 8) : random.chance(1, 4)) return [];
    const signer = random.chance(1, 25) ? addressOf(0x5b1 + ((index + 1) % 4)) : keys[random.below(keys.length)]!;
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

import { bigintAbs, bigintMax, bigintMin } from '@prime/primitives';
import { ceilTo, floorTo, type MarketRules } from '../market.ts';
import { nothingWanted, type Quote, type Strategy, type StrategyInput } from './strategy.ts';

/** How the reference market maker quotes. Basis points (bps) are of the fair price. */
export interface MarketMakerSettings {
  /** Between the best bid and the best ask, bps. */
  readonly spreadBps: number;
  /** Quotes on each side. */
  readonly levels: number;
  /** Between one level and the next, bps. */
  readonly levelGapBps: number;
  /** Of each quote, base units. */
  readonly size: bigint;
  /** No bid is nearer below the fair price and no ask nearer above it, whatever the skew, bps. */
  readonly minEdgeBps: number;
  /** Position that it likes to have, base units. */
  readonly targetPosition: bigint;
  /** Distance of the target at which it stops to add, base units. */
  readonly maxPosition: bigint;
  /** How far all quotes move against the position when that distance is reached, bps. */
  readonly skewBps: number;
}

const bpsScale = 10_000n;
const bpsOf = (price: bigint, bps: number): bigint => (price * BigInt(bps)) / bpsScale;
const bpsOfUp = (price: bigint, bps: number): bigint => (price * BigInt(bps) + bpsScale - 1n) / bpsScale;

/**
 * Quotes both sides of a fair price: tighter the less it holds, moved against what it holds, and one-sided when it holds all that it may.
 *
 * Without a fair price it wants nothing. A quote never crosses the book of the others: it goes one tick in front of their best price at most.
 */
export const createMarketMaker = (settings: MarketMakerSettings): Strategy => ({
  name: 'maker',
  decide(input) {
    const { fairPrice } = input;
    if (fairPrice === null || fairPrice <= 0n) return nothingWanted;
    return { quotes: [...bidsOf(settings, input, fairPrice), ...asksOf(settings, input, fairPrice)], takes: [] };
  },
});

/** How far quotes move for the position: up when short, down when long. At most `skewBps`. */
function skewOf({ targetPosition, maxPosition, skewBps }: MarketMakerSettings, position: bigint, fair: bigint): bigint {
  const away = position - targetPosition;
  const counted = bigintMin(bigintAbs(away), maxPosition);
  const shift = maxPosition === 0n ? 0n : (bpsOf(fair, skewBps) * counted) / maxPosition;
  return away > 0n ? -shift : shift;
}

function bidsOf(settings: MarketMakerSettings, input: StrategyInput, fair: bigint): Quote[] {
  const { tickSize } = input.market;
  const best = input.book.asks[0];
  const center = fair + skewOf(settings, input.account.position, fair);
  const nearest = bigintMin(
    bigintMin(center - bpsOfUp(fair, settings.spreadBps) / 2n, fair - bpsOfUp(fair, settings.minEdgeBps)),
    best === undefined ? fair : best.price - tickSize,
  );
  const room = settings.targetPosition + settings.maxPosition - input.account.position;
  const prices = levelPrices(settings, floorToTick(nearest, tickSize), -levelGap(settings, fair, tickSize));
  return sized(settings, input.market, prices, room).map((level) => ({ side: 'buy', ...level }));
}

function asksOf(settings: MarketMakerSettings, input: StrategyInput, fair: bigint): Quote[] {
  const { tickSize } = input.market;
  const best = input.book.bids[0];
  const center = fair + skewOf(settings, input.account.position, fair);
  const half = (bpsOfUp(fair, settings.spreadBps) + 1n) / 2n;
  const nearest = bigintMax(
    bigintMax(center + half, fair + bpsOfUp(fair, settings.minEdgeBps)),
    best === undefined ? fair : best.price + tickSize,
  );
  // A spread of less than a tick would put both sides on one price.
  const above = floorToTick(fair, tickSize) + tickSize;
  const room = input.account.position - settings.targetPosition + settings.maxPosition;
  const prices = levelPrices(settings, ceilTo(bigintMax(nearest, above), tickSize), levelGap(settings, fair, tickSize));
  return sized(settings, input.market, prices, room).map((level) => ({ side: 'sell', ...level }));
}

const floorToTick = (price: bigint, tick: bigint): bigint => (price <= 0n ? 0n : floorTo(price, tick));

/** At least a tick, so that levels do not fall together. */
const levelGap = ({ levelGapBps }: MarketMakerSettings, fair: bigint, tick: bigint): bigint =>
  bigintMax(tick, ceilTo(bpsOf(fair, levelGapBps), tick));

const levelPrices = ({ levels }: MarketMakerSettings, first: bigint, step: bigint): bigint[] =>
  Array.from({ length: levels }, (_, index) => first + BigInt(index) * step).filter((price) => price > 0n);

/** Gives each price its size while there is room, the nearest first. */
function sized({ size }: MarketMakerSettings, { lotSize }: MarketRules, prices: readonly bigint[], room: bigint) {
  let left = room;
  const levels: { readonly price: bigint; readonly size: bigint }[] = [];
  for (const price of prices) {
    const taken = left <= 0n ? 0n : floorTo(bigintMin(size, left), lotSize);
    if (taken <= 0n) break;
    left -= taken;
    levels.push({ price, size: taken });
  }
  return levels;
}

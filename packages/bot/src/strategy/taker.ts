import { bigintMin } from '@prime/primitives';
import type { Prng } from '@prime/primitives';
import { floorTo } from '../market.ts';
import { nothingWanted, type Quote, type Strategy, type StrategyInput } from './strategy.ts';

/** How the taker makes flow. */
export interface TakerSettings {
  /** Mean time between two orders, ms; the times are drawn. */
  readonly intervalMs: number;
  /** Bounds of an order, base units. */
  readonly sizeMin: bigint;
  readonly sizeMax: bigint;
  /** Position at which it only trades back, base units. */
  readonly maxPosition: bigint;
  /** How far beyond the best price it pays, ticks. */
  readonly slippageTicks: number;
}

/** Draws are made of whole numbers, so that a seed gives the same flow on every machine. */
const grain = 1_000;

/** Trades against whoever quotes, now and then, in a drawn direction: flow for networks that have no users. */
export function createTaker(settings: TakerSettings, random: Prng): Strategy {
  let nextMs: number | null = null;
  const wait = (): number => Math.floor((2 * settings.intervalMs * random.below(grain)) / grain);
  return {
    name: 'taker',
    decide(input) {
      nextMs ??= input.nowMs + wait();
      if (input.nowMs < nextMs) return nothingWanted;
      nextMs = input.nowMs + wait();
      const take = drawTake(settings, input, random);
      return take === null ? nothingWanted : { quotes: [], takes: [take] };
    },
  };
}

function drawTake(settings: TakerSettings, { market, book, account }: StrategyInput, random: Prng): Quote | null {
  const { sizeMin, sizeMax, maxPosition, slippageTicks } = settings;
  const { position } = account;
  const drawnBuy = random.chance(1, 2);
  const isBuying = position >= maxPosition ? false : position <= -maxPosition ? true : drawnBuy;
  const best = isBuying ? book.asks[0] : book.bids[0];
  const drawn = sizeMin + ((sizeMax - sizeMin) * BigInt(random.below(grain))) / BigInt(grain - 1);
  if (best === undefined) return null;
  const room = isBuying ? maxPosition - position : maxPosition + position;
  const size = floorTo(bigintMin(drawn, room), market.lotSize);
  const slippage = BigInt(slippageTicks) * market.tickSize;
  const price = isBuying ? best.price + slippage : best.price - slippage;
  return size <= 0n || price <= 0n ? null : { side: isBuying ? 'buy' : 'sell', price, size };
}

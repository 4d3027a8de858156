import { isQuorum, type MarketOracle, type OracleParams } from '@prime/codec';
import { bigintAbs, bigintMax, bigintMin, type TimestampMs } from '@prime/primitives';
import { countFunding } from '../margin/funding.ts';
import { changeMarket, reprice } from '../state/changes.ts';
import { isOver, type Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';
import { countMinutes } from './attendance.ts';
import { type WeightedPrices, weightedMedian } from './median.ts';

/**
 * Index prices: what validators report of the world outside, at the begin of a block.
 *
 * @see docs/protocol/clob.md, Oracle
 */

const bpsBase = 10_000n;
/** The index is told this often, however little it moves. */
const toldEveryMs = 60_000;

/** An oracle before the first price: stale since ever. */
export const createMarketOracle = (): MarketOracle => ({
  index: null,
  premium: 0n,
  staleSinceMs: 0 as TimestampMs,
  resumesAtMs: 0 as TimestampMs,
  toldIndex: 0n,
  toldAtMs: 0 as TimestampMs,
  indexSum: 0n,
  premiumSum: 0n,
});

/** Brings the index of each market up to the reports of earlier blocks. */
export function advanceIndexes(state: ClobState): void {
  const { oracle: params } = state.params;
  if (params === undefined || state.oracle === null) return;
  if (state.markets.some(({ oracle }) => oracle !== undefined)) countMinutes(state);
  const fresh = freshPrices(state, params.staleMs);
  const power = state.oracle.reporters.reduce((sum, reporter) => sum + reporter.power, 0n);
  for (const market of state.markets) {
    if (market.oracle === undefined || isOver(market)) continue;
    if (isPauseOver(market.oracle, state.timestampMs)) {
      setOracle(state, market, { ...market.oracle, resumesAtMs: 0 as TimestampMs });
      reprice(state);
    }
    const { oracle } = market;
    const told = fresh.get(market.id);
    if (told !== undefined && isQuorum(sumOf(told.powers), power))
      follow(state, market, oracle, weightedMedian(told), params);
    else if (oracle.staleSinceMs === null) goStale(state, market, oracle);
  }
}

const sumOf = (powers: readonly bigint[]): bigint => powers.reduce((sum, power) => sum + power, 0n);

const isPauseOver = ({ resumesAtMs }: MarketOracle, now: number): boolean => resumesAtMs !== 0 && now >= resumesAtMs;

/** By market, the newest price of each active validator that is not too old. */
function freshPrices({ oracle, reporters, timestampMs }: ClobState, staleMs: number): Map<number, WeightedPrices> {
  const fresh = new Map<number, WeightedPrices>();
  const add = (market: number, price: bigint, power: bigint): void => {
    const known = fresh.get(market);
    if (known === undefined) fresh.set(market, { prices: [price], powers: [power] });
    else {
      known.prices.push(price);
      known.powers.push(power);
    }
  };
  for (const { validator, power } of oracle!.reporters) {
    const record = reporters.get(validator);
    if (record === undefined) continue;
    if (timestampMs - record.observedAtMs <= staleMs)
      for (const { marketId, price } of record.prices) add(marketId, price, power);
    for (const { marketId, price, observedAtMs } of record.earlier)
      if (timestampMs - observedAtMs <= staleMs) add(marketId, price, power);
  }
  return fresh;
}

function goStale(state: ClobState, market: Market, oracle: MarketOracle): void {
  setOracle(state, market, { ...oracle, staleSinceMs: state.timestampMs as TimestampMs });
  reprice(state);
  state.emit('oracle_stale', { market_id: market.id, index: oracle.index! });
}

/** Moves an index towards the median of a block. */
function follow(state: ClobState, market: Market, oracle: MarketOracle, median: bigint, params: OracleParams): void {
  const now = state.timestampMs as TimestampMs;
  const before = oracle.index;
  const index = before === null ? median : within(before, median, params.maxMoveBps);
  let next: MarketOracle = oracle;
  if (oracle.staleSinceMs !== null) {
    const resumesAtMs = before !== null && mustWait(state, oracle, before, median, params) ? now + params.resumeMs : 0;
    next = { ...next, staleSinceMs: null, resumesAtMs: resumesAtMs as TimestampMs };
    reprice(state);
    state.emit('oracle_resumed', { market_id: market.id, median, until_ms: resumesAtMs });
  }
  if (index !== before) next = { ...next, index };
  if (isToTell(oracle, index, now, params.eventBps)) {
    next = { ...next, toldIndex: index, toldAtMs: now };
    state.emit('index_set', { market_id: market.id, index });
  }
  if (next !== oracle) setOracle(state, market, next);
}

/** An index after one block: at least one wei further where it is so low that its part would be nothing. */
function within(index: bigint, median: bigint, maxMoveBps: number): bigint {
  if (maxMoveBps === 0) return median;
  const most = bigintMax(1n, (index * BigInt(maxMoveBps)) / bpsBase);
  return bigintMax(index - most, bigintMin(index + most, median));
}

/** Whether trading begins with a pause in which nobody can be filled at a price that nobody had time to see. */
const mustWait = (
  { timestampMs }: ClobState,
  { staleSinceMs }: MarketOracle,
  index: bigint,
  median: bigint,
  { resumeAfterMs, resumeMoveBps, resumeMs }: OracleParams,
): boolean =>
  resumeMs > 0 &&
  (timestampMs - staleSinceMs! > resumeAfterMs || bigintAbs(median - index) * bpsBase > index * BigInt(resumeMoveBps));

const isToTell = ({ toldIndex, toldAtMs }: MarketOracle, index: bigint, now: number, eventBps: number): boolean =>
  (index !== toldIndex && bigintAbs(index - toldIndex) * bpsBase >= toldIndex * BigInt(eventBps)) ||
  now - toldAtMs >= toldEveryMs;

/** What changes is taken into the averages of funding up to now first. */
export function setOracle(state: ClobState, market: Market, oracle: MarketOracle): void {
  countFunding(state, market);
  const { indexSum, premiumSum } = market.oracle!;
  changeMarket(state, market).oracle = { ...oracle, indexSum, premiumSum };
}

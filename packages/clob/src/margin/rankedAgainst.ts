import { bigintAbs, bigintMax, compareStrings, createHeap, type Heap } from '@prime/primitives';
import { type Account, findExposure } from '../state/accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import { equityOf, unrealized } from './margin.ts';
import type { Counterparty, MarketRanking, Ranked } from '../state/rankings.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Who is deleveraged first: profit times leverage, highest first; those without profit by their loss, smallest first; ties by address.
 *
 * A ranking is a heap, because most of those who hold a market are never reached.
 */

/**
 * Those who hold the other side of a position, best ranked first, as they rank now. Whoever is taken has to be changed by who takes it
 * before the next question.
 *
 * @param price of margin in the market
 */
export function rankedAgainst(state: ClobState, { marketId, size }: Exposure, price: bigint): Iterable<Counterparty> {
  const { rankings } = state.holders;
  // Prices move in the middle of a block where there is no mark yet, or a parameter is set.
  if (rankings.pricing !== state.pricing) rankings.reset();
  rankings.pricing = state.pricing;
  rankings.markets ??= new Map();
  let ranking = rankings.markets.get(marketId);
  if (ranking === undefined || ranking.price !== price) {
    ranking = rankingOf(state, marketId, price);
    rankings.markets.set(marketId, ranking);
    // Changes from before it are not told of when they are undone.
    state.journal.push(() => rankings.reset());
  } else follow(state, ranking);
  return best(size > 0n ? ranking.shorts : ranking.longs);
}

function rankingOf(state: ClobState, marketId: number, price: bigint): MarketRanking {
  const { holders } = state;
  const ranked = new Map<Account, Ranked>();
  const [longs, shorts]: [Ranked[], Ranked[]] = [[], []];
  for (const account of holders.of(state.dirtyAccounts)) {
    const own = rank(state, account, marketId, price);
    if (own === null) continue;
    ranked.set(account, own);
    (own.exposure.size > 0n ? longs : shorts).push(own);
  }
  const seen = holders.rankings.changed.length;
  return { marketId, price, longs: createHeap(byRank, longs), shorts: createHeap(byRank, shorts), ranked, seen };
}

/** Looks again at those who changed. */
function follow(state: ClobState, ranking: MarketRanking): void {
  const { changed } = state.holders.rankings;
  const { marketId, price, ranked, longs, shorts } = ranking;
  const accounts = new Set(changed.slice(ranking.seen));
  ranking.seen = changed.length;
  for (const account of accounts) {
    const before = ranked.get(account);
    if (before !== undefined) before.isStale = true;
    const own = rank(state, account, marketId, price);
    if (own === null) ranked.delete(account);
    else {
      ranked.set(account, own);
      (own.exposure.size > 0n ? longs : shorts).push(own);
    }
  }
}

/** Where an account ranks in a market; null where it holds nothing. */
function rank(state: ClobState, account: Account, marketId: number, price: bigint): Ranked | null {
  const exposure = findExposure(account, marketId);
  if (exposure === undefined) return null;
  const { size, entry } = exposure;
  if (size === 0n) return null;
  const profit = unrealized(size, entry, price);
  const numerator = profit <= 0n ? profit : profit * bigintAbs(size) * price;
  const denominator = profit <= 0n ? entry : entry * bigintMax(equityOf(account, state.marginMarket), 1n);
  const score = Number(numerator) / Number(denominator);
  return { account, exposure, numerator, denominator, score, isStale: false };
}

/** Part by which scores may differ from ranks, and more: three roundings to 53 bits. */
const scoreError = 2 ** -48;

/** Below 0 when the first ranks before the second. Exact: scores decide only where they surely tell. */
function byRank(a: Ranked, b: Ranked): number {
  const difference = b.score - a.score;
  if (Math.abs(difference) > (Math.abs(a.score) + Math.abs(b.score)) * scoreError && Number.isFinite(difference))
    return difference;
  const [left, right] = [b.numerator * a.denominator, a.numerator * b.denominator];
  return left === right ? compareStrings(a.account.address, b.account.address) : left > right ? 1 : -1;
}

/** Takes out whoever is passed. */
function* best(heap: Heap<Ranked>): Iterable<Counterparty> {
  for (let first = heap.pop(); first !== undefined; first = heap.pop()) if (!first.isStale) yield first;
}

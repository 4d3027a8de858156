import { bigintAbs, bigintMax, compareStrings, createHeap, type Heap } from '@prime/primitives';
import { type Account, type Exposure, findExposure } from './accounts.ts';
import type { Journal } from './journal.ts';
import { equityOf, unrealized } from './margin.ts';
import type { ClobState } from './state.ts';

/**
 * Who is deleveraged first, by market and side: profit times leverage, highest first; those without profit by their loss, smallest first;
 * ties by address.
 *
 * A ranking is made for the first liquidation of a block that asks for it, out of everybody who holds something. Marks stand still during
 * a block, so later ones look again only at accounts that changed since, and at nobody else: a block pays once for each market and not
 * for each position that it liquidates. It is a heap, because most of those who hold a market are never reached.
 *
 * @see docs/adr/0136-ranked-once-per-block.md
 */
export class Rankings {
  /** By market; null while nobody asked. */
  #markets: Map<number, MarketRanking> | null = null;
  /** {@link ClobState.pricing} of them. */
  #pricing = 0;
  /** Accounts that changed since the first of them was made, in order, some more than once. */
  readonly #changed: Account[] = [];

  /** Whether changes have to be told. */
  get watching(): boolean {
    return this.#markets !== null;
  }

  /** An account changes, and does so again when that is undone. */
  note(account: Account, journal: Journal): void {
    this.#changed.push(account);
    journal.push(() => void this.#changed.push(account));
  }

  /** Forgets everything: the block is over, or prices moved. */
  reset(): void {
    this.#markets = null;
    this.#changed.length = 0;
  }

  /**
   * Those who hold the other side of a position, best ranked first, as they rank now. Whoever is taken has to be changed by who takes it
   * before the next question.
   *
   * @param price of margin in the market
   */
  against(state: ClobState, { marketId, size }: Exposure, price: bigint): Iterable<Counterparty> {
    // Prices move in the middle of a block where there is no mark yet, or a parameter is set.
    if (this.#pricing !== state.pricing) this.reset();
    this.#pricing = state.pricing;
    this.#markets ??= new Map();
    let ranking = this.#markets.get(marketId);
    if (ranking === undefined || ranking.price !== price) {
      ranking = new MarketRanking(state, marketId, price, this.#changed.length);
      this.#markets.set(marketId, ranking);
      // Changes from before it are not told of when they are undone.
      state.journal.push(() => this.reset());
    } else ranking.follow(state, this.#changed);
    return best(size > 0n ? ranking.shorts : ranking.longs);
  }
}

/** Somebody who may be deleveraged. */
export interface Counterparty {
  readonly account: Account;
  readonly exposure: Exposure;
}

interface Ranked extends Counterparty {
  /** The rank is numerator / denominator; the denominator is >= 0. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The rank, nearly. */
  readonly score: number;
  /** It holds something else by now. */
  isStale: boolean;
}

class MarketRanking {
  readonly price: bigint;
  readonly longs: Heap<Ranked>;
  readonly shorts: Heap<Ranked>;
  readonly #marketId: number;
  readonly #ranked = new Map<Account, Ranked>();
  /** Changes up to this place are in it. */
  #seen: number;

  constructor(state: ClobState, marketId: number, price: bigint, seen: number) {
    this.#marketId = marketId;
    this.price = price;
    this.#seen = seen;
    const [longs, shorts]: [Ranked[], Ranked[]] = [[], []];
    for (const account of state.holders.of(state)) {
      const ranked = this.#rank(state, account);
      if (ranked !== null) (ranked.exposure.size > 0n ? longs : shorts).push(ranked);
    }
    this.longs = createHeap(byRank, longs);
    this.shorts = createHeap(byRank, shorts);
  }

  /** Looks again at those who changed. */
  follow(state: ClobState, changed: readonly Account[]): void {
    const accounts = new Set(changed.slice(this.#seen));
    this.#seen = changed.length;
    for (const account of accounts) {
      const before = this.#ranked.get(account);
      if (before !== undefined) before.isStale = true;
      const ranked = this.#rank(state, account);
      if (ranked === null) this.#ranked.delete(account);
      else (ranked.exposure.size > 0n ? this.longs : this.shorts).push(ranked);
    }
  }

  #rank(state: ClobState, account: Account): Ranked | null {
    const exposure = findExposure(account, this.#marketId);
    if (exposure === undefined) return null;
    const { size, entry } = exposure;
    if (size === 0n) return null;
    const profit = unrealized(size, entry, this.price);
    const numerator = profit <= 0n ? profit : profit * bigintAbs(size) * this.price;
    const denominator = profit <= 0n ? entry : entry * bigintMax(equityOf(account, state.marginMarket), 1n);
    const score = Number(numerator) / Number(denominator);
    const ranked = { account, exposure, numerator, denominator, score, isStale: false };
    this.#ranked.set(account, ranked);
    return ranked;
  }
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

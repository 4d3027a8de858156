import { ReducingOrders } from './reducingOrders.ts';
import type { ClaimSum } from './claimSum.ts';
import type { OpenInterest } from '../state/openInterest.ts';
import { exactMax } from './quantity.ts';

/** What one market, or all together, add to an account's margin, see marginSums.ts. */
export interface MarginTerms {
  /** Unrealized profit and unsettled funding, wei. */
  readonly profit: bigint;
  /** Loss of open orders, see MarginState. */
  readonly openLoss: bigint;
  /** Initial margin with open orders. */
  readonly initial: bigint;
  /** Initial margin of the position alone. */
  readonly position: bigint;
}

/** {@link MarginTerms} of all markets of an account together, kept up to date in place. */
export type MarginSums = { -readonly [K in keyof MarginTerms]: MarginTerms[K] };

/** What an exposure keeps; not part of what an undo restores. */
interface KeptTerms {
  /** As they are in the account's sums. */
  terms: MarginTerms;
  isChanged: boolean;
}

/** What a market adds in which nothing is at stake. One object for all: copy it before changing it. */
export const noTerms: MarginTerms = { profit: 0n, openLoss: 0n, initial: 0n, position: 0n };

/** What an account has at stake in one market, as margin reads it. */
export interface Stake {
  readonly marketId: number;
  /** Base units, negative is short. */
  readonly size: bigint;
  /** Notional at which the position was opened, wei, >= 0. */
  readonly entry: bigint;
  /** Index of the market up to which the position's funding is settled; 0 without a position. */
  readonly fundingIndex: bigint;
  /** What is open between the account and the market's profit pool, wei; see claims.ts. */
  readonly claim: bigint;
  /** Base units and wei (remaining * limit) of the account's open buys. */
  readonly buySize: bigint;
  readonly buyNotional: bigint;
  /** The same of its open sells. */
  readonly sellSize: bigint;
  readonly sellNotional: bigint;
}

/** Nothing at stake in a market. */
export const noStake = {
  size: 0n,
  entry: 0n,
  fundingIndex: 0n,
  claim: 0n,
  buySize: 0n,
  buyNotional: 0n,
  sellSize: 0n,
  sellNotional: 0n,
} satisfies Omit<Stake, 'marketId'>;

type StakeSums = { -readonly [K in Exclude<keyof Stake, 'marketId' | 'fundingIndex' | 'claim'>]: Stake[K] };

/** What a stake has to know of its market: its units, wei per base unit and base units, and the sums that its position and claim are in. */
export interface StakeMarket {
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  readonly openInterest: OpenInterest;
  readonly claims: ClaimSum;
}

/**
 * A stake that changes with every order and fill.
 *
 * Positions and sums of open orders are whole lots, and notional of open orders whole ticks times lots: they are counted so, in
 * numbers, where these are exact ({@link Exposure.count}); what reads them in the protocol's units gets bigints. A stake that leaves the exact
 * range is kept in bigints from then on. Both give the same values.
 */
export class Exposure implements Stake {
  readonly marketId: number;
  readonly grid: StakeMarket;
  /** Lots of the position, negative is short. These five hold while {@link big} is null. */
  lots = 0;
  buyLots = 0;
  /** Ticks times lots. */
  buyUnits = 0;
  sellLots = 0;
  sellUnits = 0;
  /** Wei; holds while {@link bigEntry} is null. */
  exactEntry = 0;
  bigEntry: bigint | null = null;
  fundingIndex = 0n;
  /** Wei; holds while {@link bigClaim} is null. */
  exactClaim = 0;
  bigClaim: bigint | null = null;
  /** All but the entry, when some of it is beyond exact numbers. Never changed, only replaced: an undo keeps the old one. */
  big: Readonly<Omit<StakeSums, 'entry'>> | null = null;
  /** Reduce-only orders among the open ones; null while there was none. */
  reducing: ReducingOrders | null = null;
  readonly kept: KeptTerms = { terms: noTerms, isChanged: false };
  savedIn = 0;

  constructor(marketId: number, grid: StakeMarket) {
    this.marketId = marketId;
    this.grid = grid;
  }

  get size(): bigint {
    return this.big === null ? BigInt(this.lots) * this.grid.lotSize : this.big.size;
  }
  set size(value: bigint) {
    const lots = countOf(value, this.grid.lotSize);
    if (this.big === null && lots !== null) this.lots = lots;
    else this.#setBig({ size: value });
  }

  get entry(): bigint {
    return this.bigEntry ?? BigInt(this.exactEntry);
  }
  set entry(value: bigint) {
    const exact = countOf(value, 1n);
    this.exactEntry = exact ?? 0;
    this.bigEntry = exact === null ? value : null;
  }

  get claim(): bigint {
    return this.bigClaim ?? BigInt(this.exactClaim);
  }
  set claim(value: bigint) {
    const { countedClaim: before } = this;
    const exact = countOf(value, 1n);
    this.exactClaim = exact ?? 0;
    this.bigClaim = exact === null ? value : null;
    this.noteClaim(before);
  }

  /** The claim as it is counted. */
  get countedClaim(): number | bigint {
    return this.bigClaim ?? this.exactClaim;
  }

  /** Brings the sum of the market's claims in line with a claim that was another one. @param before {@link countedClaim}, as it was */
  noteClaim(before: number | bigint): void {
    this.grid.claims.moved(before, this.countedClaim);
  }

  /** Whether the account owes the market's pool something. */
  get owes(): boolean {
    return this.bigClaim === null ? this.exactClaim < 0 : this.bigClaim < 0n;
  }

  /** What a fill realized, wei; negative is a loss. */
  addClaim(wei: number | bigint): void {
    const claim = typeof wei === 'number' && this.bigClaim === null ? this.exactClaim + wei : Number.NaN;
    if (claim <= exactMax && claim >= -exactMax) {
      const { exactClaim: before } = this;
      this.exactClaim = claim;
      this.grid.claims.moved(before, claim);
    } else this.claim += BigInt(wei);
  }

  get buySize(): bigint {
    return this.big === null ? BigInt(this.buyLots) * this.grid.lotSize : this.big.buySize;
  }
  get buyNotional(): bigint {
    return this.big === null ? BigInt(this.buyUnits) * this.#unit : this.big.buyNotional;
  }
  get sellSize(): bigint {
    return this.big === null ? BigInt(this.sellLots) * this.grid.lotSize : this.big.sellSize;
  }
  get sellNotional(): bigint {
    return this.big === null ? BigInt(this.sellUnits) * this.#unit : this.big.sellNotional;
  }

  get #unit(): bigint {
    return this.grid.tickSize * this.grid.lotSize;
  }

  /** Notes an open order that is reduce-only; its lots are counted apart. @param ids of orders, by handle */
  addReducing(handle: number, ids: ArrayLike<number>): void {
    this.reducing ??= new ReducingOrders();
    this.reducing.add(handle, ids);
  }

  /** Position as it is counted: lots in a number, base units in a bigint. */
  get position(): number | bigint {
    return this.big === null ? this.lots : this.big.size;
  }

  /** Brings the open interest of the market in line with a position that was another one. @param before {@link position}, as it was */
  noteMoved(before: number | bigint): void {
    const { openInterest, lotSize } = this.grid;
    const after = this.position;
    if (typeof before === typeof after) openInterest.moved(before, after);
    else openInterest.moved(inBaseUnits(before, lotSize), inBaseUnits(after, lotSize));
  }

  /** Adds an open order, or takes it out with negative lots. @param lots of the order's book, as @param ticks */
  count(isBuy: boolean, lots: number | bigint, ticks: number | bigint): void {
    if (this.big === null && typeof lots === 'number') {
      const units = lots * (ticks as number);
      const sum = isBuy ? this.buyLots + lots : this.sellLots + lots;
      const sumUnits = isBuy ? this.buyUnits + units : this.sellUnits + units;
      // Sums that are exact, of parts that are.
      if (sum <= exactMax && sumUnits <= exactMax && units <= exactMax && units >= -exactMax) {
        if (isBuy) {
          this.buyLots = sum;
          this.buyUnits = sumUnits;
        } else {
          this.sellLots = sum;
          this.sellUnits = sumUnits;
        }
        return;
      }
    }
    const size = BigInt(lots) * this.grid.lotSize;
    const notional = size * BigInt(ticks) * this.grid.tickSize;
    if (isBuy) this.#setBig({ buySize: this.buySize + size, buyNotional: this.buyNotional + notional });
    else this.#setBig({ sellSize: this.sellSize + size, sellNotional: this.sellNotional + notional });
  }

  #setBig(change: Partial<Omit<StakeSums, 'entry'>>): void {
    const { size, buySize, buyNotional, sellSize, sellNotional } = this;
    this.big = { size, buySize, buyNotional, sellSize, sellNotional, ...change };
  }
}

const inBaseUnits = (position: number | bigint, lotSize: bigint): bigint =>
  typeof position === 'number' ? BigInt(position) * lotSize : position;

/** How often a value holds a unit; null when not a whole number of times, or more often than numbers are exact. */
function countOf(value: bigint, unit: bigint): number | null {
  const count = unit === 1n ? value : value / unit;
  if (count > exactMax || count < -exactMax || count * unit !== value) return null;
  return Number(count);
}

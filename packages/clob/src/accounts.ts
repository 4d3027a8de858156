import { accountRecordKey } from '@prime/codec';
import { type Address, hexToBytes } from '@prime/primitives';
import { noOrder } from './orderPool.ts';

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

export type MarginSums = { -readonly [K in keyof MarginTerms]: MarginTerms[K] };

/** What an account keeps; not part of what an undo restores. */
interface KeptMargin {
  readonly sums: MarginSums;
  /** Pricing of the sums; 0 before the first. */
  pricing: number;
  /** Exposures that changed since. */
  readonly changed: Exposure[];
}

/** What an exposure keeps; not part of what an undo restores. */
interface KeptTerms {
  /** As they are in the account's sums. */
  terms: MarginTerms;
  isChanged: boolean;
}

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
  buySize: 0n,
  buyNotional: 0n,
  sellSize: 0n,
  sellNotional: 0n,
} satisfies Omit<Stake, 'marketId'>;

type StakeSums = { -readonly [K in Exclude<keyof Stake, 'marketId' | 'fundingIndex'>]: Stake[K] };

/** Units of a market: wei per base unit, and base units. */
export interface Grid {
  readonly tickSize: bigint;
  readonly lotSize: bigint;
}

/**
 * A stake that changes with every order and fill.
 *
 * Positions and sums of open orders are whole lots, and notional of open orders whole ticks times lots: they are counted so, in
 * numbers, where these are exact ({@link counts}); what reads them in the protocol's units gets bigints. A stake that leaves the exact
 * range is kept in bigints from then on. Both give the same values.
 */
export class Exposure implements Stake {
  readonly marketId: number;
  readonly grid: Grid;
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
  /** All but the entry, when some of it is beyond exact numbers. Never changed, only replaced: an undo keeps the old one. */
  big: Readonly<Omit<StakeSums, 'entry'>> | null = null;
  readonly kept: KeptTerms = { terms: noTerms, isChanged: false };
  savedIn = 0;

  constructor(marketId: number, grid: Grid) {
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

const exactMax = Number.MAX_SAFE_INTEGER;

/** How often a value holds a unit; null when not a whole number of times, or more often than numbers are exact. */
function countOf(value: bigint, unit: bigint): number | null {
  const count = unit === 1n ? value : value / unit;
  if (count > exactMax || count < -exactMax || count * unit !== value) return null;
  return Number(count);
}

/** What is known of an account's free collateral from below, see room.ts. */
export interface Room {
  most: number;
  spent: number;
  /** Positions and open orders of all markets at their prices, wei, at least. */
  gross: number;
  /** {@link ClobState.drift} up to which `spent` is counted. */
  drift: number;
  /** {@link ClobState.regime} in which the others hold; 0 for none. */
  regime: number;
}

/** An account's part of the sum over all accounts, see ledger.ts. */
interface CountedWorth {
  collateral: bigint;
  /** Paid for positions, those of shorts positive. */
  opened: number | bigint;
}

export class Account {
  /** Place in the engine's list of accounts. */
  readonly index: number;
  readonly address: Address;
  readonly addressBytes: Uint8Array;
  readonly recordKey: Uint8Array;
  /** Only signed actions are accepted. */
  locked = false;
  /** By market id; all-zero entries count like absent ones. */
  readonly exposures: Exposure[] = [];
  openOrders = 0;
  /** Open orders by id, linked through the order pool. */
  firstOrder = noOrder;
  lastOrder = noOrder;
  /** Open orders with a client id. */
  readonly clientIds = new Map<string, number>();
  /** Ids of remembered orders by the client ids that they keep, see orderMemory.ts; null while there was none. */
  endedClientIds: Map<string, number> | null = null;
  /** What the account was worth in the sum over all accounts at the last commit, see ledger.ts. */
  readonly counted: CountedWorth = { collateral: 0n, opened: 0 };
  /** What was paid for its positions at the end of the open block, as the check of conservation found it. */
  opened: number | bigint = 0;
  readonly kept: KeptMargin = { sums: { ...noTerms }, pricing: 0, changed: [] };
  /** See room.ts. */
  readonly room: Room = { most: 0, spent: 0, gross: 0, drift: 1, regime: 0 };
  savedIn = 0;
  touchedIn = 0;
  /** Collateral is the sum of both, wei; the second is exact. */
  base = 0n;
  gain = 0;

  constructor(index: number, address: Address) {
    this.index = index;
    this.address = address;
    this.addressBytes = hexToBytes(address, 20);
    this.recordKey = accountRecordKey(address);
  }

  /** Wei; negative is bad debt. */
  get collateral(): bigint {
    if (this.gain !== 0) this.collateral = this.base + BigInt(this.gain);
    return this.base;
  }
  set collateral(value: bigint) {
    this.base = value;
    this.gain = 0;
  }

  /** Adds wei that are exact in a number. */
  add(wei: number): void {
    const gain = this.gain + wei;
    if (gain <= exactMax && gain >= -exactMax) this.gain = gain;
    else this.collateral += BigInt(wei);
  }
}

/** Whether an account has anything; one that has not has no record, so that the records do not tell who once had one. */
export const hasAnything = (account: Account): boolean =>
  account.collateral !== 0n || account.locked || hasPosition(account);

export const hasPosition = ({ exposures }: Account): boolean =>
  exposures.some(({ big, lots }) => (big === null ? lots !== 0 : big.size !== 0n));

/** Where a market's exposure stands, or would have to be inserted. */
export function exposurePlace({ exposures }: Account, marketId: number): number {
  // Ids of markets begin with 1, so it stands no further behind; who trades in all markets has it just there.
  let high = Math.min(exposures.length, marketId);
  if (high > 0 && exposures[high - 1]!.marketId === marketId) return high - 1;
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (exposures[middle]!.marketId < marketId) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findExposure(account: Account, marketId: number): Exposure | undefined {
  const exposure = account.exposures[exposurePlace(account, marketId)];
  return exposure?.marketId === marketId ? exposure : undefined;
}

/** A position after a fill, and what the fill realized. */
export interface FillOutcome {
  readonly size: bigint;
  readonly entry: bigint;
  /** Wei that go to collateral; negative is a loss. */
  readonly realized: bigint;
}

/**
 * Position after a part of it was closed for an amount of money, which need not be a price times a size.
 *
 * @param closed base units, > 0, at most the position @param value wei that the closed part was sold or bought back for
 */
export function closeForValue(size: bigint, entry: bigint, closed: bigint, value: bigint): FillOutcome {
  const held = size > 0n ? size : -size;
  const released = (entry * closed) / held;
  return {
    size: size > 0n ? size - closed : size + closed,
    entry: entry - released,
    realized: size > 0n ? value - released : released - value,
  };
}

/**
 * Position after buying (quantity > 0) or selling (quantity < 0) at a price.
 *
 * The closed part releases its share of the entry, rounded down: rounding moves value between realized and unrealized of the same
 * account only, so the sum over both sides of a trade is exact.
 *
 * @param quantity base units, not 0 @param price wei per base unit
 * @see docs/protocol/clob.md, Accounting
 */
export function fillPosition(size: bigint, entry: bigint, quantity: bigint, price: bigint): FillOutcome {
  const bought = quantity > 0n;
  const amount = bought ? quantity : -quantity;
  if (size === 0n || size > 0n === bought)
    return { size: size + quantity, entry: entry + amount * price, realized: 0n };
  const held = size > 0n ? size : -size;
  const closed = amount < held ? amount : held;
  const released = (entry * closed) / held;
  const realized = size > 0n ? closed * price - released : released - closed * price;
  const opened = amount - closed;
  return { size: size + quantity, entry: entry - released + opened * price, realized };
}

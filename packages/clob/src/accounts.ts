import { type Address, hexToBytes } from '@prime/primitives';
import { noOrder } from './orderPool.ts';

/** What one market, or all together, add to an account's margin, see marginSums.ts. */
export interface MarginTerms {
  /** Unrealized profit, wei. */
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

/** What an account has at stake in one market. */
export interface Exposure {
  readonly marketId: number;
  /** Base units, negative is short. */
  size: bigint;
  /** Notional at which the position was opened, wei, >= 0. */
  entry: bigint;
  /** Base units and wei (remaining * limit) of the account's open buys. */
  buySize: bigint;
  buyNotional: bigint;
  /** The same of its open sells. */
  sellSize: bigint;
  sellNotional: bigint;
  readonly kept: KeptTerms;
  savedIn: number;
}

export interface Account {
  /** Place in the engine's list of accounts. */
  readonly index: number;
  readonly address: Address;
  readonly addressBytes: Uint8Array;
  /** Wei; negative is bad debt. */
  collateral: bigint;
  /** Only signed actions are accepted. */
  locked: boolean;
  /** By market id; all-zero entries count like absent ones. */
  readonly exposures: Exposure[];
  openOrders: number;
  /** Open orders by id, linked through the order pool. */
  firstOrder: number;
  lastOrder: number;
  /** Open orders with a client id. */
  readonly clientIds: Map<string, number>;
  /** What the account was worth in the sum over all accounts at the last commit, see ledger.ts. */
  counted: bigint;
  readonly kept: KeptMargin;
  savedIn: number;
}

export const createAccount = (index: number, address: Address): Account => ({
  index,
  address,
  addressBytes: hexToBytes(address, 20),
  collateral: 0n,
  locked: false,
  exposures: [],
  openOrders: 0,
  firstOrder: noOrder,
  lastOrder: noOrder,
  clientIds: new Map(),
  counted: 0n,
  kept: { sums: { ...noTerms }, pricing: 0, changed: [] },
  savedIn: 0,
});

export const createExposure = (marketId: number): Exposure => ({
  marketId,
  size: 0n,
  entry: 0n,
  buySize: 0n,
  buyNotional: 0n,
  sellSize: 0n,
  sellNotional: 0n,
  kept: { terms: noTerms, isChanged: false },
  savedIn: 0,
});

/** Where a market's exposure stands, or would have to be inserted. */
export function exposurePlace(account: Account, marketId: number): number {
  const { exposures } = account;
  let place = exposures.length;
  while (place > 0 && exposures[place - 1]!.marketId >= marketId) place--;
  return place;
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

import type { Account } from '../state/accounts.ts';
import { changeAccount, changeExposure } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { settleFunding } from './funding.ts';
import { fundingIndexOf } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/** What fills make of positions. */

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

/** Settles a position's funding, and sets it to what a fill leaves of it and realized. */
export function settleFill(state: ClobState, account: Account, exposure: Exposure, fill: FillOutcome): void {
  if (state.params.funding !== undefined) {
    settleFunding(state, account, exposure);
    const index = fill.size === 0n ? 0n : fundingIndexOf(state.market(exposure.marketId)!);
    changeExposure(state, account, exposure);
    exposure.fundingIndex = index;
  }
  changeAccount(state, account).collateral += fill.realized;
  changeExposure(state, account, exposure);
  exposure.size = fill.size;
  exposure.entry = fill.entry;
}

import type { Account } from '../state/accounts.ts';
import { changeAccount, changeExposure, touchAccount } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { exactMax, magnitude, minus, plus, type Quantity, shareOf, times, zeroOf } from '../book/quantity.ts';
import { followPosition } from '../triggers/followPosition.ts';
import { settleFunding } from './funding.ts';
import { fundingIndexOf, type Market, weiOfLot } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/** What fills make of positions. */

/** A position after a fill, and what the fill realized. In bigints it is counted in base units, in numbers in lots. */
export interface FillOutcome<N extends Quantity = bigint> {
  readonly size: N;
  /** Wei. */
  readonly entry: N;
  /** Wei that go to collateral; negative is a loss. */
  readonly realized: N;
}

/**
 * Position after a part of it was closed for an amount of money, which need not be a price times a size.
 *
 * The closed part releases its share of the entry, rounded down: rounding moves value between realized and unrealized of the same
 * account only, so the sum over both sides of a trade is exact.
 *
 * @param closed units of the size, > 0, at most the position @param value wei that the closed part was sold or bought back for
 */
export function closeForValue<N extends Quantity>(size: N, entry: N, closed: N, value: N): FillOutcome<N> {
  const isLong = size > 0;
  const released = shareOf(entry, closed, magnitude(size));
  return {
    size: isLong ? minus(size, closed) : plus(size, closed),
    entry: minus(entry, released),
    realized: isLong ? minus(value, released) : minus(released, value),
  };
}

/**
 * Position after buying (quantity > 0) or selling (quantity < 0) at a price.
 *
 * @param quantity units of the size, not 0 @param price wei per unit
 * @see docs/protocol/clob.md, Accounting
 */
export function fillPosition<N extends Quantity>(size: N, entry: N, quantity: N, price: N): FillOutcome<N> {
  const amount = magnitude(quantity);
  const after = plus(size, quantity);
  if (quantity > 0 ? size >= 0 : size <= 0)
    return { size: after, entry: plus(entry, times(amount, price)), realized: zeroOf(price) };
  const held = magnitude(size);
  const closed = amount < held ? amount : held;
  const { entry: kept, realized } = closeForValue(size, entry, closed, times(closed, price));
  return { size: after, entry: plus(kept, times(minus(amount, closed), price)), realized };
}

/**
 * Books a fill in a position whose funding is settled: in numbers where all of it is exact.
 *
 * @param lots negative for a sale @param keepsRoom whether the account's room stays what it is, see room.ts
 */
export function bookFill(
  state: ClobState,
  account: Account,
  exposure: Exposure,
  market: Market,
  lots: Quantity,
  ticks: Quantity,
  keepsRoom: boolean,
): void {
  if (keepsRoom) touchAccount(state, account);
  else changeAccount(state, account);
  changeExposure(state, account, exposure);
  if (typeof lots === 'number' && isExact(exposure, market, lots, ticks as number)) {
    const { size, entry, realized } = fillPosition<number>(
      exposure.lots,
      exposure.exactEntry,
      lots,
      weiOfLot(market, ticks as number),
    );
    const { lots: before } = exposure;
    exposure.lots = size;
    market.openInterest.moved(before, size);
    exposure.exactEntry = entry;
    account.add(realized);
    if (realized !== 0) exposure.addClaim(realized);
  } else {
    const [amount, price] = [BigInt(lots) * market.lotSize, BigInt(ticks) * market.tickSize];
    setPosition(account, exposure, fillPosition(exposure.size, exposure.entry, amount, price));
  }
  seeFunding(exposure, market);
}

/** Whether all that a fill makes of a position is exact in numbers. */
function isExact(
  { lots: held, exactEntry, big, bigEntry }: Exposure,
  market: Market,
  lots: number,
  ticks: number,
): boolean {
  if (big !== null || bigEntry !== null) return false;
  const amount = Math.abs(lots);
  const size = Math.abs(held);
  if ((amount + size) * weiOfLot(market, ticks) + exactEntry > exactMax) return false;
  // Only what closes a part of a position has a share in its entry.
  return held > 0 === lots > 0 || exactEntry * Math.min(amount, size) <= exactMax;
}

/** Settles a position's funding, sets it to what a fill leaves of it and realized, and has orders follow that are bound to it. */
export function settleFill(state: ClobState, account: Account, exposure: Exposure, fill: FillOutcome): void {
  settleFunding(state, account, exposure);
  changeAccount(state, account);
  changeExposure(state, account, exposure);
  setPosition(account, exposure, fill);
  seeFunding(exposure, state.market(exposure.marketId)!);
  followPosition(state, account, exposure);
}

function setPosition(account: Account, exposure: Exposure, { size, entry, realized }: FillOutcome): void {
  account.collateral += realized;
  exposure.addClaim(realized);
  const { position: before } = exposure;
  exposure.size = size;
  exposure.noteMoved(before);
  exposure.entry = entry;
}

/** A position that changed pays from now on; none has nothing to pay. */
function seeFunding(exposure: Exposure, market: Market): void {
  if (market.funding === undefined) return;
  const isFlat = exposure.big === null ? exposure.lots === 0 : exposure.size === 0n;
  exposure.fundingIndex = isFlat ? 0n : fundingIndexOf(market);
}

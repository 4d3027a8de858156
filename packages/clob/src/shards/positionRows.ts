import type { Account } from '../state/accounts.ts';
import { changeExposure, ensureExposure } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { MixedWriter, type PositionRows } from './messages.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Positions as rows, as orderExchange.ts has orders.
 *
 * @param hasClaims whether what positions realized goes along: shards know no claims but those of the open block
 */
export function positionRows(
  positions: Iterable<readonly [Exposure, Account]>,
  isOurs: (market: number) => boolean,
  hasClaims = false,
): PositionRows {
  const rows = new MixedWriter();
  for (const [exposure, account] of positions) {
    if (!isOurs(exposure.marketId)) continue;
    rows.number(account.index);
    rows.number(exposure.marketId);
    if (exposure.big === null) rows.number(exposure.lots);
    else rows.big(exposure.size);
    if (exposure.bigEntry === null) rows.number(exposure.exactEntry);
    else rows.big(exposure.bigEntry);
    const { exactClaim, bigClaim } = exposure;
    if (!hasClaims) rows.number(0);
    else if (bigClaim === null) rows.number(exactClaim);
    else rows.big(bigClaim);
  }
  return rows.done();
}

/** Sets positions to what rows say, and adds what they realized to their claims; within a block it is undone with it. */
export function applyPositionRows(state: ClobState, { numbers, bigs }: PositionRows): void {
  let big = 0;
  for (let at = 0; at < numbers.length; at += 5) {
    const account = state.accounts[numbers[at]!]!;
    const exposure = ensureExposure(state, account, numbers[at + 1]!);
    changeExposure(state, account, exposure);
    const { position: before } = exposure;
    const [lots, entry, claim] = [numbers[at + 2]!, numbers[at + 3]!, numbers[at + 4]!];
    if (Number.isNaN(lots)) exposure.size = bigs[big++]!;
    else if (exposure.big === null) exposure.lots = lots;
    else exposure.size = BigInt(lots) * exposure.grid.lotSize;
    exposure.noteMoved(before);
    exposure.entry = Number.isNaN(entry) ? bigs[big++]! : BigInt(entry);
    exposure.addClaim(Number.isNaN(claim) ? bigs[big++]! : claim);
  }
}

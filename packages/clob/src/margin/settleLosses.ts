import { bigintMax, bigintMin, compareStrings, createHeap } from '@prime/primitives';
import { type Account, ownOf } from '../state/accounts.ts';
import { changeAccount, changeExposure } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { fundingIndexOf, gateOf, marginPrice, type Market } from '../state/markets.ts';
import { takeProfit } from './claims.ts';
import { settleFunding, unsettledFunding } from './funding.ts';
import { unrealized } from './margin.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Winners do not wait for losers to close.
 *
 * Profit is paid out of the losses of its market (claims.ts). Where these are not realized, they are settled at the end of a block: a loss at the
 * index is realized as far as profit in the market is unpaid, and the position goes on as if it had been opened for what is left.
 * What the account is worth, its margin and its position stay what they are.
 *
 * Only at an index that is fresh, as traders can not move it. And only what no profit that is still unrealized needs: what nobody can pay, and
 * what is a debt already, is not made up for with the losses of others. So whoever comes later finds what he won there.
 *
 * @see docs/protocol/clob.md, Claims; docs/adr/0222-losses-settled-at-the-index.md
 */

/** Settles losses in each market where profit is unpaid, by market. Cost: nothing but a look at each market where there is none. */
export function settleLosses(state: ClobState): void {
  const most = state.params.oracle?.settlePerBlock ?? 0;
  if (most === 0) return;
  const needy = state.markets.filter((market) => missingIn(market) > 0n && indexOf(market) !== null);
  if (needy.length === 0) return;
  const stakes = stakesIn(state, needy);
  for (const market of needy) settleMarket(state, market, stakes.get(market.id)!, most);
}

/** Profit that the pool has no money for, wei, less what nobody will pay. */
const missingIn = ({ claims, profitPool, debt }: Market): bigint => claims.wei - profitPool - debt;

/** Wei for one base unit; null where positions do not count for liquidation. */
const indexOf = (market: Market): bigint | null =>
  market.oracle !== undefined && gateOf(market) === 'open' ? market.oracle.index : null;

/** What an account has at stake in a market. */
interface MarketStake {
  readonly account: Account;
  readonly exposure: Exposure;
}

/** Stakes in some markets that may have lost something, by market. */
function stakesIn(state: ClobState, markets: readonly Market[]): Map<number, MarketStake[]> {
  const { holders, dirtyAccounts } = state;
  const found = new Map<number, { readonly stakes: MarketStake[]; readonly won: (exposure: Exposure) => boolean }>(
    markets.map((market) => [market.id, { stakes: [], won: surelyWonIn(market) }]),
  );
  for (const account of holders.of(dirtyAccounts))
    for (const exposure of account.exposures) {
      const known = found.get(exposure.marketId);
      if (known !== undefined && !known.won(exposure)) known.stakes.push({ account, exposure });
    }
  return new Map([...found].map(([id, { stakes }]) => [id, stakes]));
}

/** Part by which a worth in floating numbers may be wrong, and more. */
const worthError = 2 ** -48;

/** Says at a glance of most winners that they lost nothing: most of a market's holders are looked at for no more than that. */
function surelyWonIn(market: Market): (exposure: Exposure) => boolean {
  const lotWei = market.floats.lot * Number(market.oracle!.index!);
  const fundingIndex = fundingIndexOf(market);
  return ({ lots, exactEntry, big, bigEntry, owes, fundingIndex: seen }) => {
    if (big !== null || bigEntry !== null || owes) return false;
    if (lots === 0) return true;
    const worth = Math.abs(lots) * lotWei;
    const isPaid = seen === fundingIndex && Number.isFinite(worth);
    return isPaid && (lots > 0 ? worth - exactEntry : exactEntry - worth) > worth * worthError;
  };
}

/** Somebody who can pay a part of his loss, or all of it. */
interface Loser extends MarketStake {
  readonly amount: bigint;
}

function settleMarket(state: ClobState, market: Market, stakes: readonly MarketStake[], most: number): void {
  const losers: Loser[] = [];
  let unpayable = 0n;
  for (const { account, exposure } of stakes) {
    const loss = lossOf(exposure, market);
    if (loss === 0n) continue;
    unpayable += bigintMin(loss, bigintMax(0n, -soundOf(state, account)));
    const amount = bigintMin(loss, payableBy(state, account, exposure));
    if (amount > 0n) losers.push({ account, exposure, amount });
  }
  const largest = createHeap(byAmount, losers);
  for (let count = 0; count < most; count++) {
    const missing = missingIn(market) - unpayable;
    const loser = missing <= 0n ? undefined : largest.pop();
    if (loser === undefined) return;
    settle(state, market, loser, unpayable);
  }
}

/** The largest first. */
const byAmount = (a: Loser, b: Loser): number =>
  a.amount === b.amount ? compareStrings(a.account.address, b.account.address) : a.amount > b.amount ? -1 : 1;

/** What a stake lost and did not pay, wei: at the index, funding and what was realized before included. */
function lossOf(exposure: Exposure, market: Market): bigint {
  const { size, entry, owes, claim } = exposure;
  const open =
    size === 0n
      ? 0n
      : unrealized(size, entry, market.oracle!.index!) + unsettledFunding(exposure, fundingIndexOf(market));
  return (open < 0n ? -open : 0n) + (owes ? -claim : 0n);
}

/** What an account is worth, wei, if all markets forget what it won there whose price nobody outside tells. */
function soundOf(state: ClobState, { collateral, exposures }: Account): bigint {
  let sound = collateral;
  for (const exposure of exposures) {
    const { marketId, size, entry, claim } = exposure;
    const market = state.market(marketId)!;
    const index = indexOf(market);
    if (index === null) sound -= bigintMax(0n, claim);
    if (size === 0n) continue;
    const open =
      unrealized(size, entry, index ?? marginPrice(market)!) + unsettledFunding(exposure, fundingIndexOf(market));
    sound += index === null ? bigintMin(0n, open) : open;
  }
  return sound;
}

/** What an account has for a loss, wei: money of its own, profit in that market, and what other markets can pay it. */
function payableBy(state: ClobState, account: Account, { marketId, claim }: Exposure): bigint {
  let payable = bigintMax(0n, ownOf(account)) + bigintMax(0n, claim);
  for (const { marketId: id, claim: other } of account.exposures)
    if (id !== marketId && other > 0n) payable += bigintMin(other, state.market(id)!.profitPool);
  return payable;
}

/** Realizes as much of a loss as is missing, and has it paid. @param unpayable of what is missing, wei */
function settle(state: ClobState, market: Market, { account, exposure }: Loser, unpayable: bigint): void {
  changeAccount(state, account);
  settleFunding(state, account, exposure);
  takeProfit(state, account, 0n);
  const { size, entry } = exposure;
  const price = market.oracle!.index!;
  const missing = bigintMax(0n, missingIn(market) - unpayable);
  const loss = bigintMax(0n, -unrealized(size, entry, price));
  const amount = bigintMin(missing, bigintMin(loss, payableBy(state, account, exposure)));
  if (amount === 0n) return;
  changeExposure(state, account, exposure);
  account.collateral -= amount;
  exposure.claim -= amount;
  exposure.entry += size < 0n ? amount : -amount;
  const { address } = account;
  state.emit('loss_settled', { address, market_id: market.id, size, price, amount, entry: exposure.entry });
  takeProfit(state, account, 0n);
}

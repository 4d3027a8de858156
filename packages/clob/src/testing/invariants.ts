import { noMarketLimits } from '@prime/codec';
import { bigintMax } from '@prime/primitives';
import { type Account, ownOf } from '../state/accounts.ts';
import { fundingPoolOf } from '../margin/funding.ts';
import { freeCollateral, marginState } from '../margin/margin.ts';
import { marginSums } from '../margin/marginSums.ts';
import { fundingIndexOf, type Market } from '../state/markets.ts';
import { buySide, noOrder, sellSide, type SideIndex } from '../book/orderPool.ts';
import { openingOf } from '../orders/reduceOnly.ts';
import { roomOf } from '../margin/room.ts';
import type { ClobState } from '../state/state.ts';
import { triggerInvariants } from './triggers.ts';

/**
 * What must hold between any two actions; numbers as in docs/protocol/clob.md. Returns the broken ones in words.
 *
 * @param pool what came in by deposits so far
 */
export function brokenInvariants(state: ClobState): string[] {
  return [...bookInvariants(state), ...accountInvariants(state), ...sumInvariants(state), ...triggerInvariants(state)];
}

function bookInvariants(state: ClobState): string[] {
  const broken: string[] = [];
  const { orders } = state;
  let linked = 0;
  for (const market of state.markets) {
    const { book } = market;
    const [bid, ask] = [book.bestTicks(0), book.bestTicks(1)];
    if (bid !== undefined && ask !== undefined && bid >= ask)
      broken.push(`I1 market ${market.id} is crossed: ${bid} ${ask}`);
    for (const side of [0, 1] as SideIndex[]) {
      const sums = new Map<string, bigint>();
      let before = { ticks: 0n, id: 0 };
      for (const handle of book.orders(side)) {
        linked++;
        const ticks = BigInt(book.columns.ticks[handle]!);
        const remaining = BigInt(book.columns.remaining[handle]!);
        const id = orders.id[handle]!;
        if (remaining <= 0n || remaining > BigInt(book.columns.size[handle]!))
          broken.push(`I2 order ${id} has ${remaining} left`);
        const inOrder =
          before.id === 0 || (ticks === before.ticks ? id > before.id : ticks > before.ticks === (side === 1));
        if (!inOrder) broken.push(`I5 order ${id} stands behind ${before.id}`);
        before = { ticks, id };
        sums.set(String(ticks), (sums.get(String(ticks)) ?? 0n) + remaining);
        if (orders.byId.get(id) !== handle) broken.push(`order ${id} is not indexed`);
      }
      for (const [ticks, sum] of sums)
        if (BigInt(book.lotsAt(side, book.of(BigInt(ticks)))) !== sum)
          broken.push(`I10 level ${ticks} of side ${side} is not ${sum}`);
    }
  }
  if (linked !== orders.byId.size) broken.push(`${orders.byId.size} orders are indexed, ${linked} stand in books`);
  return broken;
}

function accountInvariants(state: ClobState): string[] {
  const broken: string[] = [];
  const { orders } = state;
  for (const account of state.accounts) {
    const sums = new Map<number, bigint[]>();
    const reducing = new Map<number, bigint[]>();
    let count = 0;
    let clientIds = 0;
    for (let handle = account.firstOrder; handle !== noOrder; handle = orders.ownerNext[handle]!) {
      count++;
      if (orders.clientId(handle) !== null) clientIds++;
      const market = state.marketOf(handle);
      const sum = sums.get(market.id) ?? [0n, 0n, 0n, 0n];
      const size = BigInt(market.book.columns.remaining[handle]!) * market.lotSize;
      const at = orders.side[handle] === 0 ? 0 : 2;
      sum[at]! += size;
      if (orders.isReduceOnly(handle)) {
        const ofSides = reducing.get(market.id) ?? [0n, 0n];
        ofSides[orders.side[handle]!]! += size;
        reducing.set(market.id, ofSides);
      }
      sum[at + 1]! += size * BigInt(market.book.columns.ticks[handle]!) * market.tickSize;
      sums.set(market.id, sum);
    }
    if (count !== account.openOrders)
      broken.push(`I10 ${account.address} counts ${account.openOrders} orders, has ${count}`);
    if (clientIds !== account.clientIds.size) broken.push(`I10 ${account.address} client ids`);
    broken.push(...keptMargin(state, account), ...keptRoom(state, account));
    // Fees of trades may take more: they are paid out of profit as well.
    if (state.params.fees === undefined && ownOf(account) < 0n)
      broken.push(`P5 ${account.address} gave away ${-ownOf(account)} that nobody paid`);
    for (const exposure of account.exposures) {
      const counted = [exposure.buySize, exposure.buyNotional, exposure.sellSize, exposure.sellNotional].join();
      const expected = (sums.get(exposure.marketId) ?? [0n, 0n, 0n, 0n]).join();
      if (counted !== expected) broken.push(`I10 ${account.address} sums ${counted}, has ${expected}`);
      const [buys, sells] = reducing.get(exposure.marketId) ?? [0n, 0n];
      if (buys! > bigintMax(0n, -exposure.size) || sells! > bigintMax(0n, exposure.size))
        broken.push(`R1 ${account.address} reduces ${exposure.size} by buys of ${buys} and sells of ${sells}`);
      if (buys! + sells! !== (exposure.reducing?.size ?? 0n))
        broken.push(`I10 ${account.address} counts ${exposure.reducing?.size} reduce-only, has ${buys! + sells!}`);
      if (exposure.entry < 0n || (exposure.size === 0n && exposure.entry !== 0n))
        broken.push(`I9 ${account.address} has entry ${exposure.entry} at size ${exposure.size}`);
    }
  }
  return broken;
}

/** What the account keeps of its margin is what adding everything up gives. */
function keptMargin(state: ClobState, account: Account): string[] {
  const { equity, openLoss, initial } = marginState(account, state.marginMarket);
  const expected = [equity - account.collateral, openLoss, initial].join();
  const sums = marginSums(state, account);
  const kept = [sums.profit, sums.openLoss, sums.initial].join();
  return kept === expected ? [] : [`I10 ${account.address} keeps margin ${kept}, has ${expected}`];
}

/** What an account's room says is not more than there is. */
function keptRoom(state: ClobState, account: Account): string[] {
  const room = roomOf(state, account);
  const free = freeCollateral(marginState(account, state.marginMarket));
  return !Number.isFinite(room) || BigInt(Math.ceil(room)) <= free
    ? []
    : [`I10 ${account.address} is taken to have ${room} free, has ${free}`];
}

function sumInvariants(state: ClobState): string[] {
  const broken: string[] = [];
  let value = state.globals.insurance + state.transfers.total + fundingPoolOf(state);
  for (const market of state.markets) {
    value -= market.debt;
    broken.push(...claimInvariants(state, market));
    let size = 0n;
    for (const { exposures } of state.accounts)
      for (const exposure of exposures) if (exposure.marketId === market.id) size += exposure.size;
    broken.push(...limitInvariants(state, market));
    if (size !== 0n) broken.push(`I6 positions of market ${market.id} add up to ${size}`);
  }
  for (const { collateral, exposures } of state.accounts) {
    value += collateral;
    for (const { size, entry } of exposures) value += size < 0n ? entry : -entry;
  }
  broken.push(...fundingInvariants(state), ...holderInvariants(state));
  if (value !== state.globals.totalDeposits - state.globals.totalWithdrawals)
    broken.push(`I7 accounts hold ${value} of ${state.globals.totalDeposits} deposited`);
  if (state.globals.insurance < 0n) broken.push(`I8 the insurance fund is ${state.globals.insurance}`);
  let queued = 0n;
  for (const { amount } of state.transfers.byId.values()) queued += amount;
  if (queued !== state.transfers.total) broken.push(`${queued} wei are queued, counted are ${state.transfers.total}`);
  if (queued > state.globals.totalDeposits - state.globals.totalWithdrawals)
    broken.push(`I15 ${queued} wei are queued, more than escrow holds`);
  return broken;
}

/**
 * What a market owes, less what its pool has, is what positions won and will win together, which is nothing but its debt. Where there ever was
 * funding, the funding pool is between them.
 */
function claimInvariants(
  { accounts, globals }: ClobState,
  { id, profitPool, debt, claims: counted }: Market,
): string[] {
  const broken: string[] = [];
  if (profitPool < 0n || debt < 0n) broken.push(`P4 market ${id} has ${profitPool} and owes ${debt}`);
  let claims = -profitPool;
  let claimed = 0n;
  for (const { exposures } of accounts)
    for (const { marketId, claim, size, entry } of exposures) {
      if (marketId !== id) continue;
      claims += claim + (size < 0n ? entry : -entry);
      claimed += bigintMax(0n, claim);
    }
  if (claimed !== counted.wei) broken.push(`I10 market ${id} counts claims of ${counted.wei}, has ${claimed}`);
  if (globals.funding === undefined && claims !== debt)
    broken.push(`P5 claims of market ${id} add up to ${claims}, its debt is ${debt}`);
  return broken;
}

/** Open interest is what longs hold, and nobody is beyond a limit, not even with all open orders of a side filled. */
function limitInvariants({ accounts }: ClobState, { id, openInterest, limits }: Market): string[] {
  const { openInterestMax, positionMax } = limits ?? noMarketLimits;
  const broken: string[] = [];
  let longs = 0n;
  for (const { address, exposures } of accounts)
    for (const exposure of exposures) {
      const { marketId, size } = exposure;
      if (marketId !== id) continue;
      longs += bigintMax(0n, size);
      const worst = bigintMax(
        bigintMax(0n, size) + openingOf(exposure, buySide),
        bigintMax(0n, -size) + openingOf(exposure, sellSide),
      );
      if (positionMax > 0n && worst > positionMax) broken.push(`I17 ${address} could hold ${worst} in market ${id}`);
    }
  if (longs !== openInterest.size)
    broken.push(`I10 market ${id} counts ${openInterest.size} open, longs hold ${longs}`);
  if (openInterestMax > 0n && longs > openInterestMax) broken.push(`I17 longs of market ${id} hold ${longs}`);
  return broken;
}

/** The accounts that liquidation and the gate of withdrawals look at are those that a look at all of them finds. */
function holderInvariants(state: ClobState): string[] {
  const expected = state.accounts.filter(
    ({ collateral, exposures }) => collateral < 0n || exposures.some(({ size, claim }) => size !== 0n || claim < 0n),
  );
  const seen = [...state.holders.of(state.dirtyAccounts)];
  const missing = expected.filter((account) => !seen.includes(account)).map(({ address }) => address);
  const isExact = state.dirtyAccounts.size > 0 || seen.length === expected.length;
  return missing.length === 0 && isExact && new Set(seen).size === seen.length
    ? []
    : [`${seen.length} accounts hold something, not among them ${missing.join()}`];
}

/** The pool is what unsettled positions are owed and what rounding left, to the last part of a wei. */
function fundingInvariants(state: ClobState): string[] {
  const unit = 10n ** 9n;
  let owed = 0n;
  const broken: string[] = [];
  for (const { address, exposures } of state.accounts)
    for (const { marketId, size, fundingIndex } of exposures) {
      owed -= size * (fundingIndexOf(state.market(marketId)!) - fundingIndex);
      if (size === 0n && fundingIndex !== 0n) broken.push(`I16 ${address} has no position and index ${fundingIndex}`);
    }
  const { pool, dust } = state.globals.funding ?? { pool: 0n, dust: 0n };
  if (pool * unit !== owed + dust || dust < 0n || dust >= unit)
    broken.push(`I16 the funding pool is ${pool}, owed are ${owed} and ${dust} scaled`);
  return broken;
}

/** Free collateral of an account as the engine computes it. */
export function engineFree(state: ClobState, address: string): bigint {
  const account = state.accounts.find((candidate) => candidate.address === address);
  return account === undefined ? 0n : freeCollateral(marginState(account, state.marginMarket));
}

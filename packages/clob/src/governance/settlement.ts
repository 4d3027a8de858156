import { bigintAbs, bigintMin, compareStrings, createHeap, type Heap } from '@prime/primitives';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { endTrigger } from '../triggers/endTriggers.ts';
import { countFunding } from '../margin/funding.ts';
import { closeForValue, settleFill } from '../margin/fills.ts';
import { settleLoss } from '../margin/deleverage.ts';
import { buySide, noOrder, sellSide } from '../book/orderPool.ts';
import { type Account, findExposure } from '../state/accounts.ts';
import { changeMarket, reprice } from '../state/changes.ts';
import type { Market } from '../state/markets.ts';
import { createSettlement, type Settlement } from './settlements.ts';
import type { ClobState } from '../state/state.ts';

/**
 * The end of a market: its orders leave, and its positions are closed at one price, so many a block.
 *
 * All positions of a market add up to zero, and all are closed at the same price: what some get is what others pay, to the wei. From
 * the first block on the mark is that price and funding stands still, so nobody's equity depends on when his turn comes.
 *
 * @see docs/protocol/clob.md, Life of a market
 */

/** Orders that one block ends, and pairs of positions that it closes, together; the rest keep their places. */
const closedPerBlockMax = 1000;

/** Begins to settle a market. @param price wei for one base unit */
export function beginSettlement(state: ClobState, market: Market, price: bigint): void {
  countFunding(state, market);
  Object.assign(changeMarket(state, market), { status: 'settling', markPrice: price });
  state.settlements.set(market, createSettlement());
  state.journal.push(() => void state.settlements.delete(market));
  reprice(state);
  state.emit('market_status_set', { market_id: market.id, status: 'settling', settlement_price: price });
}

/** Goes on with all settlements, by market. */
export function advanceSettlements(state: ClobState): void {
  if (state.settlements.size === 0) return;
  let room = closedPerBlockMax;
  for (const market of [...state.settlements.keys()].sort((a, b) => a.id - b.id)) {
    room -= endOrders(state, market, room);
    if (room > 0) room -= closePositions(state, market, room);
    if (room === 0) return;
    changeMarket(state, market).status = 'delisted';
    const settlement = state.settlements.get(market)!;
    state.settlements.delete(market);
    state.journal.push(() => void state.settlements.set(market, settlement));
    state.emit('market_status_set', { market_id: market.id, status: 'delisted', settlement_price: market.markPrice });
  }
}

/** Bids first, then asks, best first, then triggers by id. @returns how many */
function endOrders(state: ClobState, market: Market, most: number): number {
  let count = 0;
  for (const side of [buySide, sellSide] as const)
    for (; count < most; count++) {
      const handle = market.book.best(side);
      if (handle === noOrder) break;
      cancelOrder(state, handle, 'settlement');
    }
  const waiting = [...state.triggers.byId.values()].filter(({ marketId }) => marketId === market.id);
  for (const trigger of waiting.sort((a, b) => a.id - b.id).slice(0, most - count)) {
    endTrigger(state, trigger, 'settlement');
    count++;
  }
  return count;
}

/**
 * Closes long positions against short ones of the same size, each side by address: a block that ends in between leaves as much long as short. Each
 * step closes one position whole, at least.
 *
 * @returns how many steps
 */
function closePositions(state: ClobState, market: Market, most: number): number {
  const settlement = state.settlements.get(market)!;
  settlement.sides ??= holdersOf(state, market);
  // The accounts of a block that is taken back are not those of the next one.
  state.journal.push(() => {
    settlement.sides = null;
  });
  const { longs, shorts } = settlement.sides;
  let count = 0;
  for (; count < most; count++) {
    const [long, short] = [firstOf(longs, market), firstOf(shorts, market)];
    if (long === null || short === null) break;
    closePair(state, market, long, short);
  }
  return count;
}

/** Who has a position in a market, by address. Nobody comes later: a market that is being settled takes no orders. */
function holdersOf(state: ClobState, { id }: Market): NonNullable<Settlement['sides']> {
  const [longs, shorts]: [Account[], Account[]] = [[], []];
  for (const account of state.holders.of(state.dirtyAccounts)) {
    const position = findExposure(account, id)?.position ?? 0;
    if (position > 0) longs.push(account);
    else if (position < 0) shorts.push(account);
  }
  return { longs: createHeap(byAddress, longs), shorts: createHeap(byAddress, shorts) };
}
const byAddress = (a: Account, b: Account): number => compareStrings(a.address, b.address);

/** The first one of a side whose position is not closed. */
function firstOf(side: Heap<Account>, { id }: Market): Account | null {
  for (let account = side.peek(); account !== undefined; account = side.peek()) {
    if (findExposure(account, id)!.size !== 0n) return account;
    side.pop();
  }
  return null;
}

function closePair(state: ClobState, market: Market, long: Account, short: Account): void {
  const sizeOf = (account: Account): bigint => bigintAbs(findExposure(account, market.id)!.size);
  const size = bigintMin(sizeOf(long), sizeOf(short));
  closePart(state, market, long, size);
  closePart(state, market, short, -size);
  settleLoss(state, long, market);
  settleLoss(state, short, market);
}

/** @param size of the part, with the sign of the position */
function closePart(state: ClobState, { id, markPrice }: Market, account: Account, size: bigint): void {
  const exposure = findExposure(account, id)!;
  const [part, price] = [bigintAbs(size), markPrice!];
  const fill = closeForValue(exposure.size, exposure.entry, part, part * price);
  settleFill(state, account, exposure, fill);
  state.emit('position_settled', { address: account.address, market_id: id, size, price, amount: fill.realized });
}

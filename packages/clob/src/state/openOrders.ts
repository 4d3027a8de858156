import type { OrderEnd } from '@prime/codec';
import { type Account, noteChanged } from './accounts.ts';
import { type AnyBook } from '../book/book.ts';
import { ensureExposure } from './changes.ts';
import { step } from './journal.ts';
import type { Market } from './markets.ts';
import { buySide, noOrder, type SideIndex } from '../book/orderPool.ts';
import { restedOrder } from '../records/restedOrder.ts';
import { expiryKey } from '../book/sortedIndex.ts';
import type { ClobState } from './state.ts';
import type { AdmittedOrder } from './takerOrder.ts';
import { negated, type Quantity } from '../book/quantity.ts';

/** What happens to open orders, in the book and in the lists and sums of their owners. Steps of it are numbers in the journal; undo.ts reads them. */

/** Puts a new order into the book, last in its queue. @param size lots, as @param remaining */
export function restOrder(state: ClobState, order: AdmittedOrder, size: Quantity, remaining: Quantity): void {
  const { market } = order;
  const handle = state.orders.allocate(order, state.height);
  const { columns } = market.book;
  columns.ticks[handle] = order.ticks;
  columns.size[handle] = size;
  columns.remaining[handle] = remaining;
  linkOrder(state, handle);
  touchOrder(state, handle, market);
  state.journal.note(step.rested, handle, 0);
}

/** Takes an order that the trade of its last lots filled out of the book: the best one of its side. */
export function removeFilled(state: ClobState, handle: number): void {
  const market = state.marketOf(handle);
  removeOrder(state, handle, market, state.accounts[state.orders.owner[handle]!]!, market.book.zero, 'filled');
}

/** Takes an order out of the book and remembers how it ended. @param left lots that were not filled */
export function removeOrder(
  state: ClobState,
  handle: number,
  market: Market,
  owner: Account,
  left: Quantity,
  end: OrderEnd,
): void {
  const { orders } = state;
  const { book } = market;
  state.memory.note(restedOrder(orders, market, handle, { owner, left, end }));
  touchOrder(state, handle, market);
  unlinkOrder(state, handle, book, owner, end === 'filled');
  orders.release(handle);
  state.journal.note(step.removed, handle, 0);
}

/** Takes filled lots off an order that keeps some. */
export function fillOrder(state: ClobState, handle: number, lots: Quantity): void {
  const market = state.marketOf(handle);
  touchOrder(state, handle, market);
  adjustOrder(state, handle, negated(lots));
  if (typeof lots === 'number') state.journal.note(step.filled, handle, lots);
  else noteWideFill(state, handle, lots);
}

function noteWideFill(state: ClobState, handle: number, lots: bigint): void {
  state.journal.push(() => adjustOrder(state, handle, lots));
}

/** A resting order came, or is about to change or to leave. */
function touchOrder({ orders, dirtyMarkets, levels }: ClobState, handle: number, market: Market): void {
  const { ticks, remaining } = market.book.columns;
  orders.touch(handle, remaining[handle]!);
  dirtyMarkets.add(market);
  if (levels !== null) levels.note(market, orders.side[handle] as SideIndex, ticks[handle]!);
}

/** Adds to what remains of an order. Not in the journal, as with {@link linkOrder}. */
export function adjustOrder(state: ClobState, handle: number, by: Quantity): void {
  const { orders } = state;
  const book = state.bookOf(handle);
  book.adjust(handle, by);
  count(state, handle, book, state.accounts[orders.owner[handle]!]!, by);
}

/** Links a row as the newest of its level and owner. Not in the journal: for {@link restOrder} and for restoring. */
export function linkOrder(state: ClobState, handle: number): void {
  const { orders } = state;
  const book = state.bookOf(handle);
  const account = state.accounts[orders.owner[handle]!]!;
  orders.setExposure(handle, ensureExposure(state, account, orders.market[handle]!));
  book.append(handle);
  // The newest of its owner, unless shards tell of older ones later.
  let previous = account.lastOrder;
  while (previous !== noOrder && orders.id[previous]! > orders.id[handle]!) previous = orders.ownerPrevious[previous]!;
  orders.ownerPrevious[handle] = previous;
  orders.ownerNext[handle] = previous === noOrder ? account.firstOrder : orders.ownerNext[previous]!;
  relinkNeighbours(state, handle, account);
  register(state, handle, book, account);
}

/** Reverses {@link linkOrder}. @param isBest it is the best one of its side */
export function unlinkOrder(state: ClobState, handle: number, book: AnyBook, account: Account, isBest = false): void {
  const { orders } = state;
  const { ownerNext, ownerPrevious } = orders;
  const previous = ownerPrevious[handle]!;
  const next = ownerNext[handle]!;
  if (isBest) book.removeBest(handle);
  else book.remove(handle);
  if (previous === noOrder) account.firstOrder = next;
  else ownerNext[previous] = next;
  if (next === noOrder) account.lastOrder = previous;
  else ownerPrevious[next] = previous;
  const id = orders.id[handle]!;
  const clientId = orders.clientId(handle);
  const expiresAt = orders.expiresAt[handle]!;
  if (orders.isReduceOnly(handle)) orders.exposure(handle).reducing!.remove(handle, orders.id);
  account.openOrders--;
  orders.byId.delete(id);
  if (clientId !== null) account.clientIds.delete(clientId);
  if (expiresAt !== 0) state.expiries.remove(expiryKey(expiresAt, id));
  count(state, handle, book, account, negated(book.columns.remaining[handle]!));
}

/** Puts an order back whose row was released last, as it was right before it left. */
export function putBack(state: ClobState, handle: number): void {
  const book = state.bookOf(handle);
  const account = state.accounts[state.orders.owner[handle]!]!;
  state.orders.unrelease();
  book.reinsert(handle);
  relinkNeighbours(state, handle, account);
  register(state, handle, book, account);
}

/** Puts an order between the neighbours among its owner's that its row names. */
function relinkNeighbours({ orders }: ClobState, handle: number, account: Account): void {
  const { ownerNext, ownerPrevious } = orders;
  const previous = ownerPrevious[handle]!;
  const next = ownerNext[handle]!;
  if (previous === noOrder) account.firstOrder = handle;
  else ownerNext[previous] = handle;
  if (next === noOrder) account.lastOrder = handle;
  else ownerPrevious[next] = handle;
}

/** Enters an order into the indexes and sums. */
function register(state: ClobState, handle: number, book: AnyBook, account: Account): void {
  const { orders } = state;
  const id = orders.id[handle]!;
  const clientId = orders.clientId(handle);
  const expiresAt = orders.expiresAt[handle]!;
  account.openOrders++;
  orders.byId.set(id, handle);
  if (clientId !== null) account.clientIds.set(clientId, handle);
  if (expiresAt !== 0) state.expiries.insert(expiryKey(expiresAt, id), handle);
  if (orders.isReduceOnly(handle)) orders.exposure(handle).addReducing(handle, orders.id);
  count(state, handle, book, account, book.columns.remaining[handle]!);
}

/** Adds lots of an order to its owner's sums of open orders. */
function count({ orders }: ClobState, handle: number, book: AnyBook, account: Account, lots: Quantity): void {
  const exposure = orders.exposure(handle);
  noteChanged(account, exposure);
  exposure.count(orders.side[handle] === buySide, lots, book.columns.ticks[handle]!);
  if (orders.isReduceOnly(handle)) exposure.reducing!.size += BigInt(lots) * exposure.grid.lotSize;
}

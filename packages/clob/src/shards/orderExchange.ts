import { assert } from '@prime/primitives';
import { fitsNarrow } from '../book/book.ts';
import { adjustOrder, linkOrder, unlinkOrder } from '../state/openOrders.ts';
import { noOrder, type SideIndex } from '../book/orderPool.ts';
import { orderNumbers, type OrderRows, type OrderRowView, RowMerge } from '../state/orderRows.ts';
import type { ClobState } from '../state/state.ts';

/** Orders on their way from one state to another one: written as rows, and read from them. */

/** Rows of orders. @param ids ascending @param isOurs which of the live ones are told; those of wide books never are */
export function orderRows(state: ClobState, ids: ArrayLike<number>, isOurs: (market: number) => boolean): OrderRows {
  const { orders } = state;
  const numbers = new Float64Array(ids.length * orderNumbers);
  const clientIds: [number, string][] = [];
  let row = 0;
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index]!;
    const at = row * orderNumbers;
    const handle = orders.byId.get(id);
    numbers[at] = id;
    if (handle === undefined) {
      row++;
      continue;
    }
    const market = orders.market[handle]!;
    const { columns, zero } = state.bookOf(handle);
    if (!isOurs(market) || typeof zero !== 'number') continue;
    numbers[at + 1] = market;
    numbers[at + 2] = orders.owner[handle]!;
    numbers[at + 3] = orders.side[handle]!;
    numbers[at + 4] = columns.ticks[handle] as number;
    numbers[at + 5] = columns.size[handle] as number;
    numbers[at + 6] = columns.remaining[handle] as number;
    numbers[at + 7] = orders.flags[handle]!;
    numbers[at + 8] = orders.expiresAt[handle]!;
    numbers[at + 9] = orders.createdBlock[handle]!;
    const clientId = orders.clientId(handle);
    if (clientId !== null) clientIds.push([row, clientId]);
    row++;
  }
  return { numbers: numbers.subarray(0, row * orderNumbers), clientIds };
}

/** Brings a state's orders in line with rows, between two blocks. */
export function applyOrderRows(state: ClobState, lists: readonly OrderRows[]): void {
  const rows = new RowMerge(lists);
  for (let row = rows.next(Number.POSITIVE_INFINITY); row !== null; row = rows.next(Number.POSITIVE_INFINITY)) {
    const handle = state.orders.byId.get(row.id);
    if (row.market === 0) {
      if (handle !== undefined) dropOrder(state, handle);
    } else if (handle === undefined) putOrder(state, row);
    else {
      const { columns } = state.bookOf(handle);
      columns.size[handle] = row.size;
      adjustOrder(state, handle, row.remaining - Number(columns.remaining[handle]!));
    }
  }
  state.orders.recycle();
  // Exposures that came with them are not for an undo.
  state.accept();
}

function dropOrder(state: ClobState, handle: number): void {
  unlinkOrder(state, handle, state.bookOf(handle), state.accounts[state.orders.owner[handle]!]!);
  state.orders.release(handle);
}

function putOrder(state: ClobState, row: OrderRowView): void {
  const { id, ticks, size, remaining, flags, expiresAt, createdBlock, clientId } = row;
  const side = row.side as SideIndex;
  const market = state.markets[row.market - 1]!;
  const { book } = market;
  assert(fitsNarrow(book, side, BigInt(ticks), BigInt(size)), `order ${id} does not fit the book of numbers`);
  const account = state.accounts[row.owner]!;
  // What the flags say is set below.
  const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
  const handle = state.orders.allocate({ ...plain, id, market, account, side, expiresAt, clientId }, createdBlock);
  state.orders.flags[handle] = flags;
  book.columns.ticks[handle] = ticks;
  book.columns.size[handle] = size;
  book.columns.remaining[handle] = remaining;
  state.orders.next[handle] = noOrder;
  linkOrder(state, handle);
}

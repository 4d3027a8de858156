import { bigintMin } from '@prime/primitives';
import type { PlannedItem } from '../execution/planQuotes.ts';
import type { BotFill } from '../ledger.ts';
import { type AccountView, type Book, isBuy, type OwnOrder, type Side } from '../market.ts';

/** An order that exists on paper only. */
interface PaperOrder extends OwnOrder {
  /** What rests before it at its price, base units. */
  readonly ahead: bigint;
}

/** What somebody traded. */
export interface PaperTrade {
  readonly price: bigint;
  readonly size: bigint;
  /** The taker's. */
  readonly side: Side;
}

/**
 * Orders on paper beside a real book. An order stands behind what was displayed at its price when it came. It is filled by trades at its
 * price that reach it, by trades beyond its price, and when the real book crosses it. Orders that trade at once take what is displayed.
 * Nobody else sees any of it.
 */
export class PaperBook {
  #book: Book = { bids: [], asks: [] };
  #orders: readonly PaperOrder[] = [];
  #position = 0n;
  #cash = 0n;
  #nextOrder = 1;
  #nextTrade = 1;

  view(blockNumber: bigint): AccountView {
    const orders = this.#orders.map(({ ahead: _ahead, ...order }) => order);
    return {
      blockNumber,
      collateral: this.#cash,
      position: this.#position,
      entry: 0n,
      orders,
      openOrders: orders.length,
    };
  }

  /** The real book has changed. */
  onBook(book: Book, blockNumber: bigint): BotFill[] {
    this.#book = book;
    const fills: BotFill[] = [];
    this.#orders = this.#orders.flatMap((order) => {
      const displayed = displayedAt(book, order.side, order.price);
      const opposite = isBuy(order.side) ? book.asks[0] : book.bids[0];
      if (opposite !== undefined && isReached(order, opposite.price)) {
        fills.push(this.#fill(order, 'maker', blockNumber));
        return [];
      }
      return [{ ...order, ahead: bigintMin(order.ahead, displayed) }];
    });
    return fills;
  }

  onTrade({ price, size, side }: PaperTrade, blockNumber: bigint): BotFill[] {
    const fills: BotFill[] = [];
    let left = size;
    const meets = (order: PaperOrder): boolean => order.side !== side && isReached(order, price);
    for (const order of this.#orders.filter(meets).toSorted(byPriority)) {
      // A trade beyond the price of an order has passed all that was before it.
      const ahead = order.price === price ? order.ahead : 0n;
      const passed = bigintMin(left, ahead);
      const filled = bigintMin(left - passed, order.size);
      if (filled > 0n) fills.push(this.#fill({ ...order, size: filled }, 'maker', blockNumber));
      left -= filled;
      this.#replace(order, { ...order, ahead: ahead - passed, size: order.size - filled });
    }
    return fills;
  }

  /** Block time has come; orders whose life is over are gone. */
  onTime(seconds: number): void {
    this.#orders = this.#orders.filter(({ expiresAtSeconds }) => expiresAtSeconds === 0 || expiresAtSeconds >= seconds);
  }

  /** @returns fills of what traded at once, and the kinds of refusals */
  carryOut(items: readonly PlannedItem[], blockNumber: bigint) {
    const fills: BotFill[] = [];
    const refusals: string[] = [];
    for (const item of items) {
      const order = 'orderId' in item ? this.#orders.find(({ orderId }) => orderId === item.orderId) : undefined;
      if (item.type === 'take') fills.push(...this.#take(item, blockNumber));
      else if (item.type === 'quote') {
        if (this.#place(item) === null) refusals.push('post_only');
      } else if (order === undefined) refusals.push('unknown_order');
      else if (item.type === 'cancel') this.#replace(order, null);
      else if (item.price === order.price && item.size <= order.size)
        this.#replace(order, { ...order, size: item.size });
      else {
        this.#replace(order, null);
        if (this.#place({ ...order, price: item.price, size: item.size }) !== null) continue;
        this.#orders = [...this.#orders, order];
        refusals.push('post_only');
      }
    }
    return { fills, refusals };
  }

  cancelAll(): void {
    this.#orders = [];
  }

  #place(order: Omit<OwnOrder, 'orderId'>): PaperOrder | null {
    const { side, price, size, clientId, expiresAtSeconds } = order;
    const opposite = isBuy(side) ? this.#book.asks[0] : this.#book.bids[0];
    if (opposite !== undefined && (isBuy(side) ? opposite.price <= price : opposite.price >= price)) return null;
    const ahead = displayedAt(this.#book, side, price);
    const placed = { orderId: this.#nextOrder++, side, price, size, clientId, expiresAtSeconds, ahead };
    this.#orders = [...this.#orders, placed];
    return placed;
  }

  #take({ side, price, size }: { side: Side; price: bigint; size: bigint }, blockNumber: bigint): BotFill[] {
    const orderId = this.#nextOrder++;
    let left = size;
    const fills: BotFill[] = [];
    for (const level of isBuy(side) ? this.#book.asks : this.#book.bids) {
      const isBeyond = isBuy(side) ? level.price > price : level.price < price;
      const filled = isBeyond ? 0n : bigintMin(left, level.size);
      if (filled === 0n) break;
      left -= filled;
      fills.push(this.#fill({ orderId, side, price: level.price, size: filled }, 'taker', blockNumber));
    }
    return fills;
  }

  #replace(order: PaperOrder, by: PaperOrder | null): void {
    const kept = by === null || by.size === 0n ? [] : [by];
    this.#orders = this.#orders.flatMap((each) => (each.orderId === order.orderId ? kept : [each]));
  }

  #fill(
    { orderId, side, price, size }: Pick<OwnOrder, 'orderId' | 'side' | 'price' | 'size'>,
    liquidity: 'maker' | 'taker',
    blockNumber: bigint,
  ): BotFill {
    const value = price * size;
    this.#position += isBuy(side) ? size : -size;
    this.#cash += isBuy(side) ? -value : value;
    return { blockNumber, tradeId: this.#nextTrade++, orderId, side, size, value, fee: 0n, liquidity };
  }
}

const displayedAt = ({ bids, asks }: Book, side: Side, at: bigint): bigint =>
  (isBuy(side) ? bids : asks).find(({ price }) => price === at)?.size ?? 0n;

/** Whether a price is that of the order or beyond it. */
const isReached = (order: OwnOrder, price: bigint): boolean =>
  isBuy(order.side) ? price <= order.price : price >= order.price;

const byPriority = (a: PaperOrder, b: PaperOrder): number =>
  a.price === b.price ? a.orderId - b.orderId : isBuy(a.side) === a.price > b.price ? -1 : 1;

import {
  type FlowAction,
  type FlowHeader,
  type FlowOrder,
  type FlowOutcome,
  type OrderRef,
  orderRefOf,
  plainOrder,
} from '../recording/flow/flow.ts';
import { FlowWriter } from '../recording/flow/flowWriter.ts';
import { ItchBook, type ItchOrder } from './itchBook.ts';
import type { ItchMessage, ItchMessageOf, ItchType } from './itchMessages.ts';
import { malformedItch, readItch } from './itchReader.ts';

/** What of a trading day becomes a flow, and over how many accounts it is spread. */
export interface ItchFlowOptions {
  /** Symbols (`AAPL`) whose orders are taken; they become the markets 1, 2, … in this order. */
  readonly stocks: readonly string[];
  /** ms since midnight, New York: what comes before builds the book that the flow begins with. Default 0. */
  readonly fromMs?: number;
  /** ms since midnight: nothing from then on. Default the end of the file. */
  readonly toMs?: number;
  /** Accounts over which orders without attribution are spread. Default 32. */
  readonly makers?: number;
  /** Accounts over which those are spread that take. Default 8. */
  readonly takers?: number;
}

const makersDefault = 32;
const takersDefault = 8;
const nsPerMs = 1e6;

const usedTypes: ReadonlySet<ItchType> = new Set(['R', 'A', 'F', 'E', 'C', 'X', 'D', 'U', 'P', 'Q', 'B']);

/**
 * Turns a file of TotalView-ITCH 5.0 into a recorded flow. A share is one base unit, and a price of one is a ten-thousandth of a dollar.
 *
 * The file tells what happened to orders that rest, and not which orders came: an execution becomes an order for exactly what was executed. What it does not
 * tell, or what no order could do, is counted in the last line of the flow; docs/reference/flow.md lists it.
 *
 * @param input the file's bytes, packed with gzip or not
 * @throws LoadError `LOAD_ITCH_MALFORMED`
 */
export async function* itchToFlow(input: AsyncIterable<Uint8Array>, options: ItchFlowOptions): AsyncGenerator<string> {
  const converter = new ItchConverter(options);
  const wants = (locate: number): boolean => converter.wants(locate);
  for await (const message of readItch(input, { types: usedTypes, wants })) {
    if (!converter.take(message)) break;
    yield* converter.lines();
  }
  converter.end();
  yield* converter.lines();
}

class ItchConverter {
  readonly #writer: FlowWriter;
  readonly #fromNs: number;
  readonly #toNs: number;
  readonly #makers: number;
  readonly #takers: number;
  /** Market of each symbol, from 1 on. */
  readonly #markets: ReadonlyMap<string, number>;
  readonly #byLocate = new Map<number, { readonly market: number; readonly book: ItchBook }>();
  readonly #orders = new Map<bigint, ItchOrder>();
  #hasBegun = false;
  #ns = 0;

  constructor({ stocks, fromMs = 0, toMs, makers = makersDefault, takers = takersDefault }: ItchFlowOptions) {
    this.#markets = new Map(stocks.map((stock, index) => [stock, index + 1]));
    this.#fromNs = fromMs * nsPerMs;
    this.#toNs = toMs === undefined ? Number.POSITIVE_INFINITY : toMs * nsPerMs;
    this.#makers = makers;
    this.#takers = takers;
    this.#writer = new FlowWriter({ source: { of: 'itch' }, beganMs: fromMs, markets: marketsOf(stocks) });
  }

  lines(): string[] {
    return this.#writer.take();
  }

  /** Before the directory names the stocks, all are wanted: it is what has to be heard. */
  wants(locate: number): boolean {
    return this.#byLocate.size < this.#markets.size || this.#byLocate.has(locate);
  }

  /** @returns false when the flow is over */
  take(message: ItchMessage): boolean {
    if (message.ns < this.#ns) malformedItch(message.offset, 'earlier than the message before');
    this.#ns = message.ns;
    if (message.ns >= this.#toNs) return false;
    if (message.type === 'R') this.#list(message);
    const listed = this.#byLocate.get(message.locate);
    if (listed === undefined) return true;
    if (message.ns >= this.#fromNs) this.#begin();
    this.#apply(message, listed);
    return true;
  }

  end(): void {
    this.#begin();
    for (const stock of this.#markets.keys())
      if (![...this.#byLocate.values()].some(({ market }) => market === this.#markets.get(stock)))
        this.#writer.lose(`stock ${stock}: not in the file`);
    this.#writer.end();
  }

  #list({ stock, locate }: ItchMessageOf<'R'>): void {
    const market = this.#markets.get(stock);
    if (market !== undefined && !this.#byLocate.has(locate))
      this.#byLocate.set(locate, { market, book: new ItchBook() });
  }

  /** The orders that rest when the flow begins, the oldest first. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const order of this.#orders.values()) {
      const account = this.#writer.account(order.account);
      order.ref = orderRefOf(this.#writer.add({ kind: 'earlier', account, order: fieldsOf(order) }));
    }
  }

  #apply(message: ItchMessage, listed: { readonly market: number; readonly book: ItchBook }): void {
    switch (message.type) {
      case 'A':
      case 'F':
        return this.#add(message, listed);
      case 'P':
        return this.#hidden(message, listed);
      case 'E':
      case 'C':
      case 'X':
      case 'D':
      case 'U': {
        const order = this.#orders.get(message.reference);
        if (order === undefined) return this.#lose('messages about orders that are not in the flow');
        return this.#change(message, order, listed.book);
      }
      case 'Q':
        // Of nothing is what a cross without orders is told as.
        return message.shares > 0n ? this.#lose('crosses: trades of auctions') : undefined;
      case 'B':
        return this.#lose('broken trades');
      default:
    }
  }

  #lose(what: string): void {
    if (this.#hasBegun) this.#writer.lose(what);
  }

  /** Adds an action. @returns the number of its line */
  #act(ns: number, account: number, action: FlowAction, outcome: FlowOutcome): number {
    const ms = Math.floor((ns - this.#fromNs) / nsPerMs);
    return this.#writer.add({ kind: 'action', ms, account, action, outcome });
  }

  /** The order comes, and rests. */
  #rest(order: ItchOrder, ns: number): OrderRef {
    const outcome = { rests: `${order.shares}` };
    return orderRefOf(this.#act(ns, this.#writer.account(order.account), restingOrder(order), outcome));
  }

  #add(
    message: ItchMessageOf<'A'> | ItchMessageOf<'F'>,
    { market, book }: { readonly market: number; readonly book: ItchBook },
  ): void {
    const { reference, price, shares } = message;
    const isBuy = isBuySide(message);
    this.#checkNew(reference, message);
    if (book.crosses(isBuy, price)) return this.#lose('orders that would have traded at once, and did not');
    const account = message.type === 'F' ? `participant ${message.attribution}` : this.#makerOf(reference);
    const order: ItchOrder = { reference, market, isBuy, price, account, shares, ref: null };
    this.#place(order, book);
    if (this.#hasBegun) order.ref = this.#rest(order, message.ns);
  }

  #checkNew(
    reference: bigint,
    { price, shares, offset }: Pick<ItchMessageOf<'A'>, 'price' | 'shares' | 'offset'>,
  ): void {
    if (this.#orders.has(reference)) malformedItch(offset, `order ${reference} is added twice`);
    if (price === 0 || shares === 0) malformedItch(offset, `order ${reference} has no price or no shares`);
  }

  #change(
    message: ItchMessageOf<'E'> | ItchMessageOf<'C'> | ItchMessageOf<'X'> | ItchMessageOf<'D'> | ItchMessageOf<'U'>,
    order: ItchOrder,
    book: ItchBook,
  ): void {
    const { offset, ns } = message;
    if (message.type === 'D') return this.#cancel(order, ns, book);
    if (message.type === 'U') return this.#replace(message, order, book);
    const { shares } = message;
    if (shares === 0 || shares > order.shares)
      malformedItch(offset, `${message.type} of ${shares} shares of an order with ${order.shares}`);
    if (message.type === 'X') return this.#reduce(order, shares, ns, book);
    if (message.type === 'C' && message.price !== order.price)
      this.#lose('executions at another price than the order’s: at the order’s');
    if (!book.isFirst(order)) {
      this.#lose('executions of an order that was not the first of its side: taken off it');
      return this.#reduce(order, shares, ns, book);
    }
    return this.#execute(order, { shares, ns, match: message.match }, book);
  }

  #execute(
    order: ItchOrder,
    { shares, ns, match }: { readonly shares: number; readonly ns: number; readonly match: bigint },
    book: ItchBook,
  ): void {
    order.shares -= shares;
    if (order.shares === 0) this.#drop(order, book);
    if (order.ref !== null && this.#hasBegun) this.#takeFrom({ ...order, ref: order.ref }, shares, { ns, match });
  }

  /** The order that came, for exactly what it took. */
  #takeFrom(
    maker: ItchOrder & { readonly ref: OrderRef },
    shares: number,
    { ns, match }: { readonly ns: number; readonly match: bigint },
  ): void {
    const account = this.#writer.account(`taker ${match % BigInt(this.#takers)}`);
    const { market, side, price } = fieldsOf(maker);
    const size = `${shares}`;
    const taker: FlowOrder = { market, side: side === 'buy' ? 'sell' : 'buy', price, size, tif: 'ioc', ...plainOrder };
    const fills = [{ market, price, size, maker: maker.ref, taker: orderRefOf(this.#writer.nextLine) }];
    this.#act(ns, account, { type: 'order', ...taker }, { fills });
  }

  #reduce(order: ItchOrder, shares: number, ns: number, book: ItchBook): void {
    if (shares === order.shares) return this.#cancel(order, ns, book);
    order.shares -= shares;
    if (order.ref === null || !this.#hasBegun) return;
    const account = this.#writer.account(order.account);
    const action = { type: 'modify', order: order.ref, price: `${order.price}`, size: `${order.shares}` } as const;
    this.#act(ns, account, action, {});
  }

  #cancel(order: ItchOrder, ns: number, book: ItchBook): void {
    this.#drop(order, book);
    if (order.ref === null || !this.#hasBegun) return;
    const account = this.#writer.account(order.account);
    const action = { type: 'cancel', order: order.ref, market: order.market } as const;
    const removed = [{ order: order.ref, account, market: order.market, reason: 'user' }];
    this.#act(ns, account, action, { removed });
  }

  /** A replaced order loses its place, whatever it is replaced by: a cancel and an order, which nobody can come between. */
  #replace(message: ItchMessageOf<'U'>, old: ItchOrder, book: ItchBook): void {
    const { newReference, shares, price, ns } = message;
    this.#checkNew(newReference, message);
    if (book.crosses(old.isBuy, price)) {
      this.#lose('orders that would have traded at once, and did not');
      return this.#cancel(old, ns, book);
    }
    this.#drop(old, book);
    const order: ItchOrder = { ...old, reference: newReference, price, shares, ref: null };
    this.#place(order, book);
    if (old.ref === null || !this.#hasBegun) return;
    const account = this.#writer.account(order.account);
    const { market } = order;
    const cancel = { type: 'cancel', order: old.ref, market } as const;
    const items = [cancel, restingOrder(order)];
    const outcome = {
      items: [{}, { rests: `${shares}` }],
      removed: [{ order: old.ref, account, market, reason: 'user' }],
    };
    order.ref = orderRefOf(this.#act(ns, account, { type: 'batch', items }, outcome), 1);
  }

  /** A trade with an order that nobody saw: it comes, is the best of its side, and is taken. */
  #hidden(message: ItchMessageOf<'P'>, { market, book }: { readonly market: number; readonly book: ItchBook }): void {
    if (!this.#hasBegun) return;
    const { reference, price, shares, ns, match, offset } = message;
    const isBuy = isBuySide(message);
    if (price === 0 || shares === 0) malformedItch(offset, 'a trade without price or shares');
    if (book.crosses(isBuy, price) || !book.leads(isBuy, price))
      return this.#lose('trades with hidden orders behind or beyond displayed ones');
    const account = this.#makerOf(match);
    const order: ItchOrder = { reference, market, isBuy, price, account, shares, ref: null };
    this.#takeFrom({ ...order, ref: this.#rest(order, ns) }, shares, { ns, match });
  }

  #makerOf(reference: bigint): string {
    return `maker ${reference % BigInt(this.#makers)}`;
  }

  #place(order: ItchOrder, book: ItchBook): void {
    this.#orders.set(order.reference, order);
    book.add(order);
  }

  #drop(order: ItchOrder, book: ItchBook): void {
    this.#orders.delete(order.reference);
    book.remove(order);
  }
}

const fieldsOf = (order: ItchOrder): Pick<FlowOrder, 'market' | 'side' | 'price' | 'size'> => ({
  market: order.market,
  side: order.isBuy ? 'buy' : 'sell',
  price: `${order.price}`,
  size: `${order.shares}`,
});

const restingOrder = (order: ItchOrder) => ({ type: 'order', ...fieldsOf(order), tif: 'gtc', ...plainOrder }) as const;

function isBuySide({ side, offset }: ItchMessageOf<'A' | 'F' | 'P'>): boolean {
  if (side !== 'B' && side !== 'S') malformedItch(offset, `an order on side ${JSON.stringify(side)}`);
  return side === 'B';
}

/** A market's symbol has the letters that networks take; others tell their codes, so that no two symbols become one. */
const marketsOf = (stocks: readonly string[]): FlowHeader['markets'] =>
  stocks.map((stock, index) => ({
    market: index + 1,
    symbol: `${stock.replaceAll(/[^A-Za-z0-9.-]/g, (other) => `_${other.charCodeAt(0)}`)}/USD`,
    tick: '1',
    lot: '1',
  }));

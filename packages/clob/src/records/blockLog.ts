import {
  type ActionResult,
  type CancelReason,
  type DomainEvent,
  encodeActionResult,
  encodeEvent,
  type OrderEnd,
  type OrderStatus,
  orderStatuses,
  RlpBackwards,
  type Side,
  timesInForce,
  type TradeValue,
} from '@prime/codec';
import { type Address, grown, type OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import {
  answerNumbers,
  answerOf,
  type AnswerRow,
  areRows,
  type EventRows,
  framesWritten,
  writeAnswerRow,
} from './answerRows.ts';
import { type EventRow, row, writeAccepted, writeCancelled, writeCharged, writeTraded } from './eventRows.ts';
import { type ChargedFees, type Known, type LogRows, renamed, type Trade, tradeOf } from './logRows.ts';
import type { Market } from '../state/markets.ts';
import { endPlace } from './orderMemory.ts';
import { buySide, selfTradePlace } from '../book/orderPool.ts';
import type { AdmittedOrder, Refused } from '../state/takerOrder.ts';

/** What an action is answered: an object, or its place in the block's log. */
export type Answer = ActionResult | number;

/** Whether an action was refused; what is a row never was. */
export const isRefused = (answer: Answer): answer is Refused => typeof answer !== 'number' && !answer.ok;

/**
 * What a block says: its events, and what it answered to orders and cancels.
 *
 * An event costs as much as the match that it tells of, if it is an object with ten bigints in it. So those of the kinds that
 * a book makes all the time are rows of numbers, and are encoded from these at the border of the engine.
 */
export class BlockLog implements EventRows {
  #events = 0;
  /** What the row is, see {@link row}. */
  #kinds: Uint8Array;
  #actions: Int32Array;
  #markets: Float64Array;
  /** {@link eventNumbers} a row. */
  #numbers: Float64Array;
  /** What is no number: events that are no rows, client ids. */
  readonly #others = new Map<number, DomainEvent | string>();
  readonly #known: Known;
  #answers = 0;
  /** {@link answerNumbers} a row. */
  #answerNumbers: Float64Array;
  readonly #writer = new RlpBackwards();

  /** @param known markets and accounts, which rows name by place @param capacity events, a guess */
  constructor(known: Known, capacity = 64) {
    this.#known = known;
    this.#kinds = new Uint8Array(capacity);
    this.#actions = new Int32Array(capacity);
    this.#markets = new Float64Array(capacity);
    this.#numbers = new Float64Array(capacity * eventNumbers);
    this.#answerNumbers = new Float64Array(capacity * answerNumbers);
  }

  get eventCount(): number {
    return this.#events;
  }

  /** Answers that are rows. */
  get answerCount(): number {
    return this.#answers;
  }

  /** Begins a block: what the latest one said is gone. */
  reset(): void {
    this.#events = 0;
    this.#answers = 0;
    this.#others.clear();
  }

  /** Takes back all events behind a number of them. */
  truncate(events: number): void {
    // Whoever comes to such a place writes all of it.
    if (this.#others.size > 0) for (let at = this.#events - 1; at >= events; at--) this.#others.delete(at);
    this.#events = events;
  }

  emit(event: DomainEvent): void {
    this.#others.set(this.#begin(row.event, null, 0), event);
  }

  /** An order was taken in, with all of its size to be matched. */
  accepted(actionIndex: number | null, order: AdmittedOrder<number>): void {
    const { clientId, tif, postOnly, selfTrade } = order;
    const at = this.#begin(row.accepted, actionIndex, order.market.id);
    const numbers = this.#numbers;
    const from = at * eventNumbers;
    numbers[from] = order.id;
    numbers[from + 1] = order.ticks;
    numbers[from + 2] = order.lots;
    numbers[from + 3] = order.side;
    numbers[from + 4] = timesInForce.indexOf(tif);
    numbers[from + 5] = (postOnly ? 1 : 0) | (selfTradePlace(selfTrade) << 1);
    numbers[from + 6] = order.account.index;
    if (clientId !== null) this.#others.set(at, clientId);
  }

  /** Two orders traded; what it cost them is told by {@link charged} right behind it. */
  traded(actionIndex: number | null, id: number, trade: Trade<number>): void {
    const { taker } = trade;
    const at = this.#begin(row.traded, actionIndex, taker.market.id);
    const numbers = this.#numbers;
    const from = at * eventNumbers;
    numbers[from] = id;
    numbers[from + 1] = trade.ticks;
    numbers[from + 2] = trade.lots;
    numbers[from + 3] = taker.side;
    numbers[from + 4] = trade.makerOrder;
    numbers[from + 5] = taker.id;
    numbers[from + 6] = trade.maker.index;
    numbers[from + 7] = taker.account.index;
  }

  /** What the trade before it cost; not all of it is 0. */
  charged(actionIndex: number | null, tradeId: number, { maker, taker }: Trade, charged: ChargedFees<number>): void {
    const at = this.#begin(row.charged, actionIndex, taker.market.id);
    const numbers = this.#numbers;
    const from = at * eventNumbers;
    numbers[from] = tradeId;
    numbers[from + 1] = charged.takerFee;
    numbers[from + 2] = charged.makerFee;
    numbers[from + 3] = charged.insurance;
    numbers[from + 4] = charged.treasury;
    numbers[from + 6] = maker.index;
    numbers[from + 7] = taker.account.index;
  }

  /** An order left before it was filled. @param lots what is left of it @param end place in orderEnds */
  cancelled(actionIndex: number | null, id: number, market: Market, owner: Account, lots: number, end: OrderEnd): void {
    const at = this.#begin(row.cancelled, actionIndex, market.id);
    const numbers = this.#numbers;
    const from = at * eventNumbers;
    numbers[from] = id;
    numbers[from + 2] = lots;
    numbers[from + 3] = endPlace(end);
    numbers[from + 6] = owner.index;
  }

  /** Answer to an order. @param from number of events before its own ones @returns what {@link answer} takes */
  ordered(
    market: Market,
    id: number,
    filled: number,
    remaining: number,
    status: OrderStatus,
    reason: CancelReason | null,
    from: number,
  ): number {
    const at = this.#beginAnswer();
    const numbers = this.#answerNumbers;
    const place = at * answerNumbers;
    numbers[place] = id;
    numbers[place + 1] = filled;
    numbers[place + 2] = remaining;
    numbers[place + 3] = status === 'open' ? 0 : status === 'filled' ? 1 : orderStatuses.indexOf(status);
    numbers[place + 4] = from;
    numbers[place + 5] = filled === 0 ? from : this.#events;
    numbers[place + 6] = market.id;
    numbers[place + 7] = reason === null ? -1 : endPlace(reason);
    return at;
  }

  /** Answer to a cancellation. */
  dropped(market: Market, id: number, remaining: number): number {
    const at = this.#beginAnswer();
    const place = at * answerNumbers;
    this.#answerNumbers[place + 6] = market.id;
    this.#answerNumbers[place] = id;
    this.#answerNumbers[place + 2] = remaining;
    this.#answerNumbers[place + 3] = -1;
    return at;
  }

  /** Everything, for another thread's log: {@link take} and {@link takeAnswer} there. */
  rows(): LogRows {
    const events = this.#events;
    return {
      kinds: this.#kinds.subarray(0, events),
      actions: this.#actions.subarray(0, events),
      markets: this.#markets.subarray(0, events),
      numbers: this.#numbers.subarray(0, events * eventNumbers),
      answers: this.#answerNumbers.subarray(0, this.#answers * answerNumbers),
      clientIds: new Map([...this.#others].filter((other): other is [number, string] => typeof other[1] === 'string')),
      objects: new Map(
        [...this.#others].filter((other): other is [number, DomainEvent] => typeof other[1] !== 'string'),
      ),
    };
  }

  /**
   * Goes on with events of another log, whose accounts and markets have the same places.
   *
   * @param idOf what an order is called here @param tradeId of the first trade @returns of the trade behind the last one
   */
  take(
    { kinds, actions, markets, numbers, clientIds, objects }: LogRows,
    from: number,
    to: number,
    idOf: (id: number) => number,
    tradeId: number,
  ): number {
    let nextTrade = tradeId;
    for (let source = from; source < to; source++) {
      const kind = kinds[source]!;
      const at = this.#begin(kind, actions[source]!, markets[source]!);
      const place = at * eventNumbers;
      const first = source * eventNumbers;
      for (let number = 0; number < eventNumbers; number++) this.#numbers[place + number] = numbers[first + number]!;
      if (kind === row.traded) {
        this.#numbers[place] = nextTrade++;
        this.#numbers[place + 4] = idOf(numbers[first + 4]!);
        this.#numbers[place + 5] = idOf(numbers[first + 5]!);
      } else this.#numbers[place] = kind === row.charged ? nextTrade - 1 : idOf(numbers[first]!);
      const clientId = kind === row.accepted ? clientIds.get(source) : undefined;
      if (clientId !== undefined) this.#others.set(at, clientId);
      if (kind !== row.event) continue;
      const event = objects.get(source)!;
      this.#others.set(at, { ...event, data: renamed(event.data, idOf, nextTrade) });
      if (event.kind === 'trade') nextTrade++;
    }
    return nextTrade;
  }

  /** An answer of another log whose events came by {@link take}. @param moved by how much their places moved */
  takeAnswer({ answers }: LogRows, at: number, moved: number, idOf: (id: number) => number): number {
    const taken = this.#beginAnswer();
    const place = taken * answerNumbers;
    const from = at * answerNumbers;
    for (let number = 0; number < answerNumbers; number++)
      this.#answerNumbers[place + number] = answers[from + number]!;
    this.#answerNumbers[place] = idOf(answers[from]!);
    this.#answerNumbers[place + 4]! += moved;
    this.#answerNumbers[place + 5]! += moved;
    return taken;
  }

  /** The events in execution order, encoded: decodeEventFrames of the codec reads them. */
  eventFrames(): Uint8Array {
    const writer = this.#writer;
    writer.reset();
    // Written from the last one on: then the length of each is known when its header's turn comes.
    const ends = new Float64Array(this.#events);
    for (let at = this.#events - 1; at >= 0; at--) {
      ends[at] = writer.length;
      this.#writeEvent(writer, at);
    }
    return framesWritten(writer, ends);
  }

  /** The answers in their order, encoded: decodeResultFrames of the codec reads them. */
  resultFrames(answers: readonly Answer[]): Uint8Array {
    const writer = this.#writer;
    writer.reset();
    const ends = new Float64Array(answers.length);
    for (let index = answers.length - 1; index >= 0; index--) {
      ends[index] = writer.length;
      this.#writeAnswer(writer, answers[index]!);
    }
    return framesWritten(writer, ends);
  }

  /** An answer as an object. */
  answer(at: Answer): ActionResult {
    if (typeof at !== 'number') return at;
    const row = this.#answerRow(at);
    return answerOf(row, () => this.trades(row.numbers[row.place + 4]!, row.numbers[row.place + 5]!));
  }

  /** The trades among a range of events. */
  trades(from: number, to: number): TradeValue[] {
    const trades: TradeValue[] = [];
    for (let at = from; at < to; at++) {
      const kind = this.#kinds[at];
      if (kind === row.traded) trades.push(this.#trade(at));
      else if (kind === row.event) {
        const { kind: name, data } = this.#others.get(at) as DomainEvent;
        if (name === 'trade') trades.push(tradeOf(data));
      }
    }
    return trades;
  }

  #answerRow(at: number): AnswerRow {
    const numbers = this.#answerNumbers;
    const place = at * answerNumbers;
    return { market: this.#known.markets[numbers[place + 6]! - 1]!, numbers, place };
  }

  #writeAnswer(writer: RlpBackwards, answer: Answer): void {
    const answered = typeof answer === 'number' ? this.#answerRow(answer) : null;
    if (answered !== null && areRows(answered, this)) writeAnswerRow(writer, answered, this);
    else writer.raw(encodeActionResult(this.answer(answer)));
  }

  #writeEvent(writer: RlpBackwards, at: number): void {
    const kind = this.#kinds[at]!;
    const other = this.#others.size === 0 ? undefined : this.#others.get(at);
    if (kind === row.event) return writer.raw(encodeEvent(other as DomainEvent));
    const event = this.eventRow(at);
    switch (kind) {
      case row.accepted:
        return writeAccepted(writer, event, (other as string | undefined) ?? null);
      case row.traded:
        return writeTraded(writer, event, this.takerFee(at));
      case row.cancelled:
        return writeCancelled(writer, event);
      default:
        return writeCharged(writer, event);
    }
  }

  kindAt(at: number): number {
    return this.#kinds[at]!;
  }

  eventRow(at: number): EventRow {
    return {
      actionIndex: this.#actions[at]!,
      market: this.#known.markets[this.#markets[at]! - 1]!,
      accounts: this.#known.accounts,
      numbers: this.#numbers,
      from: at * eventNumbers,
    };
  }

  #trade(at: number): TradeValue {
    const { tickSize, lotSize } = this.#known.markets[this.#markets[at]! - 1]!;
    const numbers = this.#numbers;
    const from = at * eventNumbers;
    return {
      tradeId: numbers[from]!,
      price: BigInt(numbers[from + 1]!) * tickSize,
      size: BigInt(numbers[from + 2]!) * lotSize,
      makerOrderId: numbers[from + 4]! as OrderId,
      takerOrderId: numbers[from + 5]! as OrderId,
      maker: this.#addressOf(numbers[from + 6]!),
      taker: this.#addressOf(numbers[from + 7]!),
      side: sideOf(numbers[from + 3]!),
      fee: BigInt(this.takerFee(at)),
    };
  }

  #addressOf(account: number): Address {
    return this.#known.accounts[account]!.address;
  }

  /** What the taker paid for a trade, which the row behind it tells, wei. */
  takerFee(at: number): number {
    return this.#isCharged(at + 1) ? this.#numbers[(at + 1) * eventNumbers + 1]! : 0;
  }

  #isCharged(at: number): boolean {
    return at < this.#events && this.#kinds[at] === row.charged;
  }

  #begin(kind: number, actionIndex: number | null, marketId: number): number {
    if (this.#events === this.#kinds.length) this.#growEvents();
    const at = this.#events++;
    this.#kinds[at] = kind;
    this.#actions[at] = actionIndex ?? -1;
    this.#markets[at] = marketId;
    return at;
  }

  #beginAnswer(): number {
    if ((this.#answers + 1) * answerNumbers > this.#answerNumbers.length)
      this.#answerNumbers = grown(this.#answerNumbers, this.#answerNumbers.length * 2 + answerNumbers);
    return this.#answers++;
  }

  #growEvents(): void {
    const capacity = this.#kinds.length * 2 + 8;
    this.#kinds = grown(this.#kinds, capacity);
    this.#actions = grown(this.#actions, capacity);
    this.#markets = grown(this.#markets, capacity);
    this.#numbers = grown(this.#numbers, capacity * eventNumbers);
  }
}

const eventNumbers = 8;
const sideOf = (side: number): Side => (side === buySide ? 'buy' : 'sell');

import {
  type ClosedOrder,
  decodeAccountRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeOrderRecord,
  decodeTriggerRecord,
  type DomainEvent,
  recordKind,
  recordNumber,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
  type TriggerKind,
} from '@prime/codec';
import { textOf } from '@prime/model';
import { assert, bigintAbs, compareStrings } from '@prime/primitives';
import { closeForValue, type FillOutcome, fillPosition } from '../margin/fills.ts';

/** Books and accounts, put together from nothing but the events of blocks: what docs/protocol/streams.md says that a reader can do. */

/** A resting order; the fields are those of its record that are no constants. */
export interface ReadOrder {
  readonly orderId: number;
  readonly marketId: number;
  readonly owner: string;
  readonly side: Side;
  readonly price: bigint;
  size: bigint;
  remaining: bigint;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  readonly clientId: string | null;
  readonly expiresAt: number;
  readonly createdBlock: number;
}

/** How it came, which its record does not tell once it rests. */
interface Arrival {
  readonly size: bigint;
  readonly tif: TimeInForce;
}

/** An order that is gone. Whether what self-trade prevention took off still belongs to its size depends on whether it rested, which events do not tell. */
type ReadEnd = Omit<ClosedOrder, 'size' | 'orderId' | 'marketId'> & {
  readonly orderId: number;
  readonly marketId: number;
  readonly sizes: readonly bigint[];
};

interface ReadPosition {
  size: bigint;
  entry: bigint;
  fundingIndex: bigint;
}

interface ReadAccount {
  collateral: bigint;
  /** By market. */
  readonly positions: Map<number, ReadPosition>;
}

type Data = DomainEvent['data'];
const number = (data: Data, name: string): number => data[name] as number;
const big = (data: Data, name: string): bigint => data[name] as bigint;
const text = (data: Data, name: string): string => data[name] as string;

/** Of the value of a change of fees, JSON. */
const treasuryOf = (value: string): string | null =>
  (JSON.parse(value) as { readonly treasury: string | null } | null)?.treasury ?? null;
/** A trigger as it would be remembered, if it ended by its owner. */
const placedTrigger = (data: Data, createdBlock: number): ReadEnd => ({
  orderId: number(data, 'order_id'),
  marketId: number(data, 'market_id'),
  owner: text(data, 'owner') as ClosedOrder['owner'],
  side: text(data, 'side') as Side,
  price: big(data, 'limit_price'),
  tif: text(data, 'tif') as TimeInForce,
  end: 'user',
  filled: 0n,
  remaining: big(data, 'size'),
  clientId: data['client_id'] as string | null,
  createdBlock: createdBlock as ClosedOrder['createdBlock'],
  expiresAt: number(data, 'expires_at'),
  trigger: { kind: text(data, 'trigger') as TriggerKind, triggerPrice: big(data, 'trigger_price') },
  sizes: [big(data, 'size')],
});

export class EventReader {
  readonly orders = new Map<number, ReadOrder>();
  readonly accounts = new Map<string, ReadAccount>();
  /** Orders that left in the newest block. */
  readonly ended: ReadEnd[] = [];
  insurance = 0n;
  /** By market. */
  readonly debts = new Map<number, bigint>();
  readonly #arrivals = new Map<number, Arrival>();
  /** As they would be remembered if they ended. */
  readonly triggers = new Map<number, ReadEnd>();
  /** Of funding, by market. */
  readonly #indexes = new Map<number, bigint>();
  #treasury: string | null;
  #height = 0;

  /** @param treasury of genesis, which gets a part of fees */
  constructor(treasury: string | null) {
    this.#treasury = treasury;
  }

  /** Takes the events of the next block. */
  block(height: number, events: readonly DomainEvent[]): void {
    this.#height = height;
    this.ended.length = 0;
    for (const { kind, data } of events) this.#take(kind, data);
    // Not before: of a taker that self-trade prevention made smaller the end is told, also when nothing is left of it.
    for (const order of this.orders.values()) if (order.remaining === 0n) this.#end(order, 'filled');
  }

  #end(order: ReadOrder, end: ClosedOrder['end']): void {
    const { postOnly: _postOnly, reduceOnly: _reduceOnly, selfTrade: _selfTrade, size, ...described } = order;
    const { size: arrived, tif } = this.#arrivals.get(order.orderId)!;
    this.orders.delete(order.orderId);
    this.#arrivals.delete(order.orderId);
    const owner = order.owner as ClosedOrder['owner'];
    const filled = size - order.remaining;
    this.ended.push({ ...described, owner, tif, end, filled, sizes: [size, arrived] });
  }

  #take(kind: string, data: Data): void {
    switch (kind) {
      case 'order_accepted':
        return this.#accepted(data);
      case 'order_reduced': {
        const order = this.#order(number(data, 'order_id'));
        order.size -= big(data, 'amount');
        order.remaining -= big(data, 'amount');
        return assert(order.remaining === big(data, 'remaining'), 'an order was reduced to something else');
      }
      case 'order_cancelled': {
        const order = this.#order(number(data, 'order_id'));
        this.#end(order, text(data, 'reason') as ClosedOrder['end']);
        // A fok that is killed takes back what it did: nothing of that is an event.
        return assert(order.remaining === big(data, 'remaining'), 'an order went with something else left');
      }
      case 'trigger_placed':
      case 'trigger_changed':
      case 'trigger_fired':
      case 'trigger_ended':
        return this.#trigger(kind, data);
      case 'trade':
        return this.#traded(data);
      case 'trade_fees':
        this.#pay(text(data, 'taker'), -big(data, 'taker_fee'));
        this.#pay(text(data, 'maker'), -big(data, 'maker_fee'));
        if (this.#treasury !== null) this.#pay(this.#treasury, big(data, 'treasury'));
        this.insurance += big(data, 'insurance');
        return;
      case 'deleveraged':
        return this.#deleveraged(data);
      default:
        return this.#money(kind, data);
    }
  }

  #trigger(kind: string, data: Data): void {
    const orderId = number(data, 'order_id');
    const known = this.triggers.get(orderId);
    if (kind === 'trigger_placed') {
      this.triggers.set(orderId, placedTrigger(data, this.#height));
      return;
    }
    assert(known !== undefined, `trigger ${orderId} is not known`);
    if (kind === 'trigger_changed') {
      const [size, triggerPrice] = [big(data, 'size'), big(data, 'trigger_price')];
      this.triggers.set(orderId, {
        ...known,
        trigger: { ...known.trigger!, triggerPrice },
        remaining: size,
        sizes: [size],
      });
      return;
    }
    this.triggers.delete(orderId);
    const end = kind === 'trigger_fired' ? 'fired' : (text(data, 'reason') as ClosedOrder['end']);
    this.ended.push({ ...known, end });
  }

  #money(kind: string, data: Data): void {
    switch (kind) {
      case 'collateral_deposited':
        return this.#pay(text(data, 'address'), big(data, 'amount'));
      case 'collateral_withdrawn':
        return this.#pay(text(data, 'address'), -big(data, 'amount'));
      case 'collateral_transferred':
        this.#pay(text(data, 'from'), -big(data, 'amount'));
        return this.#pay(text(data, 'to'), big(data, 'amount'));
      case 'liquidation':
        return this.#pay(text(data, 'address'), big(data, 'insurance_paid') - big(data, 'fee'));
      case 'bad_debt':
      case 'debt_covered':
        return this.#pay(text(data, 'address'), big(data, 'amount'));
      case 'market_debt':
      case 'debt_repaid':
        this.debts.set(number(data, 'market_id'), big(data, 'debt'));
        return;
      case 'liquidation_reward':
        return this.#pay(text(data, 'liquidator'), big(data, 'amount'));
      case 'insurance_changed':
        this.insurance += big(data, 'amount');
        return assert(this.insurance === big(data, 'balance'), 'the insurance fund holds something else');
      case 'position_settled': {
        const [address, marketId] = [text(data, 'address'), number(data, 'market_id')];
        const part = bigintAbs(big(data, 'size'));
        const { size, entry } = this.#position(address, marketId);
        return this.#settle(address, marketId, closeForValue(size, entry, part, part * big(data, 'price')));
      }
      case 'loss_settled': {
        const address = text(data, 'address');
        this.#pay(address, -big(data, 'amount'));
        this.#position(address, number(data, 'market_id')).entry = big(data, 'entry');
        return;
      }
      case 'parameter_changed':
        if (data['parameter'] === 'fees') this.#treasury = treasuryOf(text(data, 'new_value'));
        return;
      case 'funding_index':
        this.#indexes.set(number(data, 'market_id'), big(data, 'index'));
        return;
      case 'funding_paid':
        this.#pay(text(data, 'address'), big(data, 'amount'));
        this.#position(text(data, 'address'), number(data, 'market_id')).fundingIndex = big(data, 'index');
        this.insurance += big(data, 'insurance');
        return;
      default:
    }
  }

  #accepted(data: Data): void {
    const orderId = number(data, 'order_id');
    this.#arrivals.set(orderId, { size: big(data, 'size'), tif: text(data, 'tif') as TimeInForce });
    this.orders.set(orderId, {
      orderId,
      marketId: number(data, 'market_id'),
      owner: text(data, 'owner'),
      side: text(data, 'side') as Side,
      price: big(data, 'price'),
      size: big(data, 'size'),
      remaining: big(data, 'size'),
      postOnly: data['post_only'] as boolean,
      reduceOnly: data['reduce_only'] as boolean,
      selfTrade: text(data, 'stp') as SelfTradeMode,
      clientId: data['client_id'] as string | null,
      expiresAt: number(data, 'expires_at'),
      createdBlock: this.#height,
    });
  }

  #traded(data: Data): void {
    const [price, size] = [big(data, 'price'), big(data, 'size')];
    const isBuy = text(data, 'side') === 'buy';
    const marketId = number(data, 'market_id');
    for (const [name, signed] of [
      ['taker', isBuy ? size : -size],
      ['maker', isBuy ? -size : size],
    ] as const) {
      const position = this.#position(text(data, name), marketId);
      this.#settle(text(data, name), marketId, fillPosition(position.size, position.entry, signed, price));
      // The taker of a liquidation is no order.
      const order = this.orders.get(number(data, `${name}_order_id`));
      if (order !== undefined) order.remaining -= size;
    }
  }

  #deleveraged(data: Data): void {
    const marketId = number(data, 'market_id');
    for (const name of ['address', 'counterparty']) {
      const address = text(data, name);
      const { size, entry } = this.#position(address, marketId);
      this.#settle(address, marketId, closeForValue(size, entry, bigintAbs(big(data, 'size')), big(data, 'value')));
    }
  }

  #settle(address: string, marketId: number, { size, entry, realized }: FillOutcome): void {
    this.#pay(address, realized);
    const fundingIndex = size === 0n ? 0n : (this.#indexes.get(marketId) ?? 0n);
    Object.assign(this.#position(address, marketId), { size, entry, fundingIndex });
  }

  #pay(address: string, amount: bigint): void {
    this.#account(address).collateral += amount;
  }

  #order(id: number): ReadOrder {
    const order = this.orders.get(id);
    assert(order !== undefined, `order ${id} is not known`);
    return order;
  }

  #account(address: string): ReadAccount {
    const account = this.accounts.get(address) ?? { collateral: 0n, positions: new Map<number, ReadPosition>() };
    this.accounts.set(address, account);
    return account;
  }

  #position(address: string, marketId: number): ReadPosition {
    const { positions } = this.#account(address);
    const position = positions.get(marketId) ?? { size: 0n, entry: 0n, fundingIndex: 0n };
    positions.set(marketId, position);
    return position;
  }
}

/** What a reader has, in the form of {@link bookkeeping}. */
export const readBookkeeping = ({ orders, accounts, insurance, debts, triggers }: EventReader): unknown => ({
  insurance,
  debts: [...debts].filter(([, debt]) => debt !== 0n).sort(([a], [b]) => a - b),
  triggers: [...triggers.values()]
    .sort((a, b) => a.orderId - b.orderId)
    .map(({ orderId, owner, remaining, price, trigger }) => [orderId, owner, remaining, price, trigger!.triggerPrice]),
  orders: [...orders.values()].sort((a, b) => a.orderId - b.orderId),
  accounts: [...accounts]
    .map(([address, { collateral, positions }]) => ({
      address,
      collateral,
      positions: [...positions]
        .filter(([, { size }]) => size !== 0n)
        .sort(([a], [b]) => a - b)
        .map(([marketId, position]) => ({ marketId, ...position })),
    }))
    .filter(({ collateral, positions }) => collateral !== 0n || positions.length > 0)
    .sort((a, b) => compareStrings(a.address, b.address)),
});

/** Ids of the orders of a side, in the order in which a taker meets them. */
export const readQueue = ({ orders }: EventReader, market: number, side: Side): number[] =>
  [...orders.values()]
    .filter((order) => order.marketId === market && order.side === side)
    .sort((a, b) => (a.price === b.price ? a.orderId - b.orderId : a.price < b.price === (side === 'sell') ? -1 : 1))
    .map(({ orderId }) => orderId);

/** Orders, triggers, accounts, debts and the insurance fund as committed records tell them. @param records as a harness keeps them */
export function bookkeeping(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): unknown {
  const orders: ReadOrder[] = [];
  const accounts: { readonly address: string; readonly collateral: bigint; readonly positions: unknown[] }[] = [];
  const [debts, triggers]: [[number, bigint][], [number, ...unknown[]][]] = [[], []];
  let insurance = 0n;
  for (const [key, value] of records) {
    const kind = recordKind(key);
    if (kind === 'market') {
      const { marketId, debt = 0n } = decodeMarketRecord(value);
      if (debt !== 0n) debts.push([marketId, debt]);
    } else if (kind === 'trigger') {
      const { orderId, owner, trigger } = decodeTriggerRecord(value);
      triggers.push([orderId, owner, trigger.size, trigger.limitPrice, trigger.triggerPrice]);
    } else if (kind === 'global') ({ insurance } = decodeGlobalRecord(value));
    else if (kind === 'order') {
      const { tif, ...order } = decodeOrderRecord(value);
      assert(tif === 'gtc', 'only gtc orders rest');
      orders.push(order);
    } else if (kind === 'account') {
      const { address, collateral, positions } = decodeAccountRecord(value);
      const held = positions.map(({ fundingIndex = 0n, ...position }) => ({ ...position, fundingIndex }));
      if (collateral !== 0n || held.length > 0) accounts.push({ address, collateral, positions: held });
    }
  }
  orders.sort((a, b) => a.orderId - b.orderId);
  accounts.sort((a, b) => compareStrings(a.address, b.address));
  for (const list of [debts, triggers]) list.sort(([a], [b]) => a - b);
  return { insurance, debts, triggers, orders, accounts };
}

/** The ends of a block's orders that are not as a reader of events knows them. @param records as a harness keeps them */
export function wrongEnds(
  { ended }: EventReader,
  records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>,
  height: number,
): unknown[] {
  const stored: ClosedOrder[] = [];
  for (const [key, value] of records)
    if (recordKind(key) === 'closedOrders' && recordNumber(key) === height)
      stored.push(...decodeClosedOrdersRecord(value).orders);
  const known = new Map(ended.map((end) => [end.orderId, end]));
  const wrong: unknown[] = stored.filter(({ size, ...order }) => {
    const end = known.get(order.orderId);
    known.delete(order.orderId);
    if (end === undefined) return true;
    const { sizes, ...read } = end;
    return !sizes.includes(size) || textOf(order) !== textOf(read);
  });
  return [...wrong, ...known.values()];
}

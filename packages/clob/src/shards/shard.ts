import {
  type ActionPayload,
  type ActionResult,
  type ClobParams,
  selfTradeModes,
  sides,
  timesInForce,
} from '@prime/codec';
import { assert, type MarketId, type OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { runItem } from '../rules/actions.ts';
import { createNarrowBook } from '../book/book.ts';
import { clearBlock, ensureAccount, forgetPrices } from '../state/changes.ts';
import { hasRooms } from '../orders/sureOrders.ts';
import { derivedOf, type Market, neverTraded } from '../state/markets.ts';
import { rawPriceOf } from '../margin/marks.ts';
import { orderNumbers, type OrderRows } from '../state/orderRows.ts';
import {
  doneNumbers,
  idUse,
  itemCode,
  itemNumbers,
  type Items,
  type MarketChange,
  type Mixed,
  MixedWriter,
  type ShardDone,
  type ShardMarket,
  type ShardResult,
  type ShardSync,
  type ShardWork,
} from './messages.ts';
import { applyOrderRows, orderRows } from './orderExchange.ts';
import { applyPositionRows, positionRows } from './positionRows.ts';
import { createOrderBounds } from '../state/orderBounds.ts';
import { expiryKey } from '../book/sortedIndex.ts';
import { ClobState } from '../state/state.ts';
import { undoTo } from '../state/undo.ts';

/**
 * Some markets of the order book: their orders, and the positions in them.
 *
 * It matches by the very code of the whole engine, on a state that knows nothing of its accounts' collateral and of their other markets. So
 * it takes for granted that there is room for whatever orders and fills cost, and says how much they may have cost at most; the front finds out whether
 * that was so (front.ts). Where quantities outgrow exact numbers it gives up.
 */
export class Shard {
  readonly #state: ClobState;
  /** Accounts that the block's items or trades touched, with what they need. */
  readonly #touched = new Set<Account>();
  readonly #needy = new Set<Account>();
  #work: ShardWork | null = null;
  #orders: OrderRows | null = null;

  constructor(params: ClobParams) {
    const state = new ClobState(params, hasRooms(params));
    this.#state = state;
    state.sharing = {
      positions: new Map(),
      orders: [],
      rawPrices: new Map(),
      judged: () => assert(false, 'a shard does not know margins'),
      takeRoom: (account, cost, gross) => {
        this.#touch(account);
        this.#needy.add(account);
        account.room.spent += cost;
        account.room.gross += gross;
        return true;
      },
    };
  }

  /** Runs a block's items, and leaves them pending. */
  run(work: ShardWork): ShardDone {
    assert(this.#work === null, 'a block of the shard is pending');
    const state = this.#state;
    this.#work = work;
    state.height = work.height;
    state.log.reset();
    state.timestampMs = work.timestampMs;
    this.#meet(work.accounts);
    const done = new Map<number, ActionResult>();
    const { items } = work;
    const columns = new Int32Array((items.numbers.length / itemNumbers) * doneNumbers);
    const reader = new ItemReader(items);
    for (let item = 0; item * itemNumbers < items.numbers.length; item++) this.#runItem(reader, item, columns, done);
    // Rows of orders are numbers.
    for (const { id, book } of state.dirtyMarkets) if (typeof book.zero !== 'number') return this.#giveUp(id);
    return this.#result(columns, done);
  }

  /** Takes the pending block back. */
  rollback(): void {
    const state = this.#state;
    undoTo(state, { steps: 0, events: 0, ends: 0 });
    this.#end();
  }

  /** Keeps the pending block, if there is one, and brings everything in line with what was decided. */
  sync({ accounts, defaultMargin, params, markets, orders, positions, ids }: ShardSync): void {
    const state = this.#state;
    if (this.#work !== null) this.#keep(ids);
    this.#meet(accounts);
    Object.assign(state.globals, { defaultMargin });
    if (params !== null) Object.assign(state, { params, hasRooms: hasRooms(params) });
    for (const market of markets) this.#setMarket(market);
    applyOrderRows(state, [orders]);
    applyPositionRows(state, positions);
    state.accept();
    state.sharing!.positions.clear();
    clearBlock(state);
    forgetPrices(state);
  }

  #touch(account: Account): void {
    this.#touched.add(account);
  }

  #meet({ from, addresses }: ShardWork['accounts']): void {
    const state = this.#state;
    assert(from === state.accounts.length || addresses.length === 0, 'a shard missed an account');
    for (const address of addresses) ensureAccount(state, address);
  }

  #runItem(reader: ItemReader, item: number, columns: Int32Array, answers: Map<number, ActionResult>): void {
    const state = this.#state;
    const { numbers } = reader.items;
    const at = item * itemNumbers;
    const account = state.accounts[numbers[at + 2]!]!;
    const id = numbers[at + 3]! as OrderId;
    state.actionIndex = numbers[at]!;
    if (id !== 0) state.globals.nextOrderId = id;
    this.#touch(account);
    const answer = runItem(state, account.address, reader.payload(item));
    const place = item * doneNumbers;
    columns[place] = typeof answer === 'number' ? answer : -1;
    columns[place + 1] = state.log.eventCount;
    columns[place + 2] = state.memory.count;
    columns[place + 3] = id === 0 ? idUse.none : state.globals.nextOrderId === id ? idUse.unused : idUse.used;
    if (typeof answer === 'number') return;
    answers.set(item, answer);
  }

  #giveUp(market: number): ShardDone {
    this.rollback();
    return { kind: 'unsure', market };
  }

  #result(items: Int32Array, answers: ShardResult['answers']): ShardResult {
    const state = this.#state;
    const orders = orderRows(state, state.changedOrders(), () => true);
    this.#orders = orders;
    return {
      kind: 'done',
      items,
      answers,
      log: state.log.rows(),
      ends: state.memory.rows(),
      orders,
      positions: positionRows(state.sharing!.positions, () => true, true),
      gains: this.#gains(),
      rooms: this.#rooms(),
      markets: [...state.dirtyMarkets].sort((a, b) => a.id - b.id).map((market) => this.#change(market)),
      changes: state.orders.changes,
    };
  }

  /** Their collateral was 0 when the block began, as their claims were. */
  #gains(): Mixed {
    const gains = new MixedWriter();
    for (const account of this.#state.dirtyAccounts) {
      gains.number(account.index);
      const { collateral } = account;
      if (collateral <= exactMax && collateral >= -exactMax) gains.number(Number(collateral));
      else gains.big(collateral);
    }
    return gains.done();
  }

  #rooms(): Float64Array {
    const rooms = new Float64Array(this.#touched.size * 4);
    let at = 0;
    for (const account of this.#touched) {
      rooms[at++] = account.index;
      rooms[at++] = this.#needy.has(account) ? 1 : 0;
      rooms[at++] = account.room.spent;
      rooms[at++] = account.room.gross;
    }
    return rooms;
  }

  #change(market: Market): MarketChange {
    const { height, params } = this.#state;
    const traded = market.tradedAt === height;
    return { id: market.id, lastPrice: market.lastPrice, traded, raw: rawPriceOf(market, params.mark) };
  }

  #keep(ids: ShardSync['ids']): void {
    const state = this.#state;
    if (ids !== null) this.#rename(ids.base, ids.finals);
    state.accept();
    state.orders.recycle();
    this.#end();
  }

  /** Gives the block's new orders the ids that they have in the end: each is at most what it was, so none is in another one's way. */
  #rename(base: number, finals: Float64Array): void {
    const { orders, expiries } = this.#state;
    const { numbers } = this.#orders!;
    for (let at = 0; at < numbers.length; at += orderNumbers) {
      const id = numbers[at]!;
      if (id < base || numbers[at + 1] === 0) continue;
      const final = finals[id - base]!;
      if (final === id) continue;
      const handle = orders.byId.get(id)!;
      const expiresAt = orders.expiresAt[handle]!;
      orders.rename(handle, final);
      if (expiresAt === 0) continue;
      expiries.remove(expiryKey(expiresAt, id));
      expiries.insert(expiryKey(expiresAt, final), handle);
    }
  }

  #end(): void {
    for (const account of this.#state.dirtyAccounts) account.collateral = 0n;
    for (const exposure of this.#state.sharing!.positions.keys()) exposure.claim = 0n;
    for (const { room } of this.#touched) Object.assign(room, { spent: 0, gross: 0 });
    // Ends of earlier blocks are the front's affair; here some have ids that others took.
    this.#state.memory.truncate(0);
    this.#touched.clear();
    this.#needy.clear();
    this.#work = null;
    this.#orders = null;
    this.#state.sharing!.positions.clear();
    clearBlock(this.#state);
  }

  #setMarket({ id, status, margin, riskTiers, limits, lastPrice, markPrice, ...fixed }: ShardMarket): void {
    const values = { status, margin, riskTiers, limits, lastPrice, markPrice };
    const { markets, orders } = this.#state;
    const known = markets[id - 1];
    if (known !== undefined) {
      if (known.limits !== limits) known.bounds = createOrderBounds({ ...fixed, limits });
      Object.assign(known, values);
      return;
    }
    assert(markets.length === id - 1, 'a shard missed a market');
    markets.push({
      id: id as MarketId,
      ...fixed,
      ...values,
      tradeBlocks: 0,
      tradedAt: neverTraded,
      funding: undefined,
      oracle: undefined,
      profitPool: 0n,
      debt: 0n,
      book: createNarrowBook(orders),
      ...derivedOf({ ...fixed, limits }),
      savedIn: 0,
      touchedIn: 0,
    });
  }
}

const exactMax = BigInt(Number.MAX_SAFE_INTEGER);

/** Items as payloads again. */
class ItemReader {
  readonly items: Items;
  readonly #clientIds: ReadonlyMap<number, string>;
  readonly #bigs: ReadonlyMap<number, readonly [price: bigint, size: bigint]>;

  constructor(items: Items) {
    this.items = items;
    this.#clientIds = new Map(items.clientIds);
    this.#bigs = new Map(items.bigs.map(([item, price, size]) => [item, [price, size]]));
  }

  payload(item: number): ActionPayload {
    const { numbers } = this.items;
    const at = item * itemNumbers;
    const [code, target, bits] = [numbers[at + 1]!, numbers[at + 4]!, numbers[at + 7]!];
    const orderId = target as OrderId;
    if (code === itemCode.cancel) return { type: 'cancel', orderId };
    const [price, size] = this.#bigs.get(item) ?? [BigInt(numbers[at + 5]!), BigInt(numbers[at + 6]!)];
    if (code === itemCode.modify) return { type: 'modify', orderId, price, size };
    return {
      type: 'order',
      marketId: target as MarketId,
      side: sides[bits & 1]!,
      price,
      size,
      tif: timesInForce[(bits >> 1) & 3]!,
      postOnly: (bits & 8) !== 0,
      reduceOnly: (bits & 64) !== 0,
      selfTrade: selfTradeModes[(bits >> 4) & 3]!,
      clientId: this.#clientIds.get(item) ?? null,
      expiresAt: numbers[at + 8]!,
    };
  }
}

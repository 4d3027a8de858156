import type { ActionResult } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { runItem } from '../rules/actions.ts';
import { changeGlobals, changeMarket, touchAccount } from '../state/changes.ts';
import { catchOrders, concludeAction } from '../rules/conclude.ts';
import type { Answer } from '../records/blockLog.ts';
import type { Engine } from '../engine.ts';
import { noteMissedItems } from '../state/missedCancels.ts';
import { orderNumbers } from '../state/orderRows.ts';
import type { ClobBlock } from '../ports.ts';
import { takeRoom } from '../margin/room.ts';
import { doneNumbers, idUse, type ShardResult } from './messages.ts';
import { front, type Plan, type PlannedAction } from './plan.ts';
import { applyPositionRows } from './positionRows.ts';
import type { ClobState } from '../state/state.ts';

/**
 * The stage behind the shards: one walk over the block's actions in canonical order. What ran in a shard is written down as if it had run
 * here, with the ids that follow from the walk; what the front kept runs in its place.
 */
export class Merge {
  /** Whose orders shards changed. */
  readonly touched = new Set<Account>();
  /** Ids of the block's orders, by place; NaN where none was taken. */
  readonly finals: Float64Array;
  readonly answers: Answer[];
  readonly #state: ClobState;
  readonly #block: ClobBlock;
  readonly #plan: Plan;
  readonly #results: readonly (ShardResult | null)[];
  readonly #cursors: Cursor[];
  readonly #runWhole: (index: number) => Answer;
  readonly #base: OrderId;
  #place = 0;
  readonly #idOf = (id: number): number => (id < this.#base ? id : this.finals[id - this.#base]!);

  constructor(
    { state }: Pick<Engine, 'state'>,
    block: ClobBlock,
    plan: Plan,
    results: readonly (ShardResult | null)[],
    runWhole: (index: number) => Answer,
  ) {
    this.#state = state;
    this.#block = block;
    this.#plan = plan;
    this.#results = results;
    this.#runWhole = runWhole;
    this.#base = state.globals.nextOrderId;
    this.finals = new Float64Array(plan.ids);
    this.answers = Array.from({ length: block.actions.length });
    this.#cursors = results.map(() => ({ item: 0, events: 0, ends: 0 }));
  }

  /** Whether all that shards took for granted was so. @returns the account that surely had not enough, or null */
  withoutRoom(): Account | null {
    const state = this.#state;
    const needs = new Map<Account, { isNeedy: boolean; cost: number; gross: number }>();
    for (const result of this.#results) {
      const rooms = result?.rooms ?? noNumbers;
      for (let at = 0; at < rooms.length; at += 4) {
        const account = state.accounts[rooms[at]!]!;
        this.touched.add(account);
        const need = needs.get(account) ?? { isNeedy: false, cost: 0, gross: 0 };
        need.isNeedy ||= rooms[at + 1] !== 0;
        need.cost += rooms[at + 2]!;
        need.gross += rooms[at + 3]!;
        needs.set(account, need);
      }
    }
    for (const [account, { isNeedy, cost, gross }] of needs) {
      // Orders that go are not asked for room, but what they made up for is missing.
      if (!isNeedy) account.room.spent += cost;
      else if (!takeRoom(state, account, cost, gross)) return account;
    }
    return null;
  }

  /** Positions, collateral and prices as shards left them. */
  apply(): void {
    const state = this.#state;
    const sharing = state.sharing!;
    for (const result of this.#results) {
      if (result === null) continue;
      applyPositionRows(state, result.positions);
      const { numbers, bigs } = result.gains;
      for (let at = 0, big = 0; at < numbers.length; at += 2) {
        const gain = numbers[at + 1]!;
        const account = touchAccount(state, state.accounts[numbers[at]!]!);
        account.collateral += Number.isNaN(gain) ? bigs[big++]! : BigInt(gain);
      }
      for (const { id, lastPrice, traded, raw } of result.markets) {
        const market = changeMarket(state, state.markets[id - 1]!);
        sharing.rawPrices.set(market, raw);
        if (!traded) continue;
        market.lastPrice = lastPrice;
        market.tradedAt = state.height;
      }
    }
    // Shards know these.
    sharing.positions.clear();
  }

  /** Carries out a part of the block. */
  walk(actions: readonly PlannedAction[]): void {
    const state = this.#state;
    for (const planned of actions) {
      const { index, routes } = planned;
      state.actionIndex = index;
      this.answers[index] = routes === null ? this.#whole(planned) : this.#spread(index, routes);
      catchOrders(state, this.#block.actions[index]!.transaction, this.answers);
    }
    state.actionIndex = null;
  }

  /** Whether orders that actions named before they had an id are those that were meant. */
  namedRightly(): boolean {
    for (const place of this.#plan.named) if (this.finals[place] !== this.#base + place) return false;
    return true;
  }

  /** Whether the block stayed below the changes that it may make: then none of its actions met that bound, wherever it ran. */
  fits(): boolean {
    const { orders, params } = this.#state;
    const { orderChangesPerBlock: limit = Number.POSITIVE_INFINITY } = params;
    return this.#results.reduce((sum, result) => sum + (result?.changes ?? 0), orders.changes) < limit;
  }

  /** Orders of the shards under their ids. */
  orders(): ShardResult['orders'][] {
    return this.#results.flatMap((result) => {
      if (result === null) return [];
      const { numbers } = result.orders;
      for (let at = 0; at < numbers.length; at += orderNumbers) numbers[at] = this.#idOf(numbers[at]!);
      return [result.orders];
    });
  }

  #whole({ index, ids }: PlannedAction): Answer {
    const before = this.#state.globals.nextOrderId;
    const answer = this.#runWhole(index);
    this.#count(before, ids);
    return answer;
  }

  #spread(index: number, routes: readonly number[]): Answer {
    const state = this.#state;
    const action = this.#block.actions[index]!;
    const { payload } = action.transaction;
    if (payload.type !== 'batch') return concludeAction(state, action, this.#take(routes[0]!));
    const results = payload.items.map((item, at): ActionResult => {
      const before = state.globals.nextOrderId;
      const route = routes[at]!;
      const answer = route === front ? runItem(state, action.transaction.account, item) : this.#take(route);
      if (route === front && (item.type === 'order' || item.type === 'modify')) this.#count(before, 1);
      return state.log.answer(answer);
    });
    noteMissedItems(state.missed, action.transaction.account, { index, items: payload.items, results });
    return concludeAction(state, action, { ok: true, value: { type: 'batch', results } });
  }

  /** Notes which ids the front took of those that were kept for it. */
  #count(before: OrderId, ids: number): void {
    const used = this.#state.globals.nextOrderId - before;
    for (let at = 0; at < ids; at++) this.finals[this.#place++] = used === ids ? before + at : Number.NaN;
  }

  /** The next item of a shard, as if it had run here. */
  #take(shard: number): Answer {
    const state = this.#state;
    const { log } = state;
    const result = this.#results[shard]!;
    const cursor = this.#cursors[shard]!;
    const item = cursor.item++;
    const at = item * doneNumbers;
    const { items } = result;
    const [answer, events, ends, use] = [items[at]!, items[at + 1]!, items[at + 2]!, items[at + 3]!];
    if (use !== idUse.none) {
      this.finals[this.#place++] = use === idUse.used ? state.globals.nextOrderId : Number.NaN;
      if (use === idUse.used) changeGlobals(state).nextOrderId = (state.globals.nextOrderId + 1) as OrderId;
    }
    const moved = log.eventCount - cursor.events;
    const { nextTradeId } = state.globals;
    const afterTrades = log.take(result.log, cursor.events, events, this.#idOf, nextTradeId);
    if (afterTrades !== nextTradeId) changeGlobals(state).nextTradeId = afterTrades;
    for (let end = cursor.ends; end < ends; end++) state.memory.take(result.ends, end, state.accounts, this.#idOf);
    cursor.events = events;
    cursor.ends = ends;
    if (answer >= 0) return log.takeAnswer(result.log, answer, moved, this.#idOf);
    const told = result.answers.get(item)!;
    if (!told.ok || told.value.type !== 'order') return told;
    const idOf = (id: OrderId): OrderId => this.#idOf(id) as OrderId;
    const { orderId, trades } = told.value;
    const renamed = trades.map((trade, at) => ({
      ...trade,
      tradeId: nextTradeId + at,
      makerOrderId: idOf(trade.makerOrderId),
      takerOrderId: idOf(trade.takerOrderId),
    }));
    return { ok: true, value: { ...told.value, orderId: idOf(orderId), trades: renamed } };
  }
}

interface Cursor {
  item: number;
  events: number;
  ends: number;
}

const noNumbers = new Float64Array(0);

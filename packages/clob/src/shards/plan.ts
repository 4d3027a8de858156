import { type ActionPayload, selfTradeModes, sides, timesInForce, type VerifiedAction } from '@prime/codec';
import { type Address, grown } from '@prime/primitives';
import { nextProposalHeight } from '../governance/proposals.ts';
import type { Account } from '../state/accounts.ts';
import type { ClobBlock } from '../ports.ts';
import type { ClobState } from '../state/state.ts';
import { itemCode, itemNumbers, type Items } from './messages.ts';

/**
 * The stage in front of the shards: which of a block's actions go where.
 *
 * An order, cancel or replacement goes to the shard of its market. The front keeps what needs more than one market: everything of accounts
 * that the plan, or an earlier block, found to need an exact look (`judged`, `doubts`), and with them the markets in which these have
 * orders, because whoever trades there may meet them. A block with an action that needs all markets at once (a withdrawal, a liquidation) is not
 * for shards at all.
 */

/** Where an item runs; else the place of a shard. */
export const front = -1;

/** An action that runs in its place of the canonical order. */
export interface PlannedAction {
  readonly index: number;
  /** Where it runs; of a batch, where each item does. Null: whole, by the front. */
  readonly routes: readonly number[] | null;
  /** How many ids its orders may take. */
  readonly ids: number;
}

/** Which of a block's actions run in which turn and where. Ids are counted from the next order id of the state. */
export interface Plan {
  readonly first: readonly PlannedAction[];
  readonly second: readonly PlannedAction[];
  /** By shard; null where it has nothing to do. */
  readonly items: readonly (Items | null)[];
  /** Ids that actions of this block name before they were given, in the places of the orders that are meant. */
  readonly named: ReadonlySet<number>;
  /** Ids that the block's orders may take, from the first one on. */
  readonly ids: number;
}

/** What earlier blocks taught about where shards do not know enough; it never changes a result. */
interface Doubts {
  readonly accounts: ReadonlyMap<number, number>;
  readonly markets: ReadonlyMap<number, number>;
}

/** What a plan is made by, besides the block and the state. */
export interface PlanOptions {
  readonly shards: number;
  readonly doubts: Doubts;
  /** Whether an action runs at all: its nonce is taken, its signer may act. */
  readonly mayRun: (index: number) => boolean;
  /** Whether an action runs before the others of its block. */
  readonly runsFirst: (payload: ActionPayload) => boolean;
}

type Trading = Extract<ActionPayload, { readonly type: 'order' | 'cancel' | 'modify' }>;

const isPlainTrading = (payload: ActionPayload): payload is Trading =>
  payload.type === 'order' || payload.type === 'cancel' || payload.type === 'modify';

/** Whether shards may have a part in a block at all. Looks at nothing but the actions, and at what is due. */
export function suitsShards(state: ClobState, { height, actions, contractActions = [] }: ClobBlock): boolean {
  // What begins or goes on at the begin of this block is not known to shards yet.
  if (state.settlements.size > 0 || nextProposalHeight(state) <= height) return false;
  const { minNotional, fees, funding, oracle } = state.params;
  // What rests at a price is asked of the books of the state, which shards' orders come into after the root.
  if (state.levels !== null) return false;
  // Fees and funding move money between accounts with each trade, which costs do not bound.
  // Which orders a market takes depends on its index, which shards do not know.
  if (!state.hasRooms || oracle !== undefined || fees !== undefined || funding !== undefined) return false;
  // What fires is an order of any market, before those of the block.
  if (state.triggers.byId.size > 0) return false;
  if (minNotional !== 0n || contractActions.length > 0) return false;
  const bySelf = new Set<Address>();
  const byGateway = new Set<Address>();
  for (const { transaction } of actions) {
    const { account, signatureKind, payload } = transaction;
    if (!runsAnywhere(payload, state.params.cancelFirst)) return false;
    // Its own signature closes an account to unsigned actions, if the action succeeds.
    (signatureKind === 'gateway' ? byGateway : bySelf).add(account);
  }
  for (const account of bySelf)
    if (byGateway.has(account) && state.accountOf.get(account)?.locked !== true) return false;
  return true;
}

function runsAnywhere(payload: ActionPayload, cancelFirst: boolean): boolean {
  switch (payload.type) {
    case 'order':
    case 'modify':
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'noop':
    case 'scheduleCancel':
      return true;
    case 'batch':
      return payload.items.every(({ type }) => type !== 'trigger' && type !== 'bracket');
    case 'deposit':
      // Behind fills its event would tell of a balance that only shards know.
      return cancelFirst;
    default:
      return false;
  }
}

/** Plans one block, and only reads the state. Each block needs a new one. */
export class Planner {
  readonly #state: ClobState;
  readonly #options: PlanOptions;
  readonly #judged = new Set<Account>();
  /** Markets that the front keeps. */
  readonly #kept = new Set<number>();
  readonly #writers: ItemWriter[];
  /** Where the orders of the block run, by the place of their id. */
  readonly #routeOfId: number[] = [];
  readonly #named = new Set<number>();
  readonly #base: number;
  readonly #clientIds = new Set<string>();

  constructor(state: ClobState, options: PlanOptions) {
    this.#state = state;
    this.#options = options;
    this.#base = state.globals.nextOrderId;
    this.#writers = Array.from({ length: options.shards }, () => new ItemWriter());
  }

  /** @returns null when the block is not for shards */
  plan(block: ClobBlock): Plan | null {
    const { actions } = block;
    if (!this.#keepMarkets(actions)) return null;
    const { runsFirst, mayRun } = this.#options;
    const { cancelFirst } = this.#state.params;
    const [first, second]: [PlannedAction[], PlannedAction[]] = [[], []];
    for (const isFirst of cancelFirst ? [true, false] : [false])
      for (let index = 0; index < actions.length; index++) {
        const { transaction } = actions[index]!;
        if (cancelFirst && runsFirst(transaction.payload) !== isFirst) continue;
        const planned = mayRun(index)
          ? this.#place(index, transaction.account, transaction.payload)
          : { index, routes: null, ids: 0 };
        (isFirst ? first : second).push(planned);
      }
    const items = this.#writers.map((writer) => (writer.count === 0 ? null : writer.done()));
    return { first, second, items, named: this.#named, ids: this.#routeOfId.length };
  }

  /** Finds out which accounts need an exact look, and with them the markets that stay. @returns whether there is a price everywhere */
  #keepMarkets(actions: readonly VerifiedAction[]): boolean {
    const state = this.#state;
    const { doubts } = this.#options;
    const opening = new Map<Account, number>();
    for (const { transaction } of actions) {
      const account = state.accountOf.get(transaction.account);
      const items = transaction.payload.type === 'batch' ? transaction.payload.items : [transaction.payload];
      for (const item of items) {
        if (account !== undefined) this.#look(account, item, opening);
        // Without a mark every trade moves the price of margin.
        if (item.type === 'order' && state.markets[item.marketId - 1]?.markPrice === null) return false;
      }
    }
    for (const [account, orders] of opening)
      if (account.openOrders + orders > state.params.maxOpenOrders) this.#judged.add(account);
    for (const [index, until] of doubts.accounts) if (until >= state.height) this.#judged.add(state.accounts[index]!);
    for (const [market, until] of doubts.markets) if (until >= state.height) this.#kept.add(market);
    for (const account of this.#judged) this.#keepMarketsOf(account);
    for (const { transaction } of actions) {
      const account = state.accountOf.get(transaction.account);
      if (account !== undefined && this.#judged.has(account)) this.#keepNamed(transaction.payload);
    }
    return true;
  }

  #look(account: Account, payload: ActionPayload, opening: Map<Account, number>): void {
    if (payload.type === 'deposit' || payload.type === 'noop' || payload.type === 'scheduleCancel') return;
    if (!isPlainTrading(payload) || this.#repeatsClientId(account, payload)) this.#judged.add(account);
    else if (payload.type !== 'cancel') opening.set(account, (opening.get(account) ?? 0) + 1);
  }

  /** A client id may be used again once its order is gone, from whatever market: only the front sees all of them. */
  #repeatsClientId(account: Account, payload: Trading): boolean {
    if (payload.type !== 'order' || payload.clientId === null) return false;
    const key = `${account.index}/${payload.clientId}`;
    const repeats = this.#clientIds.has(key) || account.clientIds.has(payload.clientId);
    this.#clientIds.add(key);
    return repeats;
  }

  /** Markets in which the account has orders: they may be met. */
  #keepMarketsOf(account: Account): void {
    for (const { marketId, buyLots, sellLots, big } of account.exposures)
      if (buyLots !== 0 || sellLots !== 0 || big !== null) this.#kept.add(marketId);
  }

  #keepNamed(payload: ActionPayload): void {
    if (payload.type === 'batch') for (const item of payload.items) this.#keepNamed(item);
    else if (payload.type === 'order') this.#kept.add(payload.marketId);
  }

  #place(index: number, address: Address, payload: ActionPayload): PlannedAction {
    const account = this.#state.accountOf.get(address);
    const items = payload.type === 'batch' ? payload.items : [payload];
    const before = this.#routeOfId.length;
    const routes: number[] = [];
    let isSpread = false;
    for (const item of items) {
      const route = this.#route(account, item);
      const id = item.type === 'order' || item.type === 'modify' ? this.#base + this.#routeOfId.length : 0;
      if (id !== 0) this.#routeOfId.push(route);
      routes.push(route);
      if (route === front) continue;
      isSpread = true;
      this.#writers[route]!.add(index, item as Trading, account!.index, id);
    }
    return { index, routes: isSpread ? routes : null, ids: this.#routeOfId.length - before };
  }

  #route(account: Account | undefined, payload: ActionPayload): number {
    if (account === undefined || !isPlainTrading(payload)) return front;
    return payload.type === 'order' ? this.#routeOfMarket(payload.marketId) : this.#routeOfOrder(payload.orderId);
  }

  #routeOfMarket(marketId: number): number {
    const market = this.#state.markets[marketId - 1];
    if (market === undefined || this.#kept.has(marketId)) return front;
    if (typeof market.book.zero !== 'number' || market.markPrice === null || market.status !== 'trading') return front;
    return (marketId - 1) % this.#options.shards;
  }

  #routeOfOrder(orderId: number): number {
    const { orders } = this.#state;
    const handle = orders.byId.get(orderId);
    if (handle !== undefined) return this.#routeOfMarket(orders.market[handle]!);
    // An order of this block, if all before it take their ids: that is looked at in the end.
    const route = this.#routeOfId[orderId - this.#base];
    if (route === undefined) return front;
    this.#named.add(orderId - this.#base);
    return route;
  }
}

/** A shard's items while they are written. */
class ItemWriter {
  count = 0;
  #numbers = new Float64Array(64 * itemNumbers);
  readonly #clientIds: [number, string][] = [];
  readonly #bigs: [number, bigint, bigint][] = [];

  add(action: number, payload: Trading, account: number, id: number): void {
    const item = this.count++;
    const at = item * itemNumbers;
    if (at === this.#numbers.length) this.#numbers = grown(this.#numbers, at * 2);
    const numbers = this.#numbers;
    numbers[at] = action;
    numbers[at + 1] = itemCode[payload.type];
    numbers[at + 2] = account;
    numbers[at + 3] = id;
    numbers[at + 4] = payload.type === 'order' ? payload.marketId : payload.orderId;
    if (payload.type === 'cancel') return;
    const { price, size } = payload;
    numbers[at + 5] = Number(price);
    numbers[at + 6] = Number(size);
    if (!Number.isSafeInteger(numbers[at + 5]) || !Number.isSafeInteger(numbers[at + 6]))
      this.#bigs.push([item, price, size]);
    if (payload.type === 'modify') return;
    const { side, tif, postOnly, reduceOnly, selfTrade, clientId, expiresAt } = payload;
    numbers[at + 8] = expiresAt;
    numbers[at + 7] =
      sides.indexOf(side) |
      (timesInForce.indexOf(tif) << 1) |
      (postOnly ? 8 : 0) |
      (selfTradeModes.indexOf(selfTrade) << 4) |
      (reduceOnly ? 64 : 0);
    if (clientId !== null) this.#clientIds.push([item, clientId]);
  }

  done(): Items {
    const numbers = this.#numbers.subarray(0, this.count * itemNumbers);
    return { numbers, clientIds: this.#clientIds, bigs: this.#bigs };
  }
}

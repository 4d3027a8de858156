import type { ActionPayload, ClobParams, ContractAction, GenesisMarket, OrderFields } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { ModelAuthority } from './authority.ts';
import { ModelBridge } from './bridge.ts';
import { bookFill, ModelClaims, reachable } from './margin/claims.ts';
import { ModelFees } from './fees.ts';
import { ModelFunding } from './funding.ts';
import { modifyFor, ownCancel } from './governance/cancels.ts';
import { ModelGovernance } from './governance/governance.ts';
import { settleMarkets } from './governance/settlement.ts';
import { inBatches, isKept, malformedFields, ordersOf, refusedByIndex, refusedByState } from './fields.ts';
import { tradeText } from './form.ts';
import { grow, orderIsGone, placeBracket } from './brackets.ts';
import { cutReducers, roomToReduce } from './reducing.ts';
import { beyondLimit } from './limits.ts';
import { isShort, mayTrade } from './makers.ts';
import { setMarks } from './marks.ts';
import { matchAll, newTaker } from './matching.ts';
import { freeOf, type ModelExtra } from './margin/margin.ts';
import { settleLosses } from './margin/settleLosses.ts';
import { ModelLiquidator } from './margin/liquidation.ts';
import { ModelOracle, type ModelReporters } from './oracle.ts';
import { runSchedules, scheduleCancel } from './schedules.ts';
import {
  endOfPosition,
  expireTriggers,
  fireAll,
  noteReached,
  placeTrigger,
  type TriggerHost,
  triggersOf,
} from './triggers.ts';
import { ModelWaiting } from './waiting.ts';
import { depositsFirst, runWrite } from './writes.ts';
import {
  addMarket,
  bestOf,
  emptyState,
  forgetEnds,
  isFirst,
  ordersThat,
  type ModelAccount,
  type ModelAction,
  type ModelOrder,
  type ModelState,
  setMargin,
} from './state.ts';
import { Undo } from './undo.ts';

/**
 * The order book's rules once more, in the slowest and plainest way: orders in one list that is searched and sorted for every
 * match, margin added up from scratch, every write kept in a list until nobody can want it back. For comparison with the engine.
 */
export class Model implements TriggerHost {
  readonly state: ModelState;
  readonly undo = new Undo();
  events: string[] = [];
  seconds = 0;
  timeMs = 0;
  height = 0;
  /** Of the block, also what was undone. */
  changes = 0;
  readonly claims = new ModelClaims(this);
  readonly #liquidator = new ModelLiquidator(this);
  readonly #bridge = new ModelBridge(this);
  readonly #funding = new ModelFunding(this);
  readonly #authority = new ModelAuthority(this);
  readonly #waiting = new ModelWaiting(this);
  readonly #governance = new ModelGovernance(this);
  readonly #oracle = new ModelOracle(this);
  readonly #fees = new ModelFees(this, (address) => this.#liquidator.equity(address, false));

  constructor(params: ClobParams, markets: readonly GenesisMarket[]) {
    this.state = emptyState(params, markets);
  }

  get params(): ClobParams {
    return this.state.params;
  }

  /** Results of a block's actions: the text of a refusal is its code. @param writes what contracts asked for in the block before */
  block(
    actions: readonly ModelAction[],
    timeMs: number,
    writes: readonly ContractAction[] = [],
    reporters: ModelReporters = { reporters: [], precisionMs: 0 },
  ): unknown[] {
    this.timeMs = timeMs;
    this.seconds = Math.floor(timeMs / 1000);
    this.height++;
    this.events = [];
    this.changes = 0;
    this.#funding.begin(timeMs);
    this.#governance.begin(reporters);
    this.#oracle.begin(reporters);
    settleMarkets(this, this.#liquidator);
    this.#funding.end(timeMs);
    forgetEnds(this.undo, this.state, this.height - this.params.orderMemoryBlocks);
    const gone = ordersThat(this.state, (order) => this.expired(order));
    gone.sort((a, b) => a.fields.expiresAt - b.fields.expiresAt || a.id - b.id);
    for (const order of gone.slice(0, 1000)) this.cancel(order, 'expired');
    expireTriggers(this);
    runSchedules(this);
    if (this.params.autoDequeue)
      for (const direction of ['orders_to_evm', 'evm_to_orders'] as const) this.#bridge.dequeue(direction, 1000);
    const results: unknown[] = [];
    const refused = this.#authority.takeNonces(actions);
    for (const turn of [true, false]) {
      for (const write of depositsFirst(writes)) if (isFirst(write.payload) === turn) this.#write(write);
      actions.forEach((action, index) => {
        if (isFirst(action.payload) !== turn) return;
        const tell = (later: unknown): void => {
          results[index] = later;
          this.#authority.acted(action);
        };
        results[index] = this.#attempt(() => refused[index] ?? this.#act(action));
        this.#waiting.after(action, results[index], tell);
      });
      if (turn) {
        const riskiest = this.#liquidator.riskiest().slice(0, this.params.autoLiquidatePerBlock);
        for (const address of riskiest) this.#liquidator.liquidate(address, null);
        fireAll(this);
      }
    }
    this.#waiting.end();
    setMarks(this.undo, this.state, this.params, this.height);
    this.claims.payAll();
    settleLosses(this);
    this.claims.repayDebts();
    noteReached(this);
    this.undo.forget();
    return results;
  }

  account(address: string): ModelAccount {
    const { accounts } = this.state;
    if (accounts[address] === undefined)
      this.undo.set(accounts, address, { collateral: 0n, positions: {}, claims: {} });
    return accounts[address]!;
  }

  #attempt(run: () => unknown): unknown {
    const mark = this.undo.mark();
    const events = this.events.length;
    const result = run();
    if (typeof result !== 'string') return result;
    this.undo.back(mark);
    this.events.length = events;
    return result;
  }

  #act(action: ModelAction): unknown {
    if (this.timeMs > (action.expiresAt || Number.POSITIVE_INFINITY)) return 'CLOB_EXPIRED';
    const isReport = action.payload.type === 'oracleReport';
    const refused = isReport ? this.#oracle.refused(action) : this.#authority.refused(action);
    if (refused !== null) return refused;
    const result = this.#governance.run(action) ?? this.#run(action.account, action.payload, action.funded ?? true);
    if (typeof result !== 'string') this.#authority.acted(action);
    return result;
  }

  /** Nobody hears the answer. */
  #write(write: ContractAction): void {
    const run = (account: Address, payload: ActionPayload): unknown => this.#run(account, payload, true);
    const result = this.#attempt(() => runWrite(this, write, run));
    if (typeof result !== 'string') this.#authority.wrote(write);
    this.#waiting.after(write, result, () => this.#authority.wrote(write));
  }

  #run(account: Address, payload: ActionPayload, funded: boolean): unknown {
    if (['order', 'bracket', 'modify', 'cancelAll'].includes(payload.type) && this.changes >= this.most)
      return 'CLOB_BLOCK_FULL';
    switch (payload.type) {
      case 'deposit':
        if (payload.amount <= 0n) return 'CLOB_BAD_AMOUNT';
        if (!funded) return 'CLOB_INSUFFICIENT_FUNDS';
        this.undo.add(this.state, 'escrow', payload.amount);
        this.undo.add(this.account(account), 'collateral', payload.amount);
        return { type: 'deposit', collateral: this.account(account).collateral };
      case 'oracleReport':
        return this.#oracle.report(account, payload);
      case 'setMargin':
        return setMargin(this.undo, this.state, payload);
      case 'addMarket':
        return addMarket(this.undo, this.state, this.params, payload);
      case 'liquidate':
        return this.#liquidator.liquidate(payload.address, account);
      case 'withdraw':
        return this.#bridge.withdraw(account, payload.to, payload.amount);
      case 'enqueueEvmToOrders':
        return this.#bridge.bringIn(account, payload.to, payload.amount, funded);
      case 'transfer':
        return this.#bridge.transfer(account, payload.to, payload.amount);
      case 'bridgeDequeue':
        return this.#bridge.dequeue(payload.direction, payload.max);
      case 'order':
        return this.#place(account, payload);
      case 'cancel':
      case 'cancelByClientId':
      case 'cancelAll':
        return ownCancel(this, account, payload);
      case 'scheduleCancel':
        return scheduleCancel(this, account, payload.atMs);
      case 'modify':
        return modifyFor(this, account, payload, (fields) => this.#place(account, fields));
      case 'trigger':
        return placeTrigger(this, account, payload);
      case 'bracket':
        return placeBracket(this, account, payload, () => this.#place(account, payload));
      case 'batch':
        return {
          type: 'batch',
          results: payload.items.map((item) =>
            inBatches.has(item.type) ? this.#attempt(() => this.#run(account, item, true)) : 'CLOB_NOT_AVAILABLE',
          ),
        };
      default:
        return this.#authority.run(account, payload);
    }
  }

  /** Changes that a block, and one order, may make. */
  get most(): number {
    return this.params.orderChangesPerBlock ?? Number.POSITIVE_INFINITY;
  }

  #place(owner: Address, fields: OrderFields): unknown {
    const market = this.state.markets[fields.marketId - 1];
    if (market === undefined) return 'CLOB_UNKNOWN_MARKET';
    const { price, size, tif } = fields;
    const buy = fields.side === 'buy';
    const position = this.account(owner).positions[fields.marketId]?.size ?? 0n;
    const shut =
      refusedByState(fields, market) ?? refusedByIndex(fields, market, this.timeMs, buy ? -position : position);
    if (shut !== null) return shut;
    const malformed = malformedFields(fields, market, this.seconds);
    if (malformed !== null) return malformed;
    const own = ordersOf(this.state, owner, null);
    if (
      fields.clientId !== null &&
      ([...own, ...triggersOf(this.state, owner, null)].some((one) => one.fields.clientId === fields.clientId) ||
        isKept(this.state, owner + fields.clientId))
    )
      return 'CLOB_DUPLICATE_CLIENT_ID';
    if (tif === 'gtc' && own.length >= this.params.maxOpenOrders) return 'CLOB_TOO_MANY_OPEN_ORDERS';
    const opposite = bestOf(this.state, fields.marketId, !buy);
    if (fields.postOnly && opposite !== undefined && (buy ? opposite.price <= price : opposite.price >= price))
      return 'CLOB_POST_ONLY_WOULD_CROSS';
    const held = this.account(owner).positions[fields.marketId]?.size ?? 0n;
    const closable = buy ? -held : held;
    if (fields.reduceOnly && closable <= 0n) return 'CLOB_REDUCE_ONLY_WOULD_INCREASE';
    const effective = fields.reduceOnly && closable < size ? closable : size;
    const limited = beyondLimit(this.state, owner, fields, effective);
    if (limited !== null) return limited;
    const sameSide = own.filter((order) => order.market === fields.marketId && order.buy === buy);
    const open = sameSide.reduce((sum, { remaining }) => sum + remaining, 0n);
    const reduces = fields.reduceOnly || closable >= open + effective;
    const equity = this.#liquidator.equity(owner, false);
    const short = isShort(this, owner, { fields, size: effective, reduces, equity });
    if (short && (!reduces || equity < 0n)) return 'CLOB_INSUFFICIENT_MARGIN';
    const id = this.undo.next(this.state, 'nextOrder');
    this.events.push(`accepted ${id}`);
    return this.#execute(owner, fields, id, effective, short);
  }

  #execute(owner: Address, fields: OrderFields, id: number, effective: bigint, isJudged: boolean): unknown {
    const [before, eventsBefore] = [this.undo.mark(), this.events.length];
    const taker = newTaker(id, owner, fields, effective, isJudged);
    // More than all that rests at its prices: known without trying, so the block pays nothing for it.
    if (fields.tif !== 'fok' || reachable(this.state, fields) >= effective) matchAll(this, taker);
    const { left, decremented, stopped, exhausted, trades } = taker;
    // One that trades nothing is refused as if it had not been tried.
    if (isJudged && (fields.tif === 'fok' ? taker.poor : left === effective)) return 'CLOB_INSUFFICIENT_MARGIN';
    if (fields.tif === 'fok' && (left > 0n || decremented > 0n)) {
      this.undo.back(before);
      this.events.length = eventsBefore;
      this.finished(id, false, null);
      this.events.push(`cancelled ${id} fok ${fields.size}`);
      const killed = { filled: 0n, remaining: fields.size, trades: [], status: 'killed', decremented: 0n };
      return { type: 'order', id, ...killed, reason: 'fok' };
    }
    const filled = effective - left - decremented;
    const remaining = left + taker.cut;
    const answer = (status: string, reason: string | null = null) => ({
      type: 'order',
      id,
      filled,
      remaining,
      trades: trades.map(tradeText),
      status,
      decremented,
      reason,
    });
    const equity = this.#liquidator.equity(owner, false);
    const [buy, { marketId: market, price }] = [fields.side === 'buy', fields];
    const mightRest = fields.tif === 'gtc' && left > 0n && !stopped && !exhausted;
    const room = roomToReduce(this.state, owner, market, buy);
    const rest = fields.reduceOnly && room < left ? room : left;
    const mayRest = !isJudged || !isShort(this, owner, { fields, size: rest, reduces: true, equity });
    const isPoor = taker.poor || (mightRest && rest > 0n && !mayRest);
    if (mightRest && rest > 0n && !isPoor) {
      this.changes++;
      const size = filled + rest;
      this.undo.put(this.state.orders, id, { id, market, owner, buy, price, size, remaining: rest, fields });
      if (remaining > rest) this.events.push(`reduced ${id} reduce_only ${remaining - rest} ${rest}`);
      return { ...answer(filled > 0n ? 'partially_filled' : 'open'), remaining: rest };
    }
    const isFilled = remaining === 0n && decremented === 0n;
    this.finished(id, isFilled, filled > 0n && fields.clientId !== null ? owner + fields.clientId : null);
    if (isFilled) return answer('filled');
    const self = stopped || (left === 0n && decremented > 0n);
    const reason = isPoor
      ? 'margin'
      : self
        ? 'self_trade'
        : left === 0n || (mightRest && rest === 0n)
          ? 'reduce_only'
          : 'ioc';
    this.events.push(`cancelled ${id} ${reason} ${remaining}`);
    return answer('cancelled', reason);
  }

  fill(owner: Address, market: number, quantity: bigint, price: bigint): void {
    this.settle(owner, market);
    bookFill(this.undo, this.account(owner), market, quantity, price);
    this.undo.set(this.state.markets[market - 1]!, 'last', price);
    this.undo.set(this.state.markets[market - 1]!, 'tradedAt', this.height);
  }

  /** @param kept owner and client id that no order may have while this is remembered */
  finished(id: number, filled: boolean, kept: string | null): void {
    if (this.params.orderMemoryBlocks > 0) this.undo.put(this.state.ends, id, { filled, height: this.height, kept });
  }

  moved(owner: string, market: number): void {
    cutReducers(this, owner, market);
    endOfPosition(this, owner, market);
  }

  filledOf(id: number, size: bigint): void {
    grow(this, id, size);
    if (!this.state.orders.has(id)) orderIsGone(this, id);
  }

  attempt(account: Address, fields: OrderFields, before: () => void): unknown {
    return this.#attempt(() => {
      before();
      return this.#place(account, fields);
    });
  }

  /** Of one market, or of all. */
  settle(owner: string, market: number | null): void {
    this.#funding.settle(owner, market);
  }

  withdrawable(address: string): bigint {
    return this.#bridge.withdrawable(address);
  }

  makerMay(maker: Pick<ModelOrder, 'owner' | 'market' | 'buy' | 'price'>, quantity: bigint): boolean {
    return mayTrade(this, maker, quantity, this.#liquidator.equity(maker.owner, false));
  }

  get fees(): ModelFees {
    return this.#fees;
  }

  free(owner: string, extra?: ModelExtra, withMargin = true): bigint {
    return freeOf(this.state, { ...this.account(owner), owner }, extra, withMargin);
  }

  expired({ fields: { expiresAt } }: ModelOrder): boolean {
    return expiresAt !== 0 && expiresAt < this.seconds;
  }

  cancel(order: ModelOrder, reason: string): unknown {
    this.changes++;
    this.undo.drop(this.state.orders, order.id);
    const { clientId } = order.fields;
    const keeps = reason !== 'user' && order.size > order.remaining && clientId !== null;
    this.finished(order.id, false, keeps ? order.owner + clientId : null);
    this.events.push(`cancelled ${order.id} ${reason} ${order.remaining}`);
    orderIsGone(this, order.id);
    return { type: 'cancel', id: order.id, remaining: order.remaining };
  }
}

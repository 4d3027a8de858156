import type { ActionResult } from '@prime/codec';
import { assert } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { beginBlock, refusedBefore, runOne, runsFirst } from '../rules/block.ts';
import type { Answer } from '../records/blockLog.ts';
import { refuseMissed } from '../rules/conclude.ts';
import type { Engine } from '../engine.ts';
import type { Exposure } from '../book/exposure.ts';
import { liquidateRiskiest } from '../margin/liquidate.ts';
import { noOrderRows, type OrderRows } from '../state/orderRows.ts';
import type { ClobBlock, ClobOutcome } from '../ports.ts';
import { Merge } from './merge.ts';
import type { ShardDone, ShardMarket, ShardResult, ShardSync, ShardWork } from './messages.ts';
import { applyOrderRows, orderRows } from './orderExchange.ts';
import { type Plan, Planner, suitsShards } from './plan.ts';
import { positionRows } from './positionRows.ts';
import { nextSchedule } from '../state/scheduleChanges.ts';
import type { Sharing } from '../state/sharing.ts';
import type { ClobState } from '../state/state.ts';

/** How many shards there are, and which blocks they take part in. */
export interface FrontOptions {
  readonly shards: number;
  /** Blocks with fewer actions are not worth waking anybody for. */
  readonly actionsMin: number;
}

/** A block that shards are at work on. */
interface Begun {
  readonly block: ClobBlock;
  readonly plan: Plan;
  readonly refusals: ReadonlyMap<number, ActionResult>;
}

/** What the front of a pool did, for those who watch. */
export interface PoolCounts {
  /** Blocks that shards had a part in. */
  readonly shared: number;
  /** Blocks that went to the shards and had to be done again by the front. */
  readonly repeated: number;
  /** Blocks that the front carried out by itself from the start. */
  readonly alone: number;
}

/**
 * The account and margin stage of the order book, in front of its shards and behind them.
 *
 * The engine that it drives holds the whole state; shards hold the orders and positions of their markets once more. In front: nonces, authority,
 * and which shard runs what (plan.ts). Behind: whether every account surely had the collateral for all that shards did with its orders, then
 * one walk in canonical order (merge.ts). Where the answer is not sure, nothing of it counts and the engine carries the block out by itself, as it does
 * with blocks that need all markets at once. So no result depends on how many shards there are.
 *
 * Pure: who drives it carries the messages.
 *
 * @see docs/adr/0116-matching-pool.md
 */
export class ShardFront {
  readonly counts = { shared: 0, repeated: 0, alone: 0 };
  readonly #engine: Engine;
  readonly #state: ClobState;
  readonly #options: FrontOptions;
  readonly #judged = new Set<Account>();
  #isJudging = false;
  /** Whether the pending block is the shards' too. */
  #isShared = false;
  #isKnown = false;
  #begun: Begun | null = null;
  #ids: ShardSync['ids'] = null;
  /** Orders that shards changed in committed blocks, not in the engine's books yet. */
  #late: readonly OrderRows[] = [];
  /** Places of accounts up to which each shard knows them. */
  #knownAccounts: number;
  readonly #sentAccounts: number[];
  readonly #doubts = { accounts: new Map<number, number>(), markets: new Map<number, number>() };

  constructor(engine: Engine, options: FrontOptions) {
    this.#engine = engine;
    this.#state = engine.state;
    this.#options = options;
    this.#knownAccounts = 0;
    this.#sentAccounts = Array.from({ length: options.shards }, () => 0);
    this.#state.sharing = {
      positions: new Map<Exposure, Account>(),
      orders: [],
      rawPrices: new Map(),
      judged: (account) => {
        if (this.#isJudging) this.#judged.add(account);
      },
      takeRoom: null,
    } satisfies Sharing;
  }

  /**
   * Begins a block with the shards.
   *
   * @returns by shard, null for one without work; null when the block is for {@link execute}
   */
  begin(block: ClobBlock): readonly (ShardWork | null)[] | null {
    this.settle();
    const state = this.#state;
    if (!this.#isKnown || block.actions.length < this.#options.actionsMin || !suitsShards(state, block)) return null;
    const first = state.expiries.last();
    if (first >= 0 && state.orders.expiresAt[first]! < Math.floor(block.timestampMs / 1000)) return null;
    if ((nextSchedule(state)?.atMs ?? Number.POSITIVE_INFINITY) <= block.timestampMs) return null;
    const engine = this.#engine;
    engine.open();
    const refusals = beginBlock(state, block);
    const { actionsMode } = engine.rules;
    const mayRun = (index: number): boolean => {
      const action = block.actions[index]!;
      const known = state.accountOf.get(action.transaction.account);
      return refusedBefore(state, action, known, refusals.get(index) ?? null, actionsMode) === null;
    };
    const { shards } = this.#options;
    const plan = new Planner(state, { shards, doubts: this.#doubts, mayRun, runsFirst }).plan(block);
    if (plan === null || plan.items.every((items) => items === null)) {
      engine.rollback();
      return null;
    }
    this.#begun = { block, plan, refusals };
    this.#isShared = true;
    return plan.items.map((items, shard) => {
      if (items === null) return null;
      const from = this.#sentAccounts[shard]!;
      this.#sentAccounts[shard] = state.accounts.length;
      const addresses = state.accounts.slice(from).map(({ address }) => address);
      return { height: state.height, timestampMs: state.timestampMs, accounts: { from, addresses }, items };
    });
  }

  /**
   * Ends a block with what shards made of it.
   *
   * @param done by shard, null for one without work
   * @returns null when it can not be known to be right: the block is as if it had not begun, shards that answered `done` have to take theirs back
   */
  finish(done: readonly (ShardDone | null)[]): ClobOutcome | null {
    const begun = this.#begun;
    assert(begun !== null, 'no block was begun with the shards');
    this.#begun = null;
    try {
      const answers = this.#merge(begun, done);
      if (answers !== null) {
        this.counts.shared++;
        return this.#engine.close(answers);
      }
    } catch (error) {
      this.rollback();
      throw error;
    }
    this.counts.repeated++;
    this.rollback();
    return null;
  }

  /** Carries a block out without the shards. */
  execute(block: ClobBlock): ClobOutcome {
    this.settle();
    this.counts.alone++;
    return this.#engine.execute(block);
  }

  /** Keeps the pending block. @returns for each shard what it has to hear */
  commit(): readonly ShardSync[] {
    const state = this.#state;
    const sharing = state.sharing!;
    const syncs = this.#isKnown ? this.#syncs() : [];
    this.#late = sharing.orders;
    sharing.orders = [];
    sharing.positions.clear();
    this.#engine.commit();
    this.#end();
    return syncs;
  }

  /** Takes the pending block back. @returns whether shards have to do so, too */
  rollback(): boolean {
    const sharing = this.#state.sharing!;
    sharing.orders = [];
    sharing.positions.clear();
    this.#sentAccounts.fill(this.#knownAccounts);
    this.#engine.rollback();
    const isShared = this.#isShared;
    this.#end();
    return isShared;
  }

  /** Brings the engine's books in line with what shards did; may wait until nobody waits for anything else. */
  settle(): void {
    if (this.#late.length === 0) return;
    applyOrderRows(this.#state, this.#late);
    this.#late = [];
  }

  /** What shards have to hear before the first block: the whole state, in parts of so many orders. */
  load(ordersMax: number): (readonly ShardSync[])[] {
    this.settle();
    this.#engine.ordersRoot();
    const state = this.#state;
    const ids = state.orders.byId.ids();
    const exposures = state.accounts.flatMap((account) =>
      account.exposures.map((exposure) => [exposure, account] as const),
    );
    this.#isKnown = true;
    this.#knownAccounts = state.accounts.length;
    this.#sentAccounts.fill(state.accounts.length);
    const loads = Array.from({ length: this.#options.shards }, (_, shard): ShardSync[] => {
      const isOurs = this.#isOf(shard);
      const { height, globals } = state;
      const common = { height, defaultMargin: globals.defaultMargin, params: state.params, ids: null };
      const none = {
        ...common,
        accounts: { from: 0, addresses: [] },
        markets: [],
        orders: noOrderRows,
        positions: noPositions,
      };
      const parts: ShardSync[] = [
        {
          ...none,
          accounts: { from: 0, addresses: state.accounts.map(({ address }) => address) },
          markets: state.markets.map(shardMarket),
        },
      ];
      for (let from = 0; from < exposures.length; from += ordersMax)
        parts.push({ ...none, positions: positionRows(exposures.slice(from, from + ordersMax), isOurs) });
      for (let from = 0; from < ids.length; from += ordersMax)
        parts.push({ ...none, orders: orderRows(state, ids.slice(from, from + ordersMax), isOurs) });
      return parts;
    });
    state.sharing!.positions.clear();
    return loads;
  }

  #isOf(shard: number): (market: number) => boolean {
    const { shards } = this.#options;
    return (market) => (market - 1) % shards === shard;
  }

  #merge({ block, plan, refusals }: Begun, done: readonly (ShardDone | null)[]): readonly Answer[] | null {
    const state = this.#state;
    const results: (ShardResult | null)[] = [];
    for (const result of done) {
      if (result?.kind === 'unsure') {
        this.#doubts.markets.set(result.market, state.height + doubtBlocks);
        return null;
      }
      results.push(result);
    }
    const deposits = new Map(block.deposits.map((deposit) => [deposit.actionIndex, deposit]));
    const base = state.globals.nextOrderId;
    const merge = new Merge(this.#engine, block, plan, results, (index) =>
      runOne(state, block.actions[index]!, refusals.get(index) ?? null, deposits.get(index), this.#engine.rules),
    );
    merge.walk(plan.first);
    const events = state.log.eventCount;
    liquidateRiskiest(state);
    if (state.log.eventCount !== events) return null;
    const poor = merge.withoutRoom();
    if (poor !== null) return this.#doubt([poor]);
    merge.apply();
    this.#isJudging = true;
    const { regime } = state;
    merge.walk(plan.second);
    refuseMissed(state);
    this.#isJudging = false;
    const conflicts = [...this.#judged].filter((account) => merge.touched.has(account));
    if (conflicts.length > 0) return this.#doubt(conflicts);
    if (state.regime !== regime || !merge.namedRightly() || !merge.fits()) return null;
    this.#ids = merge.finals.every((final, place) => final === base + place) ? null : { base, finals: merge.finals };
    state.sharing!.orders = merge.orders();
    return merge.answers;
  }

  #doubt(accounts: readonly Account[]): null {
    for (const { index } of accounts) this.#doubts.accounts.set(index, this.#state.height + doubtBlocks);
    return null;
  }

  #syncs(): ShardSync[] {
    const state = this.#state;
    const { height } = state;
    const { positions } = state.sharing!;
    const ids = state.changedOrders();
    const addresses = state.accounts.map(({ address }) => address);
    const markets = [...state.dirtyMarkets]
      .filter((market) => state.market(market.id) === market)
      .sort((a, b) => a.id - b.id)
      .map(shardMarket);
    this.#knownAccounts = addresses.length;
    return this.#sentAccounts.map((from, shard) => {
      this.#sentAccounts[shard] = addresses.length;
      const isOurs = this.#isOf(shard);
      return {
        height,
        accounts: { from, addresses: addresses.slice(from) },
        defaultMargin: state.globals.defaultMargin,
        params: state.params === state.storedParams ? null : state.params,
        markets,
        orders: orderRows(state, ids, isOurs),
        positions: positionRows(positions, isOurs),
        ids: this.#ids,
      };
    });
  }

  #end(): void {
    this.#judged.clear();
    this.#isJudging = false;
    this.#isShared = false;
    this.#begun = null;
    this.#ids = null;
    this.#state.sharing!.rawPrices.clear();
    for (const doubts of [this.#doubts.accounts, this.#doubts.markets])
      for (const [place, until] of doubts) if (until < this.#state.height) doubts.delete(place);
  }
}

/** Blocks for which the front keeps what shards could not decide once. */
const doubtBlocks = 64;
const noPositions = { numbers: new Float64Array(0), bigs: [] };

const shardMarket = (market: ClobState['markets'][number]): ShardMarket => {
  const { id, symbol, tickSize, lotSize, baseDecimals, quoteDecimals, riskTiers, limits } = market;
  const { status, margin, lastPrice, markPrice } = market;
  return {
    id,
    symbol,
    tickSize,
    lotSize,
    baseDecimals,
    quoteDecimals,
    riskTiers,
    limits,
    status,
    margin,
    lastPrice,
    markPrice,
  };
};

import {
  type AgentRecord,
  type CancelReason,
  type ClobParams,
  type ContractOrigin,
  type DomainEvent,
  type EventKind,
  eventTable,
  type NonceRecord,
  type OrderEnd,
} from '@prime/codec';
import { type Address, assert } from '@prime/primitives';
import { Account, Exposure, exposurePlace, findExposure } from './accounts.ts';
import { BlockLog } from './blockLog.ts';
import { type AnyBook, negated } from './book.ts';
import { FastFees } from './fastFees.ts';
import { fundingIndexOf, settleFunding } from './funding.ts';
import { type FirstRoom, usualRoom, WithFirstRoom } from './firstRoom.ts';
import { createGlobals, type Globals } from './globals.ts';
import { Holders } from './holders.ts';
import { Journal, saveOnce, type StateMark, step } from './journal.ts';
import type { MarginMarket, MarginRates } from './margin.ts';
import { TouchedLevels } from './levels.ts';
import { MissedCancels } from './missedCancels.ts';
import { noteChanged } from './marginSums.ts';
import { type Market, marginPrice } from './markets.ts';
import { buySide, noOrder, OrderPool, type OrderRow, type Quantity, type SideIndex } from './orderPool.ts';
import { OrderMemory } from './orderMemory.ts';
import type { EvmCredit } from './ports.ts';
import { RefusedOrders } from './refusedOrders.ts';
import { restedOrder } from './restedOrder.ts';
import { noteGone } from './room.ts';
import { SavedValues } from './saves.ts';
import type { Sharing } from './shards/sharing.ts';
import { Solvency } from './solvency.ts';
import { expiryKey, SortedIndex } from './sortedIndex.ts';
import { Touched } from './touched.ts';
import { TransferQueues } from './transferQueues.ts';

/**
 * Everything that the order book domain knows, with one way to change each thing.
 *
 * Every change is in the journal, and notes which record it makes dirty. What the records do not hold (links, sums, indexes)
 * is derived from them and could be rebuilt at any moment.
 */
export class ClobState extends WithFirstRoom {
  readonly params: ClobParams;
  /** See fastLane.ts. */
  readonly hasShortWay: boolean;
  /** Of trades on the short way; null where trades cost nothing. */
  readonly fees: FastFees | null;
  readonly journal = new Journal((code, handle, amount) => this.#undo(code, handle, amount), this.firstRoom);
  readonly orders = new OrderPool(this.firstRoom);
  /** By market id, from 1. */
  readonly markets: Market[] = [];
  readonly accounts: Account[] = [];
  readonly accountOf = new Map<Address, Account>();
  readonly gatewayNonces = new Map<Address, NonceRecord>();
  /** Ascending. */
  readonly signerNonces = new Map<Address, readonly number[]>();
  /** By account, then agent. */
  readonly agents = new Map<Address, Map<Address, AgentRecord>>();
  readonly globals: Globals;
  /** Keyed so that the order that expires first is last. */
  readonly expiries = new SortedIndex<bigint>();
  readonly transfers = new TransferQueues(this.journal);
  readonly memory: OrderMemory;
  readonly refused: RefusedOrders;
  readonly missed = new MissedCancels();
  readonly solvency = new Solvency();
  readonly holders = new Holders();
  /** Markets whose mark price is still on its way to the raw price. */
  readonly movingMarkets = new Set<Market>();
  /** Number of the prices and margin parameters as they stand, see marginSums.ts. */
  pricing = 1;
  /** Changes when prices or margin parameters change in another way than mark prices at the end of a block, see room.ts. */
  regime = 1;
  /** Product of 1 + the largest relative move of a mark price, over all blocks. */
  drift = 1;
  /** Sum over all accounts at the last commit, see ledger.ts. */
  worth = 0n;
  /** By how much the open block changed it. */
  worthChange = 0n;

  readonly dirtyAccounts = new Touched<Account>();
  readonly dirtyMarkets = new Touched<Market>();
  /** Null where levels are no records. */
  readonly levels: TouchedLevels | null;
  readonly dirtyGateways = new Set<Address>();
  readonly dirtySigners = new Set<Address>();
  /** By both addresses, one after the other. */
  readonly dirtyAgents = new Map<string, readonly [account: Address, agent: Address]>();

  height = 0;
  timestampMs = 0;
  /** Action under execution; null for what the block does by itself. */
  actionIndex: number | null = null;
  /** The contract's write under execution. */
  contract: ContractOrigin | null = null;
  /** Of the open block, or of the latest one. */
  readonly log = new BlockLog(this, this.firstRoom(64));
  readonly credits: EvmCredit[] = [];
  readonly #saved = new SavedValues();
  /** What a pool of shards has to know and to decide; null where there is none. */
  sharing: Sharing | null = null;

  constructor(params: ClobParams, hasShortWay: boolean, firstRoom: FirstRoom = usualRoom) {
    super(firstRoom);
    this.params = params;
    this.hasShortWay = hasShortWay;
    this.fees = params.fees === undefined ? null : new FastFees(params.fees);
    this.levels = params.levelProofs === true ? new TouchedLevels() : null;
    this.memory = new OrderMemory(params.orderMemoryBlocks, firstRoom);
    this.refused = new RefusedOrders(params.orderMemoryBlocks);
    this.globals = createGlobals(params);
  }

  /** Seconds, rounded down. */
  get timeSeconds(): number {
    return Math.floor(this.timestampMs / 1000);
  }

  mark(): StateMark {
    return { steps: this.journal.mark(), events: this.log.eventCount, ends: this.memory.count };
  }

  /** Makes everything since the last time final: it can not be undone any more. */
  accept(): void {
    this.journal.clear();
    this.#saved.clear();
  }

  undoTo({ steps, events, ends }: StateMark): void {
    this.journal.undoTo(steps);
    this.log.truncate(events);
    this.memory.truncate(ends);
  }

  emit(kind: EventKind, data: DomainEvent['data']): void {
    const { domain } = eventTable[kind];
    const { actionIndex, contract } = this;
    this.log.emit({ domain, kind, actionIndex, ...(contract === null ? {} : { contract }), data });
  }

  /** Has wei paid out of escrow to an EVM account at the end of the block. */
  credit(credit: EvmCredit): void {
    this.credits.push(credit);
    this.journal.push(() => void this.credits.pop());
  }

  /** The counters, about to change. */
  changeGlobals(): Globals {
    return saveOnce(this.journal, this.globals);
  }

  market(id: number): Market | undefined {
    return this.markets[id - 1];
  }

  /** The market, about to change. */
  changeMarket(market: Market): Market {
    this.dirtyMarkets.add(market);
    return saveOnce(this.journal, market);
  }

  /** A price or parameter that margin is computed with changes. */
  repriced(): void {
    this.forgetPrices();
    this.journal.push(() => this.forgetPrices());
  }

  /** What was computed with prices is void. */
  forgetPrices(): void {
    this.pricing++;
    this.regime++;
  }

  /** Mark prices moved at the end of a block. @param most part by which one of them did, at most */
  marksMoved(most: number): void {
    this.pricing++;
    this.drift *= 1 + most * (1 + 2 ** -40) + 2 ** -50;
    // Long before the product is no longer exact enough, everybody is asked anew.
    if (this.drift > 2 ** 20) {
      this.drift = 1;
      this.regime++;
    }
  }

  /** Gives a market another book with the same orders. */
  replaceBook(market: Market, book: AnyBook): void {
    const { book: before } = this.changeMarket(market);
    market.book = book;
    // Not only with the market's other values: what happened to orders is taken back in the book in which it happened.
    this.journal.push(() => {
      market.book = before;
    });
  }

  addMarket(market: Market): void {
    this.markets.push(market);
    this.dirtyMarkets.add(market);
    this.journal.push(() => void this.markets.pop());
  }

  readonly marginMarket = (id: number): MarginMarket => {
    const market = this.market(id);
    assert(market !== undefined, `an account has an exposure in unknown market ${id}`);
    return {
      price: marginPrice(market),
      params: this.marginParams(market),
      fundingIndex: fundingIndexOf(market),
      liquidates: market.tradeBlocks >= this.params.mark.minTrades,
    };
  };

  marginParams(market: Market): MarginRates {
    const params = market.margin ?? this.globals.defaultMargin;
    return market.riskTiers === undefined ? params : { ...params, riskTiers: market.riskTiers };
  }

  /** The account of an address, made when there is none. */
  account(address: Address): Account {
    return this.accountOf.get(address) ?? this.#newAccount(address);
  }

  #newAccount(address: Address): Account {
    const account = new Account(this.accounts.length, address);
    this.accounts.push(account);
    this.accountOf.set(address, account);
    this.journal.push(() => {
      this.accounts.pop();
      this.accountOf.delete(address);
    });
    return account;
  }

  /** The account's own values, about to change. */
  changeAccount(account: Account): Account {
    account.room.regime = 0;
    return this.touchAccount(account);
  }

  /** {@link changeAccount} of who takes care of the account's room himself, see room.ts. */
  touchAccount(account: Account): Account {
    this.dirtyAccounts.add(account);
    if (this.solvency.watching) this.solvency.note(account, this.journal);
    if (this.holders.rankings.watching) this.holders.rankings.note(account, this.journal);
    const { epoch } = this.journal;
    if (account.savedIn !== epoch) {
      account.savedIn = epoch;
      this.#saved.saveAccount(account);
      this.journal.note(step.accountSaved, 0, 0);
    }
    return account;
  }

  agent(account: Address, agent: Address): AgentRecord | null {
    return this.agents.get(account)?.get(agent) ?? null;
  }

  setAgent(record: AgentRecord): void {
    const { account, agent } = record;
    const known = this.agent(account, agent);
    const ofAccount = this.agents.get(account) ?? new Map<Address, AgentRecord>();
    this.agents.set(account, ofAccount);
    ofAccount.set(agent, record);
    this.dirtyAgents.set(account + agent, [account, agent]);
    this.journal.push(() => {
      if (known === null) ofAccount.delete(agent);
      else ofAccount.set(agent, known);
    });
  }

  exposure(account: Account, marketId: number): Exposure {
    return findExposure(account, marketId) ?? this.#newExposure(account, marketId);
  }

  #newExposure(account: Account, marketId: number): Exposure {
    const exposure = new Exposure(marketId, this.markets[marketId - 1]!);
    account.exposures.splice(exposurePlace(account, marketId), 0, exposure);
    this.journal.push(() => void account.exposures.splice(account.exposures.indexOf(exposure), 1));
    return exposure;
  }

  /** Settles a position's funding, and sets it to what a fill leaves of it and realized. */
  settle(account: Account, exposure: Exposure, fill: { size: bigint; entry: bigint; realized: bigint }): void {
    if (this.params.funding !== undefined) {
      settleFunding(this, account, exposure);
      const index = fill.size === 0n ? 0n : fundingIndexOf(this.market(exposure.marketId)!);
      this.changeExposure(account, exposure);
      exposure.fundingIndex = index;
    }
    this.changeAccount(account).collateral += fill.realized;
    this.changeExposure(account, exposure);
    exposure.size = fill.size;
    exposure.entry = fill.entry;
  }

  /** The account's position in a market, about to change. */
  changeExposure(account: Account, exposure: Exposure): void {
    noteChanged(account, exposure);
    this.sharing?.positions.set(exposure, account);
    const { epoch } = this.journal;
    if (exposure.savedIn === epoch) return;
    exposure.savedIn = epoch;
    this.#saved.saveExposure(account, exposure);
    this.journal.note(step.exposureSaved, 0, 0);
  }

  /** Puts a new order into the book, last in its queue. */
  rest(row: OrderRow, ticks: Quantity, size: Quantity, remaining: Quantity): void {
    const { orders } = this;
    const handle = orders.allocate(row);
    const market = this.markets[row.market - 1]!;
    const { columns } = market.book;
    columns.ticks[handle] = ticks;
    columns.size[handle] = size;
    columns.remaining[handle] = remaining;
    this.link(handle);
    this.#touch(handle, market);
    this.journal.note(step.rested, handle, 0);
  }

  /** Takes an order that the trade of its last lots filled out of the book: the best one of its side. */
  removeFilled(handle: number): void {
    const market = this.marketOf(handle);
    this.#removeOrder(handle, market, this.accounts[this.orders.owner[handle]!]!, market.book.zero, 'filled');
  }

  #removeOrder(handle: number, market: Market, owner: Account, left: Quantity, end: OrderEnd): void {
    const { orders } = this;
    const { book } = market;
    this.memory.note(restedOrder(orders, market, handle, { owner, left, end }));
    this.#touch(handle, market);
    this.unlink(handle, book, owner, end === 'filled');
    orders.release(handle);
    this.journal.note(step.removed, handle, 0);
  }

  /** Takes filled lots off an order that keeps some. */
  fillOrder(handle: number, lots: Quantity): void {
    const market = this.marketOf(handle);
    this.#touch(handle, market);
    this.adjust(handle, negated(lots));
    if (typeof lots === 'number') this.journal.note(step.filled, handle, lots);
    else this.#undoFill(handle, lots);
  }

  /** A resting order came, or is about to change or to leave. */
  #touch(handle: number, market: Market): void {
    const { orders, levels } = this;
    const { ticks, remaining } = market.book.columns;
    orders.touch(handle, remaining[handle]!);
    this.dirtyMarkets.add(market);
    if (levels !== null) levels.note(market, orders.side[handle] as SideIndex, ticks[handle]!);
  }

  #undoFill(handle: number, lots: bigint): void {
    this.journal.push(() => this.adjust(handle, lots));
  }

  /** Adds to what remains of an order. Not in the journal, as with {@link link}. */
  adjust(handle: number, by: Quantity): void {
    const book = this.bookOf(handle);
    book.adjust(handle, by);
    this.#count(handle, book, this.accounts[this.orders.owner[handle]!]!, by);
  }

  /** Takes back a step that is numbers. */
  #undo(code: number, handle: number, amount: number): void {
    if (code === step.accountSaved) return this.#saved.restoreAccount();
    if (code === step.exposureSaved) return this.#saved.restoreExposure();
    if (code === step.filled) return this.adjust(handle, amount);
    const book = this.bookOf(handle);
    const account = this.accounts[this.orders.owner[handle]!]!;
    if (code === step.rested) {
      this.unlink(handle, book, account);
      return this.orders.discard(handle);
    }
    this.orders.unrelease();
    book.reinsert(handle);
    this.#relinkNeighbours(handle, account);
    this.#register(handle, book, account);
  }

  /** Takes an order out of the book and says why. */
  cancelOrder(handle: number, reason: CancelReason): void {
    const { orders } = this;
    const market = this.marketOf(handle);
    const [id, left] = [orders.id[handle]!, market.book.columns.remaining[handle]!];
    const owner = this.accounts[orders.owner[handle]!]!;
    noteGone(this, handle, left);
    this.#removeOrder(handle, market, owner, left, reason);
    if (typeof left === 'number' && this.contract === null)
      this.log.cancelled(this.actionIndex, id, market, owner, left, reason);
    else {
      const remaining = BigInt(left) * market.lotSize;
      this.emit('order_cancelled', { order_id: id, market_id: market.id, owner: owner.address, remaining, reason });
    }
  }

  bookOf(handle: number): AnyBook {
    return this.marketOf(handle).book;
  }

  marketOf(handle: number): Market {
    return this.markets[this.orders.market[handle]! - 1]!;
  }

  /** Base units. */
  remainingOf(handle: number): bigint {
    const market = this.marketOf(handle);
    return BigInt(market.book.columns.remaining[handle]!) * market.lotSize;
  }

  isExpired(handle: number): boolean {
    const expiresAt = this.orders.expiresAt[handle]!;
    return expiresAt !== 0 && expiresAt < this.timeSeconds;
  }

  /** Ids of the orders whose records the open block changed, ascending. */
  changedOrders(): Float64Array {
    return this.orders.changedIds(this.height, (handle) => this.bookOf(handle).columns.remaining[handle]!);
  }

  /** Links a row as the newest of its level and owner. Not in the journal: for {@link rest} and for restoring. */
  link(handle: number): void {
    const { orders } = this;
    const book = this.bookOf(handle);
    const account = this.accounts[orders.owner[handle]!]!;
    orders.setExposure(handle, this.exposure(account, orders.market[handle]!));
    book.append(handle);
    // The newest of its owner, unless shards tell of older ones later.
    let previous = account.lastOrder;
    while (previous !== noOrder && orders.id[previous]! > orders.id[handle]!)
      previous = orders.ownerPrevious[previous]!;
    orders.ownerPrevious[handle] = previous;
    orders.ownerNext[handle] = previous === noOrder ? account.firstOrder : orders.ownerNext[previous]!;
    this.#relinkNeighbours(handle, account);
    this.#register(handle, book, account);
  }

  /** Reverses {@link link}. @param isBest it is the best one of its side */
  unlink(handle: number, book: AnyBook, account: Account, isBest = false): void {
    const { orders } = this;
    const { ownerNext, ownerPrevious } = orders;
    const previous = ownerPrevious[handle]!;
    const next = ownerNext[handle]!;
    if (isBest) book.removeBest(handle);
    else book.remove(handle);
    if (previous === noOrder) account.firstOrder = next;
    else ownerNext[previous] = next;
    if (next === noOrder) account.lastOrder = previous;
    else ownerPrevious[next] = previous;
    const id = orders.id[handle]!;
    const clientId = orders.clientId(handle);
    const expiresAt = orders.expiresAt[handle]!;
    account.openOrders--;
    orders.byId.delete(id);
    if (clientId !== null) account.clientIds.delete(clientId);
    if (expiresAt !== 0) this.expiries.remove(expiryKey(expiresAt, id));
    this.#count(handle, book, account, negated(book.columns.remaining[handle]!));
  }

  /** Puts a removed order back between the neighbours that its row still names. */
  #relinkNeighbours(handle: number, account: Account): void {
    const { ownerNext, ownerPrevious } = this.orders;
    const previous = ownerPrevious[handle]!;
    const next = ownerNext[handle]!;
    if (previous === noOrder) account.firstOrder = handle;
    else ownerNext[previous] = handle;
    if (next === noOrder) account.lastOrder = handle;
    else ownerPrevious[next] = handle;
  }

  /** Enters an order into the indexes and sums. */
  #register(handle: number, book: AnyBook, account: Account): void {
    const { orders } = this;
    const id = orders.id[handle]!;
    const clientId = orders.clientId(handle);
    const expiresAt = orders.expiresAt[handle]!;
    account.openOrders++;
    orders.byId.set(id, handle);
    if (clientId !== null) account.clientIds.set(clientId, handle);
    if (expiresAt !== 0) this.expiries.insert(expiryKey(expiresAt, id), handle);
    this.#count(handle, book, account, book.columns.remaining[handle]!);
  }

  /** Adds lots of an order to its owner's sums of open orders. */
  #count(handle: number, book: AnyBook, account: Account, lots: Quantity): void {
    const { orders } = this;
    const exposure = orders.exposure(handle);
    noteChanged(account, exposure);
    exposure.count(orders.side[handle] === buySide, lots, book.columns.ticks[handle]!);
  }
}

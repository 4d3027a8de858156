import {
  type AgentRecord,
  type ClobParams,
  type ContractOrigin,
  type DomainEvent,
  type EventKind,
  eventTable,
  type NonceRecord,
  type ProposalRecord,
  type ReporterRecord,
} from '@prime/codec';
import { type Address, assert, type Hash } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { BlockLog } from '../records/blockLog.ts';
import type { AnyBook } from '../book/book.ts';
import { type FirstRoom, usualRoom, WithFirstRoom } from '../book/firstRoom.ts';
import { createGlobals, type Globals } from './globals.ts';
import { Holders } from './holders.ts';
import { Journal, type StateMark } from './journal.ts';
import {
  fundingIndexOf,
  isPriceFit,
  type MarginMarket,
  marginPrice,
  type MarginRates,
  type Market,
} from './markets.ts';
import { MissedCancels } from './missedCancels.ts';
import { OrderMemory } from '../records/orderMemory.ts';
import { OrderPool } from '../book/orderPool.ts';
import type { EvmCredit, OracleSet } from '../ports.ts';
import { RefusedOrders } from '../records/refusedOrders.ts';
import { SavedValues } from './saves.ts';
import { Schedules } from './schedules.ts';
import type { Settlement } from '../governance/settlements.ts';
import type { Sharing } from './sharing.ts';
import { SortedIndex } from '../book/sortedIndex.ts';
import { Touched } from './touched.ts';
import { TouchedLevels } from './touchedLevels.ts';
import { TransferQueues } from './transferQueues.ts';
import { Triggers } from '../triggers/triggers.ts';

/**
 * Everything that the order book domain knows. It holds and answers; what changes it is in changes.ts and openOrders.ts, each change with its undo.
 *
 * Every change is in the journal, and notes which record it makes dirty. What the records do not hold (links, sums, indexes)
 * is derived from them and could be rebuilt at any moment.
 */
export class ClobState extends WithFirstRoom {
  /** As changes left them; replaced, never written to. */
  params: ClobParams;
  /** Those of the last commit: what differs is to be written. */
  storedParams: ClobParams;
  /** Whether room.ts knows all that decides about orders of this network. */
  hasRooms: boolean;
  readonly journal = new Journal(this.firstRoom);
  readonly orders = new OrderPool(this.firstRoom);
  /** By market id, from 1. */
  readonly markets: Market[] = [];
  readonly accounts: Account[] = [];
  readonly accountOf = new Map<Address, Account>();
  readonly gatewayNonces = new Map<Address, NonceRecord>();
  /** Ascending. */
  readonly signerNonces = new Map<Address, number[]>();
  /** By account, then agent. */
  readonly agents = new Map<Address, Map<Address, AgentRecord>>();
  /** How many each owner has. */
  readonly subAccounts = new Map<Address, number>();
  readonly globals: Globals;
  /** Keyed so that the order that expires first is last. */
  readonly expiries = new SortedIndex<bigint>();
  readonly transfers = new TransferQueues(this.journal);
  readonly memory: OrderMemory;
  readonly refused: RefusedOrders;
  readonly missed = new MissedCancels();
  readonly schedules = new Schedules();
  readonly triggers = new Triggers();
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

  /** What each validator reported, by its owner. */
  readonly reporters = new Map<Address, ReporterRecord>();
  readonly dirtyReporters = new Set<Address>();
  /** Changes that are voted on, or wait for their height. */
  readonly proposals = new Map<Hash, ProposalRecord>();
  readonly dirtyProposals = new Set<Hash>();
  /** Of the markets that are being settled. */
  readonly settlements = new Map<Market, Settlement>();

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
  /** Of the open block, or of the latest one; null where no prices come from outside. */
  oracle: OracleSet | null = null;
  /** The contract's write under execution. */
  contract: ContractOrigin | null = null;
  /** Of the open block, or of the latest one. */
  readonly log = new BlockLog(this, this.firstRoom(64));
  readonly credits: EvmCredit[] = [];
  readonly saved = new SavedValues();
  /** What a pool of shards has to know and to decide; null where there is none. */
  sharing: Sharing | null = null;

  constructor(params: ClobParams, hasRooms: boolean, firstRoom: FirstRoom = usualRoom) {
    super(firstRoom);
    this.params = params;
    this.storedParams = params;
    this.hasRooms = hasRooms;
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
    this.saved.clear();
  }

  emit(kind: EventKind, data: DomainEvent['data']): void {
    const { domain } = eventTable[kind];
    const { actionIndex, contract } = this;
    this.log.emit({ domain, kind, actionIndex, ...(contract === null ? {} : { contract }), data });
  }

  market(id: number): Market | undefined {
    return this.markets[id - 1];
  }

  readonly marginMarket = (id: number): MarginMarket => {
    const market = this.market(id);
    assert(market !== undefined, `an account has an exposure in unknown market ${id}`);
    return {
      price: marginPrice(market),
      params: this.marginParams(market),
      fundingIndex: fundingIndexOf(market),
      liquidates: isPriceFit(market, this.params.mark.minTrades),
      profitPool: market.profitPool,
    };
  };

  marginParams(market: Market): MarginRates {
    const params = market.margin ?? this.globals.defaultMargin;
    return market.riskTiers === undefined ? params : { ...params, riskTiers: market.riskTiers };
  }

  agent(account: Address, agent: Address): AgentRecord | null {
    return this.agents.get(account)?.get(agent) ?? null;
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
}

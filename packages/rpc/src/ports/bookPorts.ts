import type {
  AgentRecord,
  TradedValues,
  ClosedOrder,
  FeeParams,
  MarketDecimals,
  MarketFunding,
  MarketLimits,
  MarketOracle,
  MarketStatus,
  OrderFields,
  OrderKey,
  OrdersProof,
  RiskTier,
  SubAccount,
  TradeValue,
  TriggerFields,
} from '@prime/codec';
import type { Address, Height, MarketId, OrderId, TimestampMs } from '@prime/primitives';

/** Proves records of the order book under the orders root, which stands in the state as slot 0 of its contract. */
export interface OrdersProver {
  /** Proof of a record, or of its absence, at the newest executed block. @param key as recordKeys.ts makes it */
  prove(key: Uint8Array): Promise<OrdersProof>;
}

/** All that rests at one price of a side. Size is in base units. */
export interface PriceLevel {
  /** Wei per size unit. */
  readonly price: bigint;
  readonly size: bigint;
}

/** Aggregated levels, both sides ascending by price. */
export interface OrderBook {
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

/** What an order has to fit: price in steps of `tickSize`, wei per base unit, size in steps of `lotSize`, base units. */
export interface Market extends MarketDecimals {
  readonly marketId: MarketId;
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
}

/** An order that rests in the book; price in wei per base unit, sizes in base units. */
export interface OpenOrder
  extends Pick<OrderFields, 'marketId' | 'side' | 'price' | 'size' | 'tif' | 'clientId' | 'expiresAt'> {
  readonly orderId: OrderId;
  readonly owner: Address;
  readonly remaining: bigint;
  readonly reduceOnly: boolean;
  readonly createdHeight: Height;
  /** What it waits for, and then its price is the limit of its order, 0 for none; absent for one that rests in the book. */
  readonly trigger?: WaitingTrigger;
}

/** What an order waits for. */
export interface WaitingTrigger extends Pick<TriggerFields, 'kind' | 'triggerPrice' | 'position' | 'group'> {
  /** Its condition held, and it fires when its turn comes. */
  readonly isQueued: boolean;
  /** The order whose fills it closes; null for a trigger that stands for itself. */
  readonly parentOrderId: OrderId | null;
  /** That order filled nothing yet. */
  readonly isAsleep: boolean;
}

/** A market with what is known about its prices, and the margin that applies in it. */
export interface MarketInfo extends Market {
  readonly status: MarketStatus;
  readonly lastPrice: bigint | null;
  /** Of the block to come. */
  readonly markPrice: bigint | null;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
  /** Absent: trades are free. */
  readonly fees?: FeeParams;
  /** Absent: margin does not depend on size. */
  readonly riskTiers?: readonly RiskTier[];
  /** Absent: orders have no bounds. */
  readonly limits?: MarketLimits;
  /** Absent: none, or not yet. */
  readonly funding?: MarketFunding;
  /** Absent: no price comes from outside. */
  readonly oracle?: MarketOracle;
}

/** An account that owes more than it has, by the markets whose price is fit to liquidate; wei. */
export interface InsolventAccount {
  readonly address: Address;
  readonly equity: bigint;
  readonly collateral: bigint;
}

/** What a market owes because nobody paid a loss, and what it has to pay profits with; wei. */
export interface MarketDebt {
  readonly marketId: MarketId;
  readonly debt: bigint;
  readonly profitPool: bigint;
}

/** A position as its owner sees it, at prices of the block to come. */
export interface PositionInfo {
  readonly marketId: MarketId;
  /** Base units, negative is short. */
  readonly size: bigint;
  /** Notional at which it was opened, wei. */
  readonly entry: bigint;
  /** What closing it at the margin price would realize, wei; null without a price. */
  readonly unrealized: bigint | null;
  /** What it gets (negative: pays) when it settles; absent on networks without funding. */
  readonly funding?: bigint;
}

/** An account of the order book at the head, at the mark prices of the block to come; amounts in wei. */
export interface MarginAccount {
  readonly address: Address;
  readonly collateral: bigint;
  readonly equity: bigint;
  readonly initialMargin: bigint;
  readonly maintenanceMargin: bigint;
  /** Equity less margin and losses of open orders. */
  readonly freeCollateral: bigint;
  readonly withdrawable: bigint;
  readonly isLiquidatable: boolean;
  /** Unsigned actions are not accepted any more. */
  readonly isLocked: boolean;
  /** By market id. */
  readonly positions: readonly PositionInfo[];
  readonly openOrders: number;
  /** Whose it is; absent for an account with a key of its own. */
  readonly subAccount?: SubAccount;
  /** Block time at which its orders end, ms; absent where none is set. */
  readonly scheduledCancelMs?: number;
  /** Of all positions, in the equity and not in the collateral; absent on networks without funding. */
  readonly unsettledFunding?: bigint;
}

/** An order that is gone. */
export interface ClosedOrderInfo extends ClosedOrder {
  readonly closedHeight: Height;
}

/** Where an order stands while it rests, or how it ended. */
export type OrderInfo =
  | { readonly isOpen: true; readonly order: OpenOrder }
  | { readonly isOpen: false; readonly order: ClosedOrderInfo };

/** Trades of the last 24 hours. */
export interface DayStatistics {
  /** Where they begin, ms. */
  readonly sinceMs: number;
  /** null where there are none. */
  readonly traded: TradedValues | null;
}

/** A market with what traders look at first. */
export interface Ticker {
  readonly market: MarketInfo;
  readonly bestBid: PriceLevel | null;
  readonly bestAsk: PriceLevel | null;
  readonly day: DayStatistics;
  /** Base units that longs hold, and shorts owe. */
  readonly openInterest: bigint;
  /** Absent where the market has none. The rate is in 10^-9 wei for one base unit. */
  readonly funding?: { readonly rate: bigint; readonly nextMs: number };
}

/** A trade and its block. */
export interface MarketTrade extends TradeValue {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
}

/** The middle between best bid and best ask, wei rounded down; null while a side is empty. */
export interface MarketMid {
  readonly marketId: MarketId;
  readonly mid: bigint | null;
}

/** A key that may sign for an account, or might once. */
export type AgentInfo = Omit<AgentRecord, 'account'>;

/** A sub-account, and which one of its owner's it is. */
export interface SubAccountInfo extends Omit<SubAccount, 'owner'> {
  readonly address: Address;
}

/** The order book at the newest executed block, as clients read it. */
export interface OrderBooks {
  market(id: MarketId): Promise<Market | null>;
  /** By id. */
  allMarkets(): Promise<readonly MarketInfo[]>;
  /** By id: all, or the one with the id; none where that does not exist. */
  tickers(id: MarketId | null): Promise<readonly Ticker[]>;
  /** Of all markets, by id. */
  mids(): Promise<readonly MarketMid[]>;
  /** Zeros for an account that has nothing. */
  account(address: Address): Promise<MarginAccount>;
  /** Who alone may change parameters and add markets, as it is now; null where anyone may add markets. */
  admin(): Promise<Address | null>;
  /** Live and revoked ones, by address. */
  agents(account: Address): Promise<readonly AgentInfo[]>;
  /** Those that the owner made, by index. */
  subAccounts(owner: Address): Promise<readonly SubAccountInfo[]>;
  /** Least equity first. */
  insolvent(limit: number): Promise<readonly InsolventAccount[]>;
  /** Of markets that have something of it, by id. */
  marketDebts(): Promise<readonly MarketDebt[]>;
  /** A live order, or one whose end the order book itself remembers. */
  order(key: OrderKey): Promise<OrderInfo | null>;
  /** Id of the next order that comes: those from here on never were. */
  nextOrderId(): Promise<OrderId>;
  /** Newest first, as far as they are kept. */
  trades(id: MarketId, limit: number): Promise<readonly MarketTrade[]>;
  /** null when the market does not exist. */
  orderBook(id: MarketId): Promise<OrderBook | null>;
  /** By order id. */
  openOrders(owner: Address): Promise<readonly OpenOrder[]>;
  /** Owner of an open order. */
  orderOwner(id: OrderId): Promise<Address | null>;
}

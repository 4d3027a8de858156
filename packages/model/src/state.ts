import type {
  ActionPayload,
  ClobParams,
  ContractAction,
  GenesisMarket,
  Change,
  MarketLimits,
  MarketStatus,
  OrderFields,
  RiskTier,
  SignatureKind,
  TriggerFields,
  TradeValue,
} from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { Undo } from './undo.ts';

/** What the model of the order book knows, in plain objects. Only {@link Undo} writes to them. */
export interface ModelOrder {
  readonly id: number;
  readonly market: number;
  readonly owner: Address;
  readonly buy: boolean;
  readonly price: bigint;
  readonly size: bigint;
  readonly remaining: bigint;
  readonly fields: OrderFields;
}
/** What a client id of an order that traded is kept under. */
export const keptOf = ({ owner, fields: { clientId } }: ModelOrder): string | null =>
  clientId === null ? null : owner + clientId;
/** An order on its way. */
export interface ModelTaker {
  readonly id: number;
  readonly owner: Address;
  readonly fields: OrderFields;
  left: bigint;
  decremented: bigint;
  stopped: boolean;
  exhausted: boolean;
  /** Only reduces, and is judged by its fills; one of them was too much. */
  readonly isJudged: boolean;
  poor: boolean;
  traded: bigint;
  /** Of a reduce-only order, what the position has no need of. */
  readonly cut: bigint;
  readonly trades: TradeValue[];
}
interface ModelPosition {
  readonly size: bigint;
  readonly entry: bigint;
  /** Funding that it gets, exactly, in units of 10^-9 wei. */
  readonly owed: bigint;
}
/** `collateral` in wei, and negative after losses beyond it; positions by market id. */
export interface ModelAccount {
  readonly collateral: bigint;
  readonly positions: Readonly<Record<number, ModelPosition>>;
  /** What it won (positive) in each market that nobody paid yet, or lost that it did not pay yet; part of the collateral. */
  readonly claims: Readonly<Record<number, bigint>>;
}
/** How an order ended, and in which block. */
interface ModelEnd {
  readonly filled: boolean;
  readonly height: number;
  /** Owner and client id that no other order may have meanwhile. */
  readonly kept: string | null;
}
/** What a market knows of the world outside. */
export interface ModelIndex {
  readonly index: bigint | null;
  readonly premium: bigint;
  readonly staleSince: number | null;
  readonly resumesAt: number;
  readonly told: bigint;
  readonly toldAt: number;
}

/** A market before the first price. */
const noIndex: ModelIndex = { index: null, premium: 0n, staleSince: 0, resumesAt: 0, told: 0n, toldAt: 0 };

/** An order that waits for the mark. */
export interface ModelTrigger {
  readonly id: number;
  readonly owner: Address;
  readonly fields: TriggerFields;
  /** Block at whose end its condition held first; null while it did not. */
  readonly since: number | null;
  /** How far the mark was beyond it then. */
  readonly passed: bigint;
  /** The order of its bracket, also when that has ended; 0 for none. */
  readonly parent: number;
}

/** What a market holds besides its orders; its id is its place, from 1. */
export interface ModelMarket {
  readonly status: MarketStatus;
  readonly tick: bigint;
  readonly lot: bigint;
  readonly last: bigint | null;
  readonly mark: bigint | null;
  readonly im: number | null;
  readonly mm: number | null;
  readonly tiers: readonly RiskTier[];
  readonly limits: MarketLimits;
  /** Of this interval: mark times ms, and ms. */
  readonly weighted: bigint;
  readonly weight: bigint;
  /** In units of 10^-9 wei. */
  readonly reference: bigint | null;
  readonly paid: bigint;
  readonly tradeBlocks: number;
  readonly tradedAt: number;
  /** Null where no price comes from outside. */
  readonly oracle: ModelIndex | null;
  /** Of this interval: index times ms, and premium times ms. */
  readonly indexMs: bigint;
  readonly premiumMs: bigint;
  /** Losses that were paid and are there for who won. */
  readonly pool: bigint;
  /** Losses that nobody paid. */
  readonly debt: bigint;
}
/** A change that is voted on, or waits for its height. */
export interface ModelProposal {
  readonly proposer: string;
  readonly change: Change;
  readonly activation: number;
  readonly expiry: number;
  readonly passed: boolean;
  /** By validator. */
  readonly votes: Readonly<Record<string, boolean>>;
}
/** Wei on the way from one domain to the other; a later block delivers it. Ids count both directions together. */
export interface ModelTransfer {
  readonly id: number;
  readonly direction: 'orders_to_evm' | 'evm_to_orders';
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}
/** All that the model knows. Amounts are in wei where nothing else is said, `im` and `mm` in basis points. */
export interface ModelState {
  /** In force. */
  readonly params: ClobParams;
  /** By hash. */
  readonly proposals: Readonly<Record<string, ModelProposal>>;
  /** By id; in no order. */
  readonly orders: ReadonlyMap<number, ModelOrder>;
  /** By id; in no order. */
  readonly triggers: ReadonlyMap<number, ModelTrigger>;
  readonly accounts: Readonly<Record<string, ModelAccount>>;
  readonly markets: readonly ModelMarket[];
  readonly nextOrder: number;
  readonly nextTrade: number;
  readonly nextTransfer: number;
  readonly im: number;
  readonly mm: number;
  readonly insurance: bigint;
  /** Funding that some paid and others did not get yet; and what rounding left, in units of 10^-9 wei. */
  readonly pool: bigint;
  readonly dust: bigint;
  readonly interval: number;
  readonly timeMs: number;
  /** Both directions, oldest first. */
  readonly transfers: readonly ModelTransfer[];
  /** EVM side: what is at 0x…0100, and what was paid to whom. */
  readonly escrow: bigint;
  readonly paid: Readonly<Record<string, bigint>>;
  /** Of orders that are remembered, by id. */
  readonly ends: ReadonlyMap<number, ModelEnd>;
  /** Accounts that unsigned actions do not count for. */
  readonly locked: readonly string[];
  /** By account and agent. */
  readonly agents: Readonly<
    Record<string, { readonly expiry: number; readonly permissions: number; readonly revoked: boolean }>
  >;
  /** Owner and number of sub-accounts, by address. */
  readonly subAccounts: Readonly<Record<string, { readonly owner: Address; readonly index: number }>>;
  /** When the orders of accounts end, ms. */
  readonly schedules: Readonly<Record<string, number>>;
  /** The highest 64 of each signer. */
  readonly nonces: Readonly<Record<string, readonly number[]>>;
  /** The same of each gateway that numbers its actions: the highest 4096. */
  readonly gateways: Readonly<Record<string, readonly number[]>>;
  /** By validator: when its last report was made, and its newest price of each market. */
  readonly reports: Readonly<
    Record<
      string,
      {
        readonly last: number;
        readonly prices: Readonly<Record<number, { readonly price: bigint; readonly at: number }>>;
      }
    >
  >;
  /** By validator: minutes of its latest day with a block, and those with a report that was taken. */
  readonly attendance: Readonly<Record<string, { readonly seen: readonly number[]; readonly told: readonly number[] }>>;
  /** Of the markets, by id. */
  readonly symbols: readonly string[];
}

/** What each part of the rules sees of the model. */
export interface RulesHost {
  readonly state: ModelState;
  readonly undo: Undo;
  readonly events: string[];
  readonly params: ClobParams;
  account(address: string): ModelAccount;
}

/** One action as a block carries it: whom it is for, what it does, who signed. */
export interface ModelAction {
  readonly account: Address;
  readonly payload: ActionPayload;
  readonly funded?: boolean;
  /** Unsigned where it is absent. */
  readonly signatureKind?: SignatureKind;
  /** The account itself where it is absent. */
  readonly signer?: Address;
  readonly nonce?: number;
  /** Block time, ms, after which it is refused; 0 or absent: never. */
  readonly expiresAt?: number;
  /** The signer holds nothing outside of the order book. */
  readonly outsider?: boolean;
}

type Grid = Omit<GenesisMarket, 'symbol'>;

const unlimited: MarketLimits = { openInterestMax: 0n, positionMax: 0n, priceBandBps: 0, orderNotionalMax: 0n };

/** A market without orders and trades. */
const emptyMarket = (params: ClobParams, grid: Grid): ModelMarket => ({
  status: 'trading',
  tiers: grid.riskTiers ?? params.riskTiers ?? [],
  limits: grid.limits ?? params.limits ?? unlimited,
  weighted: 0n,
  weight: 0n,
  reference: null,
  paid: 0n,
  tick: grid.tickSize,
  lot: grid.lotSize,
  last: null,
  mark: null,
  im: null,
  mm: null,
  tradeBlocks: 0,
  tradedAt: 0,
  oracle: grid.oracle === true ? noIndex : null,
  indexMs: 0n,
  premiumMs: 0n,
  pool: 0n,
  debt: 0n,
});

const cancels = ['cancel', 'cancelByClientId', 'cancelAll'];

/** Whether an action belongs to the first part of a block. */
export const isFirst = (payload: ModelAction['payload'] | ContractAction['payload']): boolean =>
  payload.type === 'batch'
    ? payload.items.length > 0 && payload.items.every(({ type }) => cancels.includes(type))
    : [
        'deposit',
        'setMargin',
        'change',
        'propose',
        'vote',
        'revokeAgent',
        'scheduleCancel',
        'oracleReport',
        ...cancels,
      ].includes(payload.type);

/** The state at genesis: no orders, no accounts, ids from 1. */
export const emptyState = (params: ClobParams, markets: readonly GenesisMarket[]): ModelState => ({
  params,
  proposals: {},
  orders: new Map(),
  triggers: new Map(),
  accounts: {},
  markets: markets.map((market) => emptyMarket(params, market)),
  symbols: markets.map(({ symbol }) => symbol),
  nextOrder: 1,
  nextTrade: 1,
  nextTransfer: 1,
  im: params.initialMarginBps,
  mm: params.maintenanceMarginBps,
  insurance: 0n,
  pool: 0n,
  dust: 0n,
  interval: 0,
  timeMs: 0,
  transfers: [],
  escrow: 0n,
  paid: {},
  ends: new Map(),
  locked: [],
  agents: {},
  subAccounts: {},
  schedules: {},
  nonces: {},
  gateways: {},
  reports: {},
  attendance: {},
});

/** Kept apart from `bigintAbs`, so that the model shares no arithmetic with what it judges. */
export const abs = (value: bigint): bigint => (value < 0n ? -value : value);
/** The lesser of two; see {@link abs} for why it is here. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
/** The greater of two; see {@link abs} for why it is here. */
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

type Rate = 'initialMarginBps' | 'maintenanceMarginBps';

/** Margin of a size in a market, each part of it at the rate of the bracket that it falls into. */
export function margin(state: ModelState, market: number, kind: Rate, size: bigint, price: bigint): bigint {
  const { im, mm, tiers } = state.markets[market - 1]!;
  const base = kind === 'initialMarginBps' ? (im ?? state.im) : (mm ?? state.mm);
  const notional = abs(size) * price;
  const bounds = [
    0n,
    ...tiers.map(({ aboveNotional }) => aboveNotional),
    max(notional, tiers.at(-1)?.aboveNotional ?? 0n),
  ];
  const rates = [base, ...tiers.map((tier) => Math.max(base, tier[kind]))];
  const share = rates.reduce((sum, rate, bracket) => {
    const part = min(notional, bounds[bracket + 1]!) - bounds[bracket]!;
    return sum + max(0n, part) * BigInt(rate);
  }, 0n);
  return ceil(share, 10_000n);
}

/** What the network and each market have. */
type Margins = Pick<ModelMarket, 'im' | 'mm'>;

/** Sets margin of a market, or of all that have none of their own. */
export function setMargin(
  undo: Undo,
  state: ModelState,
  { marketId, initialMarginBps, maintenanceMarginBps }: Extract<ActionPayload, { type: 'setMargin' }>,
): unknown {
  const target: Margins = marketId === null ? state : state.markets[marketId - 1]!;
  undo.set(target, 'im', initialMarginBps);
  undo.set(target, 'mm', maintenanceMarginBps);
  return { type: 'setMargin' };
}

/** Profit of a position at a price. */
export const profitOf = ({ size, entry }: { size: bigint; entry: bigint }, price: bigint): bigint =>
  size > 0n ? size * price - entry : entry + size * price;

/** Orders that something holds for. */
export function ordersThat({ orders }: ModelState, holds: (order: ModelOrder) => boolean): ModelOrder[] {
  const found: ModelOrder[] = [];
  for (const order of orders.values()) if (holds(order)) found.push(order);
  return found;
}

/** Below 0 where the first of two orders of a side is matched before the second. */
const priority = (a: ModelOrder, b: ModelOrder): number =>
  a.price === b.price ? a.id - b.id : a.price > b.price === a.buy ? -1 : 1;

/** Orders of a side in the order in which they are matched. */
export const sideOf = (state: ModelState, market: number, buy: boolean): ModelOrder[] =>
  ordersThat(state, (order) => order.market === market && order.buy === buy).sort(priority);

/** The first one of {@link sideOf}. */
export function bestOf(state: ModelState, market: number, buy: boolean): ModelOrder | undefined {
  let best: ModelOrder | undefined;
  for (const order of state.orders.values())
    if (order.market === market && order.buy === buy && (best === undefined || priority(order, best) < 0)) best = order;
  return best;
}

/** Quotient rounded down, and up, for any signs. */
export const floor = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;
/** Quotient rounded up, for any signs. @throws RangeError when b is 0 */
export const ceil = (a: bigint, b: bigint): bigint => -floor(-a, b);

/** A market that was not there before. */
export function addMarket(undo: Undo, state: ModelState, params: ClobParams, market: GenesisMarket): unknown {
  const symbols = state.symbols.map((symbol) => symbol.toUpperCase());
  if (symbols.includes(market.symbol.toUpperCase())) return 'CLOB_MARKET_EXISTS';
  undo.set(state, 'symbols', [...state.symbols, market.symbol]);
  undo.set(state, 'markets', [...state.markets, emptyMarket(params, market)]);
  return { type: 'addMarket' };
}

/** Why there is nothing to cancel. */
export function endOf({ ends }: ModelState, id: number): string {
  const end = ends.get(id);
  if (end === undefined) return 'CLOB_UNKNOWN_ORDER';
  return end.filled ? 'CLOB_ORDER_FILLED' : 'CLOB_ORDER_CANCELLED';
}

/** Ends of orders are known for so many blocks. */
export function forgetEnds(undo: Undo, { ends }: ModelState, before: number): void {
  for (const [id, { height }] of ends) if (height < before) undo.drop(ends, id);
}

import type { MarketStatus } from '../types/market.ts';
import type { OrderEndReason, TriggerKind } from '../types/order.ts';
import type { BlockPosition } from './types.ts';
import type { Address, Hash, Hex, Price, SelfTradeMode, Side, Size, TimeInForce, Wei } from '../types/primitives.ts';

interface Transfer {
  readonly transferId: number;
  readonly direction: 'orders_to_evm' | 'evm_to_orders';
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}
interface ValidatorChange {
  readonly validator: Address;
  readonly stake: Wei;
  readonly power: bigint;
}
interface ChangeTold {
  /** Null: of all markets. */
  readonly marketId: number | null;
  readonly parameter: string;
  /** JSON text, as in genesis.json. */
  readonly newValue: string;
}
interface Amount {
  readonly address: Address;
  readonly amount: Wei;
}
interface CollateralChange extends Amount {
  /** Afterwards. */
  readonly collateral: Wei;
}

/** What each kind of event tells; docs/protocol/streams.md and clob.md say when it happens. */
export interface DomainEventData {
  readonly market_added: {
    readonly marketId: number;
    readonly symbol: string;
    readonly tickSize: Price;
    readonly lotSize: Size;
  };
  readonly margin_params_set: {
    readonly marketId: number | null;
    readonly initialMarginBps: number;
    readonly maintenanceMarginBps: number;
  };
  readonly order_accepted: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly side: Side;
    readonly price: Price;
    readonly size: Size;
    readonly tif: TimeInForce;
    readonly clientId: Hex | null;
    readonly postOnly: boolean;
    readonly reduceOnly: boolean;
    readonly stp: SelfTradeMode;
    /** Last second in which it rests; 0 is never. */
    readonly expiresAt: number;
  };
  readonly trade: {
    readonly tradeId: number;
    readonly marketId: number;
    readonly price: Price;
    readonly size: Size;
    readonly makerOrderId: number;
    readonly takerOrderId: number;
    readonly maker: Address;
    readonly taker: Address;
    /** The taker's. */
    readonly side: Side;
    /** What the taker paid. */
    readonly fees: Wei;
  };
  readonly order_cancelled: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly remaining: Size;
    readonly reason: string;
  };
  readonly collateral_deposited: CollateralChange;
  readonly collateral_withdrawn: CollateralChange;
  readonly liquidation: {
    readonly address: Address;
    /** The taker's of its trades. */
    readonly orderId: number;
    readonly marketId: number;
    /** What the position was. */
    readonly size: Size;
    readonly fee: Wei;
    readonly insurancePaid: Wei;
  };
  readonly deleveraged: {
    readonly address: Address;
    readonly orderId: number;
    readonly counterparty: Address;
    readonly marketId: number;
    /** With the sign of the position in liquidation. */
    readonly size: Size;
    readonly value: Wei;
  };
  readonly bad_debt: Amount;
  readonly insurance_changed: { readonly amount: Wei; readonly balance: Wei };
  readonly action_rejected: {
    readonly account: Address;
    readonly hash: Hash | null;
    readonly ticket: number | null;
    readonly reason: string;
  };
  readonly agent_approved: {
    readonly account: Address;
    readonly agent: Address;
    /** Block time until which it may sign, ms; 0 is for ever. */
    readonly expiry: number;
    /** Bits: 1 trades, 2 cancels, 4 liquidates, 8 does so for sub-accounts, too. */
    readonly permissions: number;
    readonly name: string;
  };
  readonly agent_revoked: { readonly account: Address; readonly agent: Address };
  /** `atMs` is 0 where it was taken back. */
  readonly cancel_scheduled: { readonly account: Address; readonly atMs: number };
  readonly scheduled_cancel: { readonly account: Address; readonly atMs: number };
  /** `limitPrice` is 0 for a market order, `group` 0 for none. */
  readonly trigger_placed: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly side: Side;
    readonly trigger: TriggerKind;
    readonly triggerPrice: Price;
    readonly limitPrice: Price;
    readonly size: Size;
    readonly tif: TimeInForce;
    readonly reduceOnly: boolean;
    readonly position: boolean;
    readonly stp: SelfTradeMode;
    readonly clientId: Hex | null;
    readonly expiresAt: number;
    readonly group: number;
    /** The order that it is attached to; with size 0 it sleeps until that fills. */
    readonly parentOrderId: number | null;
  };
  /** The events of its order follow. */
  readonly trigger_fired: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly markPrice: Price;
    readonly placedOrderId: number;
  };
  /** `refusal` is the kind of the refusal of its order, where it fired and was `refused`. */
  readonly trigger_ended: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly reason: OrderEndReason;
    readonly refusal: string | null;
  };
  readonly trigger_changed: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly triggerPrice: Price;
    readonly size: Size;
    readonly parentOrderId: number | null;
  };
  readonly faucet_used: Amount;
  readonly collateral_transferred: { readonly from: Address; readonly to: Address; readonly amount: Wei };
  readonly trade_fees: {
    readonly tradeId: number;
    readonly marketId: number;
    readonly taker: Address;
    readonly takerFee: Wei;
    readonly maker: Address;
    /** Negative is a rebate. */
    readonly makerFee: Wei;
    readonly insurance: Wei;
    readonly treasury: Wei;
  };
  /** In 10^-9 wei for one base unit. */
  readonly funding_index: {
    readonly marketId: number;
    readonly index: bigint;
    readonly change: bigint;
    readonly average: bigint;
    readonly reference: bigint;
  };
  readonly funding_paid: {
    readonly address: Address;
    readonly marketId: number;
    readonly size: Size;
    readonly amount: Wei;
    readonly index: bigint;
    readonly insurance: Wei;
  };
  readonly order_reduced: {
    readonly orderId: number;
    readonly marketId: number;
    readonly owner: Address;
    readonly by: 'modify' | 'decrement' | 'reduce_only' | 'position';
    readonly amount: Size;
    readonly remaining: Size;
  };
  readonly debt_covered: Amount;
  readonly market_debt: {
    readonly marketId: number;
    readonly address: Address;
    readonly amount: Wei;
    readonly debt: Wei;
  };
  readonly debt_repaid: { readonly marketId: number; readonly amount: Wei; readonly debt: Wei };
  readonly liquidation_reward: { readonly address: Address; readonly liquidator: Address; readonly amount: Wei };
  /** A report of prices was not taken. */
  readonly oracle_refused: { readonly validator: Address; readonly hash: Hash; readonly reason: string };
  readonly index_set: { readonly marketId: number; readonly index: Price };
  /** The index of a market stays as it is: too few validators tell a fresh price. */
  readonly oracle_stale: { readonly marketId: number; readonly index: Price };
  /** The market takes post-only orders up to `untilMs`; 0: it trades at once. */
  readonly oracle_resumed: { readonly marketId: number; readonly median: Price; readonly untilMs: number };
  /** A validator reported prices in less than half of the `minutes` of a day in which it was active. */
  readonly oracle_missing: { readonly validator: Address; readonly reportedMinutes: number; readonly minutes: number };
  readonly sub_account_created: {
    readonly owner: Address;
    readonly address: Address;
    readonly subAccountIndex: number;
  };
  readonly parameter_changed: ChangeTold & { readonly proposal: Hash | null };
  readonly proposed: ChangeTold & {
    readonly proposal: Hash;
    readonly proposer: Address;
    readonly activationHeight: number;
    readonly expiryHeight: number;
  };
  readonly voted: {
    readonly proposal: Hash;
    readonly validator: Address;
    readonly yes: boolean;
    /** Of who says yes now, and of all. */
    readonly yesPower: bigint;
    readonly totalPower: bigint;
  };
  readonly proposal_passed: { readonly proposal: Hash; readonly activationHeight: number };
  /** `expired`, or the kind of a refusal. */
  readonly proposal_ended: { readonly proposal: Hash; readonly reason: string };
  readonly market_status_set: {
    readonly marketId: number;
    readonly status: MarketStatus;
    /** Null where the market goes on. */
    readonly settlementPrice: Price | null;
  };
  /** A part of a position was closed by the settlement of its market. */
  readonly position_settled: {
    readonly address: Address;
    readonly marketId: number;
    /** Negative is short. */
    readonly size: Size;
    readonly price: Price;
    readonly amount: Wei;
  };
  /**
   * A part of a position's unrealized loss was realized at the index, because profit in its market was unpaid. Equity, margin and position are
   * what they were.
   */
  readonly loss_settled: {
    readonly address: Address;
    readonly marketId: number;
    /** Negative is short. */
    readonly size: Size;
    /** The index. */
    readonly price: Price;
    /** What left the collateral. */
    readonly amount: Wei;
    /** What the position counts as opened for from then on, all of it. */
    readonly entry: Wei;
  };
  readonly transfer_queued: Transfer;
  readonly transfer_completed: Transfer;
  readonly transfer_failed: Transfer & { readonly reason: string };
  readonly joined: ValidatorChange;
  readonly left: ValidatorChange;
  readonly stake_changed: ValidatorChange;
  readonly slashed: ValidatorChange;
  readonly jailed: ValidatorChange;
  readonly unjailed: ValidatorChange;
  readonly signer_rotated: ValidatorChange & { readonly signer: Address };
}

/** Name of a kind of event; the type of its data follows from it. */
export type DomainEventKind = keyof DomainEventData;
/** Part of the chain that an event is of. */
export type EventDomain = 'orders' | 'bridge' | 'validators';

/** What happened in a block besides logs. `kind` decides the type of `data`. A newer node may send kinds that are not among these. */
export type DomainEventOf<kind extends DomainEventKind = DomainEventKind> = kind extends DomainEventKind
  ? BlockPosition & {
      /** Place in its block, from 0. */
      readonly index: number;
      readonly domain: EventDomain;
      readonly kind: kind;
      /** Action or transaction that caused it; null for what the block does by itself. */
      readonly transactionHash: Hash | null;
      /** Number of the contract's write that caused it; null for any other. */
      readonly ticket: number | null;
      readonly data: DomainEventData[kind];
    }
  : never;

/** Which events are wanted; without anything all of them. */
export interface DomainEventFilter {
  readonly domain?: EventDomain | undefined;
  readonly kind?: DomainEventKind | undefined;
  /** Accounts of which an event has to name one. */
  readonly address?: Address | readonly Address[] | undefined;
}

import type { Address, AgentPermission, Size, Wei } from './primitives.ts';

/** What an account holds in one market; profit follows the mark price. */
export interface Position {
  readonly marketId: number;
  /** Negative is short. */
  readonly size: Size;
  /** What it was opened for. */
  readonly entry: Wei;
  /** Profit at the mark price; null without one. */
  readonly unrealized: Wei | null;
  /** What it is owed and not paid yet; only on networks with funding. */
  readonly unsettledFunding?: Wei | undefined;
}

/** Margin account of the order book, at the mark prices of the block to come. */
export interface MarginAccount {
  readonly address: Address;
  /** Negative is a debt. */
  readonly collateral: Wei;
  /** Collateral and unrealized profit. */
  readonly equity: Wei;
  readonly initialMargin: Wei;
  readonly maintenanceMargin: Wei;
  readonly freeCollateral: Wei;
  readonly withdrawable: Wei;
  readonly liquidatable: boolean;
  /** Whether only signed actions count for it. */
  readonly locked: boolean;
  readonly positions: readonly Position[];
  readonly openOrders: number;
  /** Block time at which all its orders end, ms; null where none is set. */
  readonly scheduledCancelMs: number | null;
  /** Only on networks with funding. */
  readonly unsettledFunding?: Wei | undefined;
  /** Whose sub-account it is; only of one. */
  readonly subAccount?: { readonly owner: Address; readonly index: number } | undefined;
}

/** An account that an owner has beside its own. */
export interface SubAccount {
  readonly address: Address;
  /** Number among those of the owner. */
  readonly index: number;
}

/** An account that owes more than it has. */
export interface InsolventAccount {
  readonly address: Address;
  /** Below 0, by the markets whose price is fit to liquidate. */
  readonly equity: Wei;
  readonly collateral: Wei;
}

/** What is open between a market and who won or lost there. */
export interface MarketDebt {
  readonly marketId: number;
  /** Losses that nobody paid. */
  readonly debt: Wei;
  /** What it can pay of profits. */
  readonly profitPool: Wei;
}

/** A key that may sign for an account, or might once. */
export interface Agent {
  readonly agent: Address;
  readonly name: string;
  readonly permissions: readonly AgentPermission[];
  /** Block time until which it may sign, ms; 0 is for ever. */
  readonly validUntilMs: number;
  readonly status: 'live' | 'expired' | 'revoked';
}

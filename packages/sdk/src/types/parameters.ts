import type { MarketLimits, RiskTier } from './market.ts';
import type { Address, Hash, Price, Size } from './primitives.ts';

/** A parameter of genesis: amounts of wei are bigints, addresses text, everything else is as genesis has it. */
export type ParameterValue =
  | bigint
  | number
  | boolean
  | string
  | null
  | readonly ParameterValue[]
  | { readonly [name: string]: ParameterValue };

/** Parameters by the names that genesis has for them. */
export interface NamedParameters {
  readonly [name: string]: ParameterValue;
}

/** Name of a parameter that can be changed while a network runs. */
export type ParameterName =
  | 'status'
  | 'margin'
  | 'riskTiers'
  | 'limits'
  | 'fees'
  | 'funding'
  | 'mark'
  | 'oracle'
  | 'liquidationFeeBps'
  | 'insuranceSlippageBps'
  | 'autoLiquidatePerBlock'
  | 'minNotional'
  | 'maxOpenOrders'
  | 'orderChangesPerBlock'
  | 'subAccountsMax'
  | 'admin';

/** One parameter with its new value. */
export interface ParameterChange {
  readonly parameter: ParameterName;
  /** Without: of all markets. A state is always that of one market; margin, risk tiers and limits may be. */
  readonly market?: number | undefined;
  /** As in the `clob` section of genesis.json, amounts as decimal text; null switches off. That of a state is `{ status, price? }`. */
  readonly value: unknown;
}

/** A change that validators vote on. */
export interface ProposedChange {
  readonly change: ParameterChange;
  /** Height of the block that begins with it, at least 10 ahead. */
  readonly activationHeight: number;
  /** From it on no vote counts. */
  readonly expiryHeight: number;
}

/** A change that is voted on, or was decided and waits for its height. */
export interface ParameterProposal {
  /** Names it in votes. */
  readonly proposal: Hash;
  readonly proposer: Address;
  /** Null: of all markets. */
  readonly marketId: number | null;
  readonly parameter: string;
  /** Read from JSON, as in genesis.json. */
  readonly value: unknown;
  readonly activationHeight: number;
  readonly expiryHeight: number;
  readonly hasPassed: boolean;
  readonly votes: readonly { readonly validator: Address; readonly yes: boolean }[];
}

/** What holds in one market. */
export interface MarketParameters {
  readonly marketId: number;
  readonly symbol: string;
  readonly tickSize: Price;
  readonly lotSize: Size;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly status: string;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
  /** Absent: margin does not depend on size. */
  readonly riskTiers?: readonly RiskTier[];
  /** Absent: none. */
  readonly limits?: MarketLimits;
}

/** The parameters of a network that are in force after a block. */
export interface NetworkParameters {
  readonly blockNumber: bigint;
  readonly chainId: number;
  readonly consensus: NamedParameters;
  readonly evm: NamedParameters;
  /** Margin is that of markets without their own. */
  readonly clob: NamedParameters & { readonly initialMarginBps: number; readonly maintenanceMarginBps: number };
  /** By id. */
  readonly markets: readonly MarketParameters[];
}

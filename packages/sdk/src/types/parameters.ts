import type { RiskTier } from './market.ts';
import type { Price, Size } from './primitives.ts';

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

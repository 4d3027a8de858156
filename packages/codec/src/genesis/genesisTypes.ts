import type { Address, Hash, TimestampMs } from '@prime/primitives';
import type { MarketDecimals } from './marketDecimals.ts';
import type { Upgrade } from './protocolRules.ts';
import type { SelfTradeMode } from '../types.ts';

/** Everything that all validators of a network must hold in common before block 1. Its hash names the network. */
export interface Genesis {
  readonly formatVersion: 1;
  readonly chainId: number;
  readonly networkName: string;
  /** Allows the test-only switches of a process. */
  readonly testNetwork: boolean;
  readonly timestampMs: TimestampMs;
  /** `open`: unsigned RPC actions are taken at their word; `signed`: every action carries a signature. */
  readonly actions: 'open' | 'signed';
  /** EVM account that covers what a depositor lacks; null on networks with real value. */
  readonly faucet: Address | null;
  readonly privacyForkBlock: number | null;
  readonly consensus: ConsensusParams;
  readonly evm: EvmParams;
  readonly clob: ClobParams;
  readonly alloc: readonly GenesisAccount[];
  readonly validators: readonly GenesisValidator[];
  readonly markets: readonly GenesisMarket[];
  /** Left out: the validators of genesis decide all blocks. */
  readonly staking?: StakingParams;
  /** Protocol versions that are planned from the start; nodes may be told of later ones. Left out: version 1. */
  readonly upgrades?: readonly Upgrade[];
}

/** Rules of a network whose validators join, leave and answer with their stake for what they sign. */
export interface StakingParams {
  /** Least stake of a validator, wei; those of genesis may have less. */
  readonly minStake: bigint;
  /** Most validators in the set. */
  readonly maxValidators: number;
  /** Nobody is jailed or leaves when fewer would remain. */
  readonly minValidators: number;
  /** Block time between leaving, or taking stake out, and the return of the wei, ms; at least `evidenceMaxAgeMs`. */
  readonly unbondingMs: number;
  /** Evidence is good for so many blocks, and for so long. */
  readonly evidenceMaxAgeBlocks: number;
  readonly evidenceMaxAgeMs: number;
  /** Part of the stake that two messages signed at one place cost, basis points. */
  readonly doubleSignSlashBps: number;
  /** A validator that signed less than this part of the blocks of a window was down, basis points. */
  readonly downtimeWindowMs: number;
  readonly downtimeMinSignedBps: number;
  readonly downtimeSlashBps: number;
  readonly downtimeJailMs: number;
  /** Where slashed wei go. */
  readonly slashedTo: Address;
}

/** Pace and size of blocks, the same for all validators. */
export interface ConsensusParams {
  /** Least time between two blocks, ms. */
  readonly minBlockIntervalMs: number;
  /** An idle chain makes an empty block this often, ms. */
  readonly emptyBlockIntervalMs: number;
  /** Proposer-based time: how far apart honest clocks may be, ms. */
  readonly precisionMs: number;
  /** Proposer-based time: how long a proposal may travel, ms. */
  readonly messageDelayMs: number;
  /** Most bytes of transactions, actions and evidence in a block. */
  readonly maxBlockBytes: number;
  readonly maxBlockActions: number;
}

/** Gas of a block, and the base fee (EIP-1559) of the first one in wei. */
export interface EvmParams {
  readonly gasLimit: bigint;
  readonly initialBaseFee: bigint;
}

/** Rules of the order book that hold for all markets. Amounts are in wei. */
export interface ClobParams {
  /** Deposits, parameters and cancels of a block run before its other actions. */
  readonly cancelFirst: boolean;
  readonly selfTrade: SelfTradeMode;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
  readonly liquidationFeeBps: number;
  /** Who may add markets and set margin parameters; null is anyone. */
  readonly admin: Address | null;
  readonly minNotional: bigint;
  readonly maxOpenOrders: number;
  /** Blocks for which the end of an order is remembered; 0 is not at all. */
  readonly orderMemoryBlocks: number;
  /** Accounts that each block liquidates by itself, riskiest first; 0 is none. */
  readonly autoLiquidatePerBlock: number;
  /** Each block carries out the transfers between the domains that earlier blocks queued. */
  readonly autoDequeue: boolean;
  readonly mark: MarkParams;
  /** Absent: trades carry no fee. */
  readonly fees?: FeeParams;
  /** Of markets that have none of their own. Absent: margin does not depend on the size of a position. */
  readonly riskTiers?: readonly RiskTier[];
  /** Absent: positions pay and get no funding. */
  readonly funding?: FundingParams;
  /** How far from the mark the insurance fund pays for trades of a liquidation; absent: at any price. */
  readonly insuranceSlippageBps?: number;
  /** Writes that the contracts of one block may make through 0x…0100. Absent: 2000. */
  readonly contractWritesPerBlock?: number;
  /**
   * Times that orders may come to rest, fill, shrink or leave before a block takes no more orders, and because of one order.
   * Absent: any number.
   */
  readonly orderChangesPerBlock?: number;
  /** Price levels are records of the orders root, so that they can be proven; such networks match in one thread. Absent: no. */
  readonly levelProofs?: boolean;
  /** Actions whose signer has nothing on the chain are refused and leave nothing behind. Absent: they use their nonce up. */
  readonly ownersOnly?: boolean;
}

/** What longs pay to shorts, or get from them, at the end of each interval; see docs/protocol/clob.md, Funding. */
export interface FundingParams {
  /** Of block time. */
  readonly intervalSeconds: number;
  /** Furthest that one interval's payment goes, of the reference price. */
  readonly maxRateBps: number;
  /** Intervals over which a premium is paid. */
  readonly premiumIntervals: number;
  /** Share of the way to an interval's average mark that the reference price goes at its end, of 256. */
  readonly referenceWeight: number;
}

/** Margin of the part of a position's notional that is above a bound. */
export interface RiskTier {
  /** Wei; ascending from tier to tier. */
  readonly aboveNotional: bigint;
  /** At least that of the tier before, as the other. */
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

/** What trades cost, in millionths of their notional (100 are a basis point). */
export interface FeeParams {
  /** >= 0. */
  readonly takerPpm: number;
  /** Negative is a rebate, at most the taker's fee. */
  readonly makerPpm: number;
  /** Account of the order book that gets a share of what is left; null where the insurance fund gets all. */
  readonly treasury: Address | null;
  readonly treasuryShareBps: number;
}

/** What makes the mark price harder to move. 0 switches each one off. */
export interface MarkParams {
  /** Bid and ask are the average prices for this notional, wei, instead of the best ones. */
  readonly impactNotional: bigint;
  /** Share of the way to the new price that the mark goes in one block, of 256. */
  readonly emaWeight: number;
  /** Furthest that the mark moves in one block, basis points. */
  readonly maxMoveBps: number;
  /** Blocks with trades that a market needs before positions in it can be liquidated. */
  readonly minTrades: number;
}

/** An EVM account before block 1. The balance is in wei. */
export interface GenesisAccount {
  readonly address: Address;
  readonly balance: bigint;
  readonly nonce: number;
  readonly code: Uint8Array;
  readonly storage: readonly { readonly slot: Hash; readonly value: Hash }[];
}

/** A member of the first validator set. The stake is in wei; the key is that of its signer. */
export interface GenesisValidator {
  readonly address: Address;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly stake: bigint;
  readonly moniker: string;
}

/**
 * A market that is there from block 1; its id is its place in the list, from 1. Tick is wei per base unit, lot base
 * units.
 */
export interface GenesisMarket extends MarketDecimals {
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  /** Absent: those of {@link ClobParams}. */
  readonly riskTiers?: readonly RiskTier[];
}

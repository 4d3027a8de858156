import { keccakHex } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import {
  address,
  byteString,
  flag,
  grownStruct,
  hash,
  integer,
  listOf,
  nullable,
  oneOf,
  signedInteger,
  struct,
  text,
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import { marketDecimalsFields } from './marketDecimals.ts';
import {
  amount,
  bps,
  compressedKey,
  gas,
  height,
  marketLimits,
  type MarketLimits,
  monikerBytesMax,
  riskTier,
  riskTiersMax,
  selfTradeMode,
  symbolBytesMax,
  timestampMs,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { upgradesMax } from './protocolRules.ts';

/** What genesis says, and its binary form, which is made only to be hashed and compared; people read and write the JSON form. */

const consensusCodec = struct({
  /** Least time between two blocks, ms. */
  minBlockIntervalMs: uint32,
  /** An idle chain makes an empty block this often, ms. */
  emptyBlockIntervalMs: uint32,
  /** Proposer-based time: how far apart honest clocks may be, ms. */
  precisionMs: uint32,
  /** Proposer-based time: how long a proposal may travel, ms. */
  messageDelayMs: uint32,
  /** Most bytes of transactions, actions and evidence in a block. */
  maxBlockBytes: uint32,
  maxBlockActions: uint32,
});
/** Pace and size of blocks, the same for all validators. */
export interface ConsensusParams extends ValueOf<typeof consensusCodec> {}

/** Gas of a block, and the base fee (EIP-1559) of the first one in wei. */
const evmCodec = struct({ gasLimit: gas, initialBaseFee: wei });

/** Its encoding; also a part of changes, see changes.ts. */
export const fundingCodec = struct({
  /** Of block time. */
  intervalSeconds: integer(1, 0xffffffff),
  /** Furthest that one interval's payment goes, of the reference price. */
  maxRateBps: bps,
  /** Intervals over which a premium is paid. */
  premiumIntervals: integer(1, 0xffffffff),
  /** Share of the way to an interval's average mark that the reference price goes at its end, of 256. */
  referenceWeight: integer(1, 256),
});
/** What longs pay to shorts, or get from them, at the end of each interval; see docs/protocol/clob.md, Funding. */
export interface FundingParams extends ValueOf<typeof fundingCodec> {}

const riskTiers = listOf(riskTier, riskTiersMax);

/** Its encoding; also a part of changes, see changes.ts. */
export const feeCodec = struct({
  /** >= 0. */
  takerPpm: integer(0, 1_000_000),
  /** Negative is a rebate, at most the taker's fee. */
  makerPpm: signedInteger(1_000_000),
  /** Account of the order book that gets a share of what is left; null where the insurance fund gets all. */
  treasury: nullable(address),
  treasuryShareBps: bps,
});
/** What trades cost, in millionths of their notional (100 are a basis point). */
export interface FeeParams extends ValueOf<typeof feeCodec> {}

/** Its encoding; also a part of changes, see changes.ts. */
export const markCodec = struct({
  /** Bid and ask are the average prices for this notional, wei, instead of the best ones. */
  impactNotional: wei,
  /** Share of the way to the new price that the mark goes in one block, of 256. */
  emaWeight: integer(0, 256),
  /** Furthest that the mark moves in one block, basis points. */
  maxMoveBps: bps,
  /** Blocks with trades that a market needs before positions in it can be liquidated. */
  minTrades: uint32,
});
/** What makes the mark price harder to move. 0 switches each one off. */
export interface MarkParams extends ValueOf<typeof markCodec> {}

/** Its encoding; also a part of changes, see changes.ts. */
export const oracleCodec = struct({
  /** A report that is older when a block carries it is refused, ms. */
  reportMaxAgeMs: integer(1),
  /** A price that is older does not count, ms. */
  staleMs: integer(1),
  /** Furthest that the index moves in one block, basis points; 0: as far as the median. */
  maxMoveBps: bps,
  /** A market whose index was stale for longer, or is this far from the median, is post-only for `resumeMs` first. */
  resumeAfterMs: integer(),
  resumeMoveBps: integer(0, 0xffffffff),
  resumeMs: integer(),
  /** The index is told when it moved as far since it was told last, basis points, and once a minute. */
  eventBps: bps,
  /** Furthest that the mark's average of the book is from the index, basis points. */
  premiumMaxBps: bps,
  /** Holders of a market whose unrealized loss one block settles while profit there is unpaid; 0: none. */
  settlePerBlock: uint32,
});
/** How prices from outside become the index of a market; see docs/protocol/clob.md, Oracle. */
export interface OracleParams extends ValueOf<typeof oracleCodec> {}

const liquidationParamsCodec = struct({
  /** Part of a position that is sold or bought back before its account is judged again, basis points; 0: all of it. */
  sliceBps: bps,
  /** What a slice is worth at least, wei. */
  sliceNotionalMin: wei,
  /** How far from the mark a position is closed in the book, basis points; 0: at any price. */
  bandBps: bps,
  /** Part of the fee that goes to the sender of `liquidate`, basis points. */
  rewardBps: bps,
});
/** How positions are liquidated; see docs/protocol/clob.md, Liquidation. */
export interface LiquidationParams extends ValueOf<typeof liquidationParamsCodec> {}

/** Whole positions at once, at any price, without a reward. */
export const plainLiquidation: LiquidationParams = { sliceBps: 0, sliceNotionalMin: 0n, bandBps: 0, rewardBps: 0 };

const triggerParamsCodec = struct({
  /** Furthest from the mark that an order without a limit trades when it fires. */
  slippageBps: integer(0, 10_000),
  /** Triggers that wait at the same time. */
  perAccountMax: uint32,
  perMarketMax: uint32,
  /** Most that fire in one block; the others keep their turn. */
  perBlockMax: integer(1, 0xffffffff),
});
/** Orders that wait for the mark; see docs/protocol/clob.md, Triggers. */
export interface TriggerParams extends ValueOf<typeof triggerParamsCodec> {}

/** Its encoding; also that of the record of parameters, see governanceRecords.ts. */
export const clobCodec = grownStruct(
  {
    /** Deposits, parameters and cancels of a block run before its other actions. */
    cancelFirst: flag,
    selfTrade: selfTradeMode,
    initialMarginBps: bps,
    maintenanceMarginBps: bps,
    liquidationFeeBps: bps,
    /** Who may add markets and set margin parameters; null is anyone. */
    admin: nullable(address),
    minNotional: wei,
    maxOpenOrders: uint32,
    /** Blocks for which the end of an order is remembered; 0 is not at all. */
    orderMemoryBlocks: uint32,
    /** Accounts that each block liquidates by itself, riskiest first; 0 is none. */
    autoLiquidatePerBlock: uint32,
    /** Each block carries out the transfers between the domains that earlier blocks queued. */
    autoDequeue: flag,
    mark: markCodec,
  },
  {
    /** Absent: trades carry no fee. */
    fees: feeCodec,
    /** Of markets that have none of their own. Absent: margin does not depend on the size of a position. */
    riskTiers,
    /** Absent: positions pay and get no funding. */
    funding: fundingCodec,
    /** How far from the mark the insurance fund pays for trades of a liquidation; absent: at any price. */
    insuranceSlippageBps: bps,
    /** Writes that the contracts of one block may make through 0x…0100. Absent: 2000. */
    contractWritesPerBlock: uint32,
    /** Price levels are records of the orders root, so that they can be proven; such networks match in one thread. Absent: no. */
    levelProofs: flag,
    /**
     * Times that orders may come to rest, fill, shrink or leave before a block takes no more orders, and because of one order.
     * Absent: any number.
     */
    orderChangesPerBlock: integer(1, 0xffffffff),
    /** Actions whose signer has nothing on the chain are refused and leave nothing behind. Absent: they use their nonce up. */
    ownersOnly: flag,
    /** Absent: no price comes from outside. */
    oracle: oracleCodec,
    /** Sub-accounts that one owner may make. Absent: none. */
    subAccountsMax: integer(1, 0xffffffff),
    /** Of markets that have none of their own. Absent: orders have no bounds. */
    limits: marketLimits,
    /** Absent: {@link plainLiquidation}. */
    liquidation: liquidationParamsCodec,
    /** Absent: there are no triggers. */
    trigger: triggerParamsCodec,
  },
);
/** Rules of the order book that hold for all markets. Amounts are in wei. */
export interface ClobParams extends ValueOf<typeof clobCodec> {}

/** Order book of a network whose genesis says nothing about it: what hardens a market against manipulation is off. */
export const defaultClobParams: ClobParams = {
  cancelFirst: true,
  selfTrade: 'cancel_maker',
  initialMarginBps: 1000,
  maintenanceMarginBps: 500,
  liquidationFeeBps: 100,
  admin: null,
  minNotional: 0n,
  maxOpenOrders: 10_000,
  orderMemoryBlocks: 256,
  autoLiquidatePerBlock: 0,
  autoDequeue: false,
  mark: { impactNotional: 0n, emaWeight: 0, maxMoveBps: 0, minTrades: 0 },
};

/** No bounds. */
export const noMarketLimits: MarketLimits = {
  openInterestMax: 0n,
  positionMax: 0n,
  priceBandBps: 0,
  orderNotionalMax: 0n,
};

const stakingCodec = struct({
  /** Least stake of a validator, wei; those of genesis may have less. */
  minStake: wei,
  /** Most validators in the set. */
  maxValidators: uint32,
  /** Nobody is jailed or leaves when fewer would remain. */
  minValidators: uint32,
  /** Block time between leaving, or taking stake out, and the return of the wei, ms; at least `evidenceMaxAgeMs`. */
  unbondingMs: integer(),
  /** Evidence is good for so many blocks, and for so long. */
  evidenceMaxAgeBlocks: uint32,
  evidenceMaxAgeMs: integer(),
  /** Part of the stake that two messages signed at one place cost, basis points. */
  doubleSignSlashBps: bps,
  /** A validator that signed less than this part of the blocks of a window was down, basis points. */
  downtimeWindowMs: integer(1),
  downtimeMinSignedBps: bps,
  downtimeSlashBps: bps,
  downtimeJailMs: integer(),
  /** Where slashed wei go. */
  slashedTo: address,
});
/** Rules of a network whose validators join, leave and answer with their stake for what they sign. */
export interface StakingParams extends ValueOf<typeof stakingCodec> {}

const dayMs = 86_400_000;

/** What a staking section of genesis leaves out; slashed wei go to an address that nobody has the key of. */
export const defaultStakingParams: StakingParams = {
  minStake: 10n ** 18n,
  maxValidators: 100,
  minValidators: 4,
  unbondingMs: 7 * dayMs,
  evidenceMaxAgeBlocks: 100_000,
  evidenceMaxAgeMs: 2 * dayMs,
  doubleSignSlashBps: 500,
  downtimeWindowMs: 600_000,
  downtimeMinSignedBps: 500,
  downtimeSlashBps: 1,
  downtimeJailMs: 600_000,
  slashedTo: '0x000000000000000000000000000000000000dead' as Address,
};

const accountCodec = struct({
  address,
  balance: wei,
  nonce: integer(),
  code: byteString(),
  storage: listOf(struct({ slot: hash, value: hash })),
});
/** An EVM account before block 1. The balance is in wei. */
export interface GenesisAccount extends ValueOf<typeof accountCodec> {}

const validatorCodec = struct({
  address,
  /** Compressed, 33 bytes. */
  publicKey: compressedKey,
  stake: wei,
  moniker: text(monikerBytesMax),
});
/** A member of the first validator set. The stake is in wei; the key is that of its signer. */
export interface GenesisValidator extends ValueOf<typeof validatorCodec> {}

const marketCodec = grownStruct(
  {
    symbol: text(symbolBytesMax),
    tickSize: amount,
    lotSize: amount,
    ...marketDecimalsFields,
  },
  {
    /** Absent: those of {@link ClobParams}, as the other. */
    riskTiers,
    /** Whether validators report its price. Absent: no. */
    oracle: flag,
    limits: marketLimits,
  },
);
/**
 * A market that is there from block 1; its id is its place in the list, from 1. Tick is wei per base unit, lot base
 * units.
 */
export interface GenesisMarket extends ValueOf<typeof marketCodec> {}

const upgrades = listOf(struct({ version: uint32, height }), upgradesMax);

/** Format of genesis that this version reads and writes; there is no other one. */
export const genesisFormatVersion = 2;

const genesisCodec = grownStruct(
  {
    formatVersion: integer<typeof genesisFormatVersion>(genesisFormatVersion, genesisFormatVersion),
    chainId: integer(1),
    networkName: text(64),
    /** Allows the test-only switches of a process. */
    testNetwork: flag,
    timestampMs,
    /** `open`: unsigned RPC actions are taken at their word; `signed`: every action carries a signature. */
    actions: oneOf(['open', 'signed']),
    /** EVM account that covers what a depositor lacks; null on networks with real value. */
    faucet: nullable(address),
    privacyForkBlock: nullable(integer()),
    consensus: consensusCodec,
    evm: evmCodec,
    clob: clobCodec,
    alloc: listOf(accountCodec),
    validators: listOf(validatorCodec),
    markets: listOf(marketCodec),
  },
  {
    /** Left out: the validators of genesis decide all blocks. */
    staking: stakingCodec,
    /** Protocol versions that are planned from the start; nodes may be told of later ones. Left out: version 1. */
    upgrades,
  },
);
/** Everything that all validators of a network must hold in common before block 1. Its hash names the network. */
export interface Genesis extends ValueOf<typeof genesisCodec> {}

/** @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeGenesis = encoder<Genesis>(genesisCodec, 'genesis');
/** Undoes {@link encodeGenesis}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeGenesis = decoder<Genesis>(genesisCodec, 'genesis');
/** Names the network; inside of all that is signed. */
export const genesisHash = (genesis: Genesis): Hash => keccakHex(encodeGenesis(genesis));

/**
 * Two kinds of networks that `prime testnet init` makes. `local` is for one machine and no value: calls without a
 * signature, unlocked accounts, a faucet. `testnet` is for machines apart and strangers: signatures, no unlocked account,
 * an administrator for markets and margin.
 */
import {
  defaultClobParams,
  defaultOracle,
  defaultStakingParams,
  type Genesis,
  type GenesisAccount,
  genesisFormatVersion,
  type GenesisMarket,
  type LiquidationParams,
  type MarketLimits,
  type OracleParams,
} from '@prime/codec';
import { type Address, parseAddress } from '@prime/primitives';
import type { ConfigValues } from '../render.ts';

/** The kinds of networks there are; see the head of this file. */
export type PresetName = 'local' | 'testnet';
/** In the order in which messages show them. */
export const presetNames: readonly PresetName[] = ['local', 'testnet'];

/** Chain id of the interface document, 0x1eef. */
const chainId = 7_919;
const ether = 10n ** 18n;
const gwei = 10n ** 9n;
const kibibyte = 1024;

/** Least time between two blocks, where all nodes share a machine and where a machine is a node's own. */
export const presetBlockIntervalMs: Readonly<Record<PresetName, number>> = { local: 50, testnet: 250 };

/** Covers what a depositor lacks on local networks. Made up, so that nobody holds its key. */
export const faucetAddress: Address = parseAddress('0xfa0ce70000000000000000000000000000000001');
const faucetBalance = 1_000_000_000n * ether;
const devAccountBalance = 10_000n * ether;
const adminBalance = 1_000_000n * ether;
/** Bonded by each validator, wei; a unit of voting power is one ether. */
export const validatorStake = 1_000n * ether;

/** Genesis without what differs between two networks of one preset. */
type PresetGenesis = Omit<Genesis, 'timestampMs' | 'validators'>;

/** What a preset decides about a network. `stake` is wei bonded behind each validator. */
export interface Preset {
  readonly stake: bigint;
  /** Whether the nodes hold the keys of {@link PresetInput.devAccounts}. */
  readonly unlocksDevAccounts: boolean;
  /** Values of config.toml that differ from the defaults. */
  readonly config: ConfigValues;
  readonly genesis: PresetGenesis;
}

/** Accounts that the genesis of a preset pays or names. */
export interface PresetInput {
  readonly devAccounts: readonly Address[];
  /** Owner of the first validator; administers the `testnet` preset. */
  readonly admin: Address;
}

const plain = (address: Address, balance: bigint): GenesisAccount => ({
  address,
  balance,
  nonce: 0,
  code: new Uint8Array(0),
  storage: [],
});

/** A market order of a trigger trades up to a tenth from the mark, as on Hyperliquid. */
const trigger = { slippageBps: 1_000, perAccountMax: 100, perMarketMax: 100_000, perBlockMax: 1_000 } as const;

/** As many sub-accounts as an owner has on dYdX with margin across markets. */
const clob = { ...defaultClobParams, subAccountsMax: 128, trigger };

/**
 * Bid and ask count with a tenth of an ether behind them, the mark goes a quarter of the way and at most 2 % a block. Among strangers a market
 * without oracle liquidates nobody before it traded in 20 blocks.
 */
const mark = { impactNotional: ether / 10n, emaWeight: 64, maxMoveBps: 200, minTrades: 0 } as const;
const testnetMark = { ...mark, minTrades: 20 } as const;

/** Nobody loses money on a laptop that slept: markets trade as soon as prices are back. */
const localOracle: OracleParams = { ...defaultOracle, resumeMs: 0 };

/** A price of 1 wei for a base unit reads as 0.01, so ticks of 1 and 5 are steps of 0.01 and 0.05: 301255 is 3012.55. */
export const presetDecimals = { baseDecimals: 16, quoteDecimals: 18 } as const;

/**
 * A fifth of a position at a time, and at least a tenth of an ether's worth, within 5 % of the mark, which is what keeping a position needs. A tenth of
 * the fee is for whoever asks first.
 */
const liquidation: LiquidationParams = {
  sliceBps: 2_000,
  sliceNotionalMin: ether / 10n,
  bandBps: 500,
  rewardBps: 1_000,
};

/** Enough for a day on which everything falls, and a block's work at most. */
const autoLiquidatePerBlock = 64;

/** In whole units of the base, with the decimals of {@link presetMarkets}. */
const wholeUnits = (count: bigint): bigint => count * 10n ** BigInt(presetDecimals.baseDecimals);

/**
 * What one account, one order and one price may do to a market. Prices of a local network are made up and may jump, so it has no band; among strangers
 * an order may be a fifth away from the mark.
 */
const limits: Readonly<Record<PresetName, MarketLimits>> = {
  local: {
    openInterestMax: wholeUnits(1_000_000_000n),
    positionMax: wholeUnits(100_000_000n),
    priceBandBps: 0,
    orderNotionalMax: 100_000_000n * ether,
  },
  testnet: {
    openInterestMax: wholeUnits(10_000_000n),
    positionMax: wholeUnits(1_000_000n),
    priceBandBps: 2_000,
    orderNotionalMax: 10_000_000n * ether,
  },
};

/** Markets of a new network that names none. Their prices come from outside. */
export const presetMarkets: readonly GenesisMarket[] = [
  { symbol: 'PRM/USD', tickSize: 1n, lotSize: 1n, ...presetDecimals, oracle: true },
  { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n, ...presetDecimals, oracle: true },
];

/** Around which the prices of {@link presetMarkets} move where they are simulated, for a whole unit. */
export const presetPrices: Readonly<Record<string, string>> = { 'PRM/USD': '100', 'ETH/USD': '3000' };

const common = {
  formatVersion: genesisFormatVersion,
  chainId,
  privacyForkBlock: null,
  // What blocks hold is bounded by what validators learn that they execute in time; this only bounds harm.
  evm: { gasLimit: 100_000_000n, initialBaseFee: gwei },
  staking: defaultStakingParams,
  markets: presetMarkets,
} as const;

const local = ({ devAccounts }: PresetInput): Preset => ({
  stake: validatorStake,
  unlocksDevAccounts: true,
  config: {},
  genesis: {
    ...common,
    networkName: 'prime-local',
    testNetwork: true,
    actions: 'open',
    faucet: faucetAddress,
    consensus: {
      minBlockIntervalMs: presetBlockIntervalMs.local,
      emptyBlockIntervalMs: 1_000,
      precisionMs: 500,
      messageDelayMs: 2_000,
      maxBlockBytes: 512 * kibibyte,
      maxBlockActions: 5_000,
    },
    clob: { ...clob, admin: null, mark, oracle: localOracle, limits: limits.local, liquidation, autoLiquidatePerBlock },
    alloc: [...devAccounts.map((address) => plain(address, devAccountBalance)), plain(faucetAddress, faucetBalance)],
  },
});

/** For machines apart. */
const patient: ConfigValues = {
  'consensus.propose_ms': 1_500,
  'consensus.propose_delta_ms': 500,
  'consensus.prevote_ms': 500,
  'consensus.prevote_delta_ms': 250,
  'consensus.precommit_ms': 500,
  'consensus.precommit_delta_ms': 250,
  'consensus.rebroadcast_ms': 4_000,
  'consensus.rebroadcast_delta_ms': 1_000,
};

const testnet = ({ admin }: PresetInput): Preset => ({
  stake: validatorStake,
  unlocksDevAccounts: false,
  config: patient,
  genesis: {
    ...common,
    networkName: 'prime-testnet',
    testNetwork: false,
    actions: 'signed',
    faucet: null,
    consensus: {
      minBlockIntervalMs: presetBlockIntervalMs.testnet,
      emptyBlockIntervalMs: 1_000,
      precisionMs: 500,
      messageDelayMs: 4_000,
      maxBlockBytes: 512 * kibibyte,
      maxBlockActions: 5_000,
    },
    clob: {
      ...clob,
      admin,
      autoDequeue: true,
      mark: testnetMark,
      oracle: defaultOracle,
      insuranceSlippageBps: clob.maintenanceMarginBps,
      liquidation,
      autoLiquidatePerBlock,
      orderChangesPerBlock: 100_000,
      ownersOnly: true,
      limits: limits.testnet,
    },
    alloc: [plain(admin, adminBalance)],
  },
});

const presets: Readonly<Record<PresetName, (input: PresetInput) => Preset>> = { local, testnet };

/** Fills a preset in for one network; a pure function. */
export const createPreset = (name: PresetName, input: PresetInput): Preset => presets[name](input);

/** Genesis of a preset for a network of its own name, without its validators. @param input see {@link PresetInput} */
export const presetGenesis = (
  name: PresetName,
  network: Pick<Genesis, 'networkName' | 'chainId' | 'timestampMs'>,
  input: PresetInput,
): Omit<Genesis, 'validators'> => ({ ...createPreset(name, input).genesis, ...network });

/** Values of config.toml for one more node of a network. */
export const presetConfig = ({ testNetwork }: Pick<Genesis, 'testNetwork'>): ConfigValues =>
  testNetwork ? {} : patient;

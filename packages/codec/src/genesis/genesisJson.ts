import {
  type Address,
  compareStrings,
  type Height,
  hexToBytes,
  parseAddress,
  parseHash,
  toTimestampMs,
} from '@prime/primitives';
import {
  defaultClobParams,
  defaultStakingParams,
  type ClobParams,
  type FeeParams,
  type FundingParams,
  type Genesis,
  type GenesisAccount,
  type GenesisMarket,
  type GenesisValidator,
  type MarkParams,
  type LiquidationParams,
  noMarketLimits,
  plainLiquidation,
  type OracleParams,
  type TriggerParams,
  type StakingParams,
} from './genesis.ts';
import type { MarketLimits, RiskTier } from '../encoding/protocolFields.ts';
import { defaultMarketDecimals } from './marketDecimals.ts';

/**
 * What genesis.json means: text for what does not fit a JSON number, accounts by address, absence instead of null, defaults for what is left out.
 * One reading for nodes, which check what the file may say before (`parseGenesis` of the configuration), and for light clients, which know the hash.
 */

/** An unsigned integer, decimal or with 0x. */
type Amount = string;
type Texts<Type> = { readonly [Field in keyof Type]: Type[Field] extends bigint ? Amount : Type[Field] };
type TierJson = Texts<RiskTier>;
type LimitsJson = Partial<Texts<MarketLimits>>;

/** The form that people write. What may be left out is optional here, and has its default in the reading. */
export interface GenesisJson
  extends Pick<Genesis, 'formatVersion' | 'chainId' | 'networkName' | 'testNetwork' | 'actions' | 'consensus'> {
  readonly timestampMs: number;
  readonly faucet?: string;
  readonly privacyForkBlock?: number;
  readonly evm: Texts<Genesis['evm']>;
  readonly clob: ClobJson;
  readonly alloc: Readonly<Record<string, AccountJson>>;
  readonly validators: readonly {
    readonly address: string;
    readonly publicKey: string;
    readonly stake: Amount;
    readonly moniker: string;
  }[];
  readonly markets: readonly MarketJson[];
  readonly staking?: StakingJson;
  readonly upgrades?: readonly { readonly version: number; readonly height: number }[];
}

type ClobNumbers = Omit<
  ClobParams,
  'admin' | 'minNotional' | 'mark' | 'fees' | 'riskTiers' | 'funding' | 'oracle' | 'limits' | 'liquidation' | 'trigger'
>;
interface ClobJson extends Partial<ClobNumbers> {
  readonly admin?: string;
  readonly minNotional: Amount;
  readonly mark?: Texts<MarkParams>;
  readonly fees?: FeesJson;
  readonly riskTiers?: readonly TierJson[];
  readonly funding?: Partial<FundingParams>;
  readonly oracle?: Partial<OracleParams>;
  readonly trigger?: Partial<TriggerParams>;
  readonly limits?: LimitsJson;
  readonly liquidation?: Partial<Texts<LiquidationParams>>;
}

interface FeesJson extends Pick<FeeParams, 'takerPpm' | 'makerPpm'> {
  readonly treasury?: string;
  readonly treasuryShareBps?: number;
}

interface AccountJson {
  readonly balance: Amount;
  readonly nonce?: number;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

interface MarketJson extends Partial<Pick<GenesisMarket, 'baseDecimals' | 'quoteDecimals'>> {
  readonly symbol: string;
  readonly tickSize: Amount;
  readonly lotSize: Amount;
  readonly riskTiers?: readonly TierJson[];
  readonly oracle?: boolean;
  readonly limits?: LimitsJson;
}

interface StakingJson extends Partial<Omit<StakingParams, 'minStake' | 'slashedTo'>> {
  readonly minStake?: Amount;
  readonly slashedTo?: string;
}

/** Funding of a network that switches it on and says no more: every hour, as Hyperliquid's contracts without an oracle. */
const defaultFunding: FundingParams = {
  intervalSeconds: 3600,
  maxRateBps: 400,
  premiumIntervals: 8,
  referenceWeight: 30,
};

/**
 * An oracle that a network switches on and says no more of. Reports come every 3 s, as on Hyperliquid: a validator may miss four of them. The index moves
 * 5 % a block at most, and a mark stays within 2 % of it and more.
 */
export const defaultOracle: OracleParams = {
  reportMaxAgeMs: 10_000,
  staleMs: 15_000,
  maxMoveBps: 500,
  resumeAfterMs: 60_000,
  resumeMoveBps: 1_000,
  resumeMs: 30_000,
  eventBps: 10,
  premiumMaxBps: 200,
  settlePerBlock: 32,
};

/** Triggers of a network that switches them on and says no more. */
const defaultTrigger: TriggerParams = {
  slippageBps: 1_000,
  perAccountMax: 100,
  perMarketMax: 100_000,
  perBlockMax: 1_000,
};

/**
 * Accounts are put in the order of their addresses, so that the order in the file does not matter.
 *
 * @throws HexError, SyntaxError, TypeError, RangeError for a value of another shape
 */
export function genesisFromJson({ staking, upgrades, ...json }: GenesisJson): Genesis {
  const clob = readClob(json.clob);
  return {
    ...json,
    timestampMs: toTimestampMs(json.timestampMs),
    faucet: optionalAddress(json.faucet),
    privacyForkBlock: json.privacyForkBlock ?? null,
    evm: { gasLimit: BigInt(json.evm.gasLimit), initialBaseFee: BigInt(json.evm.initialBaseFee) },
    clob,
    alloc: Object.entries(json.alloc).map(readAccount).sort(byAddress),
    validators: json.validators.map(readValidator),
    markets: json.markets.map((market) => readMarket(market, clob.limits ?? noMarketLimits)),
    ...(staking === undefined ? {} : { staking: readStaking(staking) }),
    ...(upgrades === undefined
      ? {}
      : { upgrades: upgrades.map(({ version, height }) => ({ version, height: height as Height })) }),
  };
}

/** What the file leaves out is as {@link defaultClobParams} has it. */
function readClob({ fees, riskTiers, funding, oracle, limits, liquidation, trigger, ...clob }: ClobJson): ClobParams {
  return {
    ...defaultClobParams,
    ...clob,
    ...(fees === undefined ? {} : { fees: readFees(fees) }),
    ...(riskTiers === undefined ? {} : { riskTiers: riskTiers.map(readTier) }),
    ...(funding === undefined ? {} : { funding: readFunding(funding) }),
    ...(oracle === undefined ? {} : { oracle: readOracle(oracle) }),
    ...(limits === undefined ? {} : { limits: readLimits(limits, noMarketLimits) }),
    ...(liquidation === undefined ? {} : { liquidation: readLiquidation(liquidation) }),
    ...(trigger === undefined ? {} : { trigger: { ...defaultTrigger, ...trigger } }),
    admin: optionalAddress(clob.admin),
    minNotional: BigInt(clob.minNotional),
    mark: clob.mark === undefined ? defaultClobParams.mark : readMark(clob.mark),
  };
}

/** What is left out is as in {@link defaultFunding}. */
export const readFunding = (funding: Partial<FundingParams>): FundingParams => ({ ...defaultFunding, ...funding });
/** What is left out is as in {@link defaultOracle}. */
export const readOracle = (oracle: Partial<OracleParams>): OracleParams => ({ ...defaultOracle, ...oracle });
/** @throws SyntaxError for an amount that is none */
export const readMark = (mark: Texts<MarkParams>): MarkParams => ({
  ...mark,
  impactNotional: BigInt(mark.impactNotional),
});

/** Fees as genesis.json has them; so do the other readers of sections here. @throws HexError */
export const readFees = ({ treasury, treasuryShareBps = 0, ...rates }: FeesJson): FeeParams => ({
  ...rates,
  treasury: optionalAddress(treasury),
  treasuryShareBps,
});

/** What the file leaves out is as {@link plainLiquidation} has it. */
const readLiquidation = (json: Partial<Texts<LiquidationParams>>): LiquidationParams => {
  const all = { ...plainLiquidation, ...json };
  return { ...all, sliceNotionalMin: BigInt(all.sliceNotionalMin) };
};

/** @throws SyntaxError for an amount that is none */
export const readTier = (tier: TierJson): RiskTier => ({ ...tier, aboveNotional: BigInt(tier.aboveNotional) });

/** What the file leaves out is as in the others. @throws SyntaxError for an amount that is none */
export const readLimits = (
  { openInterestMax, positionMax, priceBandBps, orderNotionalMax }: LimitsJson,
  others: MarketLimits,
): MarketLimits => ({
  openInterestMax: BigInt(openInterestMax ?? others.openInterestMax),
  positionMax: BigInt(positionMax ?? others.positionMax),
  priceBandBps: priceBandBps ?? others.priceBandBps,
  orderNotionalMax: BigInt(orderNotionalMax ?? others.orderNotionalMax),
});

/** Decimals that the file leaves out are as {@link defaultMarketDecimals} has them, limits as those of all markets. */
const readMarket = (
  { tickSize, lotSize, riskTiers, oracle, limits, ...market }: MarketJson,
  ofAll: MarketLimits,
): GenesisMarket => ({
  ...defaultMarketDecimals,
  ...market,
  tickSize: BigInt(tickSize),
  lotSize: BigInt(lotSize),
  ...(riskTiers === undefined ? {} : { riskTiers: riskTiers.map(readTier) }),
  ...(oracle === true ? { oracle } : {}),
  ...(limits === undefined ? {} : { limits: readLimits(limits, ofAll) }),
});

const readValidator = ({
  address,
  publicKey,
  stake,
  moniker,
}: GenesisJson['validators'][number]): GenesisValidator => ({
  address: parseAddress(address),
  publicKey: hexToBytes(publicKey),
  stake: BigInt(stake),
  moniker,
});

function readAccount([address, { balance, nonce = 0, code = '0x', storage = {} }]: [
  string,
  AccountJson,
]): GenesisAccount {
  const slots = Object.entries(storage).map(([slot, value]) => ({ slot: parseHash(slot), value: parseHash(value) }));
  return {
    address: parseAddress(address),
    balance: BigInt(balance),
    nonce,
    code: hexToBytes(code),
    storage: slots.sort((a, b) => compareStrings(a.slot, b.slot)),
  };
}

/** An empty section is {@link defaultStakingParams}. */
function readStaking({ minStake, slashedTo, ...section }: StakingJson): StakingParams {
  return {
    ...defaultStakingParams,
    ...section,
    minStake: minStake === undefined ? defaultStakingParams.minStake : BigInt(minStake),
    slashedTo: slashedTo === undefined ? defaultStakingParams.slashedTo : parseAddress(slashedTo),
  };
}

const optionalAddress = (text: string | undefined): Address | null => (text === undefined ? null : parseAddress(text));
const byAddress = (a: { readonly address: Address }, b: { readonly address: Address }): number =>
  compareStrings(a.address, b.address);

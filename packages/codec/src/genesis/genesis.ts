import { keccakHex } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
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
} from '../encoding/fieldCodecs.ts';
import type {
  ClobParams,
  ConsensusParams,
  EvmParams,
  FeeParams,
  FundingParams,
  Genesis,
  GenesisAccount,
  GenesisMarket,
  GenesisValidator,
  MarkParams,
  StakingParams,
} from './genesisTypes.ts';
import { marketDecimalsFields } from './marketDecimals.ts';
import {
  amount,
  bps,
  compressedKey,
  gas,
  height,
  monikerBytesMax,
  riskTier,
  riskTiersMax,
  selfTradeMode,
  symbolBytesMax,
  timestampMs,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { type Upgrade, upgradesMax } from './protocolRules.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';

/** Binary form of genesis, made only to be hashed and compared; people read and write the JSON form. */

const consensusCodec = struct<ConsensusParams>({
  minBlockIntervalMs: uint32,
  emptyBlockIntervalMs: uint32,
  precisionMs: uint32,
  messageDelayMs: uint32,
  maxBlockBytes: uint32,
  maxBlockActions: uint32,
});

const evmCodec = struct<EvmParams>({ gasLimit: gas, initialBaseFee: wei });

const fundingCodec = struct<FundingParams>({
  intervalSeconds: integer(1, 0xffffffff),
  maxRateBps: bps,
  premiumIntervals: integer(1, 0xffffffff),
  referenceWeight: integer(1, 256),
});
const riskTiers = listOf(riskTier, riskTiersMax);

const feeCodec = struct<FeeParams>({
  takerPpm: integer(0, 1_000_000),
  makerPpm: signedInteger(1_000_000),
  treasury: nullable(address),
  treasuryShareBps: bps,
});

const clobCodec = grownStruct<ClobParams>(
  {
    cancelFirst: flag,
    selfTrade: selfTradeMode,
    initialMarginBps: bps,
    maintenanceMarginBps: bps,
    liquidationFeeBps: bps,
    admin: nullable(address),
    minNotional: wei,
    maxOpenOrders: uint32,
    orderMemoryBlocks: uint32,
    autoLiquidatePerBlock: uint32,
    autoDequeue: flag,
    mark: struct<MarkParams>({
      impactNotional: wei,
      emaWeight: integer(0, 256),
      maxMoveBps: bps,
      minTrades: uint32,
    }),
  },
  {
    fees: feeCodec,
    riskTiers,
    funding: fundingCodec,
    insuranceSlippageBps: bps,
    contractWritesPerBlock: uint32,
    levelProofs: flag,
    orderChangesPerBlock: integer(1, 0xffffffff),
    ownersOnly: flag,
  },
);

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

const stakingCodec = struct<StakingParams>({
  minStake: wei,
  maxValidators: uint32,
  minValidators: uint32,
  unbondingMs: integer(),
  evidenceMaxAgeBlocks: uint32,
  evidenceMaxAgeMs: integer(),
  doubleSignSlashBps: bps,
  downtimeWindowMs: integer(1),
  downtimeMinSignedBps: bps,
  downtimeSlashBps: bps,
  downtimeJailMs: integer(),
  slashedTo: address,
});

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

const accountCodec = struct<GenesisAccount>({
  address,
  balance: wei,
  nonce: integer(),
  code: byteString(),
  storage: listOf(struct<GenesisAccount['storage'][number]>({ slot: hash, value: hash })),
});

const validatorCodec = struct<GenesisValidator>({
  address,
  publicKey: compressedKey,
  stake: wei,
  moniker: text(monikerBytesMax),
});

const marketCodec = grownStruct<GenesisMarket>(
  { symbol: text(symbolBytesMax), tickSize: amount, lotSize: amount, ...marketDecimalsFields },
  { riskTiers },
);

const upgrades = listOf(struct<Upgrade>({ version: uint32, height }), upgradesMax);

const genesisCodec = grownStruct<Genesis>(
  {
    formatVersion: integer<1>(1, 1),
    chainId: integer(1),
    networkName: text(64),
    testNetwork: flag,
    timestampMs,
    actions: oneOf<Genesis['actions']>(['open', 'signed']),
    faucet: nullable(address),
    privacyForkBlock: nullable(integer()),
    consensus: consensusCodec,
    evm: evmCodec,
    clob: clobCodec,
    alloc: listOf(accountCodec),
    validators: listOf(validatorCodec),
    markets: listOf(marketCodec),
  },
  { staking: stakingCodec, upgrades },
);

/** @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeGenesis = (genesis: Genesis): Uint8Array => encodeRlp(genesisCodec.toRlp(genesis, 'genesis'));
/** Undoes {@link encodeGenesis}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeGenesis = (bytes: Uint8Array): Genesis => genesisCodec.fromRlp(decodeRlp(bytes), 'genesis');
/** Names the network; inside of all that is signed. */
export const genesisHash = (genesis: Genesis): Hash => keccakHex(encodeGenesis(genesis));

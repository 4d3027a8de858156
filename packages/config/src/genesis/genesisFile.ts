/**
 * Genesis as people write it: JSON with decimal or hex strings for what does not fit a JSON number, accounts keyed by
 * address, and absence instead of null. The binary form (whose hash names the network) belongs to @prime/codec.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  clobProblem,
  type FeeParams,
  feePpmMax,
  type Genesis,
  type GenesisAccount,
  genesisFormatVersion,
  genesisFromJson,
  limitsProblem,
  ordersAddress,
  type RuleProblem,
  stakingAddress,
  type StakingParams,
  tiersProblem,
  upgradesProblem,
} from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import { ConfigError, showValue } from '../errors.ts';
import {
  address,
  allowedBy,
  amount,
  bps,
  bytes,
  hash,
  publicKey,
  strict,
  uint32,
  waitMs,
  whole,
} from './genesisTypes.ts';
import { limits, writeLimits } from './limitsSection.ts';
import { liquidation, writeLiquidation } from './liquidationSection.ts';
import { marketsSchema, writeMarket } from './marketsSection.ts';
import { riskTiers, writeTier } from './riskTiersSection.ts';
import { stakingSchema, writeStaking } from './stakingSection.ts';
import { upgradesSchema } from './upgrades.ts';

/** One block with its certificates has to fit one message between nodes, 2 MiB. */
const blockBytesMax = 1_572_864;

const account = Type.Object(
  {
    balance: amount,
    nonce: Type.Optional(whole(0)),
    code: Type.Optional(bytes),
    storage: Type.Optional(Type.Record(hash, hash)),
  },
  strict,
);

const genesisSchema = Type.Object(
  {
    formatVersion: Type.Literal(genesisFormatVersion),
    chainId: whole(1),
    networkName: Type.String({ minLength: 1, maxLength: 64 }),
    testNetwork: Type.Boolean(),
    timestampMs: whole(0),
    actions: Type.Union([Type.Literal('open'), Type.Literal('signed')], { title: '"open" or "signed"' }),
    faucet: Type.Optional(address),
    privacyForkBlock: Type.Optional(whole(0)),
    consensus: Type.Object(
      {
        minBlockIntervalMs: waitMs,
        emptyBlockIntervalMs: waitMs,
        precisionMs: waitMs,
        messageDelayMs: waitMs,
        maxBlockBytes: whole(1_024, blockBytesMax),
        maxBlockActions: whole(1, 0xffffffff),
      },
      strict,
    ),
    evm: Type.Object({ gasLimit: amount, initialBaseFee: amount }, strict),
    clob: Type.Object(
      {
        cancelFirst: Type.Boolean(),
        selfTrade: Type.Union(
          [
            Type.Literal('cancel_maker'),
            Type.Literal('cancel_taker'),
            Type.Literal('cancel_both'),
            Type.Literal('decrement'),
          ],
          { title: 'cancel_maker, cancel_taker, cancel_both or decrement' },
        ),
        initialMarginBps: bps,
        maintenanceMarginBps: bps,
        liquidationFeeBps: bps,
        admin: Type.Optional(address),
        minNotional: amount,
        maxOpenOrders: whole(1, 0xffffffff),
        orderMemoryBlocks: Type.Optional(whole(1, 1_000_000)),
        autoLiquidatePerBlock: Type.Optional(uint32),
        autoDequeue: Type.Optional(Type.Boolean()),
        mark: Type.Optional(
          Type.Object({ impactNotional: amount, emaWeight: whole(0, 256), maxMoveBps: bps, minTrades: uint32 }, strict),
        ),
        fees: Type.Optional(
          Type.Object(
            {
              takerPpm: whole(0, feePpmMax),
              makerPpm: whole(-feePpmMax, feePpmMax),
              treasury: Type.Optional(address),
              treasuryShareBps: Type.Optional(bps),
            },
            strict,
          ),
        ),
        riskTiers,
        limits,
        insuranceSlippageBps: Type.Optional(bps),
        liquidation,
        contractWritesPerBlock: Type.Optional(uint32),
        levelProofs: Type.Optional(Type.Boolean()),
        orderChangesPerBlock: Type.Optional(whole(1, 0xffffffff)),
        ownersOnly: Type.Optional(Type.Boolean()),
        oracle: Type.Optional(
          Type.Object(
            {
              reportMaxAgeMs: Type.Optional(whole(1, 0xffffffff)),
              staleMs: Type.Optional(whole(1, 0xffffffff)),
              maxMoveBps: Type.Optional(bps),
              resumeAfterMs: Type.Optional(uint32),
              resumeMoveBps: Type.Optional(uint32),
              resumeMs: Type.Optional(uint32),
              eventBps: Type.Optional(bps),
              premiumMaxBps: Type.Optional(bps),
              settlePerBlock: Type.Optional(uint32),
            },
            strict,
          ),
        ),
        subAccountsMax: Type.Optional(whole(1, 0xffffffff)),
        trigger: Type.Optional(
          Type.Object(
            {
              slippageBps: Type.Optional(bps),
              perAccountMax: Type.Optional(uint32),
              perMarketMax: Type.Optional(uint32),
              perBlockMax: Type.Optional(whole(1, 0xffffffff)),
            },
            strict,
          ),
        ),
        funding: Type.Optional(
          Type.Object(
            {
              intervalSeconds: Type.Optional(whole(1, 0xffffffff)),
              maxRateBps: Type.Optional(whole(1, 10_000)),
              premiumIntervals: Type.Optional(whole(1, 0xffffffff)),
              referenceWeight: Type.Optional(whole(1, 256)),
            },
            strict,
          ),
        ),
      },
      strict,
    ),
    alloc: Type.Record(address, account),
    validators: Type.Array(
      Type.Object({ address, publicKey, stake: amount, moniker: Type.String({ minLength: 1, maxLength: 64 }) }, strict),
      { minItems: 1, maxItems: 100 },
    ),
    markets: marketsSchema,
    staking: Type.Optional(stakingSchema),
    upgrades: Type.Optional(upgradesSchema),
  },
  strict,
);

type GenesisFile = Static<typeof genesisSchema>;

/**
 * Reads genesis.json, and checks that the file may say what it does.
 *
 * @throws ConfigError `CONFIG_SYNTAX`, `CONFIG_GENESIS_INVALID`
 */
export function parseGenesis(text: string): Genesis {
  const json = parseJson(text);
  checkFormat(json);
  const problem = Value.Errors(genesisSchema, json).First();
  if (problem !== undefined)
    throw invalid(problem.path.slice(1).replaceAll('/', '.'), problem.value, allowedBy(problem));
  const genesis = genesisFromJson(json as GenesisFile);
  checkGenesis(genesis);
  return genesis;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      `genesis is not JSON: ${reason}`,
      { code: 'CONFIG_SYNTAX', source: 'genesis', line: null },
      { cause },
    );
  }
}

/** A genesis of another format is whole in its own way: what is missing in it would only be confusing to hear. */
function checkFormat(json: unknown): void {
  if (typeof json !== 'object' || json === null || !('formatVersion' in json)) return;
  const { formatVersion } = json;
  if (!Number.isInteger(formatVersion) || formatVersion === genesisFormatVersion) return;
  const isOlder = (formatVersion as number) < genesisFormatVersion;
  throw invalid(
    'formatVersion',
    formatVersion,
    `${genesisFormatVersion}: this genesis is of ${isOlder ? 'an older' : 'a newer'} format. ` +
      'Run the version of Prime that it was made for, or begin a new network with a genesis that this version makes',
  );
}

/** What a schema can not say. */
function checkGenesis(genesis: Genesis): void {
  const names = {
    alloc: genesis.alloc.map((entry) => entry.address),
    validators: genesis.validators.map((validator) => validator.address),
    'validators (publicKey)': genesis.validators.map((validator) => bytesToHex(validator.publicKey)),
    // As the order book compares them: letter case makes no other market.
    markets: genesis.markets.map((market) => market.symbol.toUpperCase()),
  };
  for (const [path, values] of Object.entries(names)) unique(path, values);
  for (const { moniker, stake } of genesis.validators)
    if (stake === 0n) throw invalid(`validators (${moniker}).stake`, stake, 'more than 0');
  for (const { symbol, tickSize, lotSize } of genesis.markets)
    if (tickSize === 0n || lotSize === 0n)
      throw invalid(`markets (${symbol})`, { tickSize, lotSize }, 'a tick and a lot of more than 0');
  const problem = clobProblem(genesis.clob);
  if (problem !== null) throw invalid(`clob.${problem.path}`, problem.value, problem.allowed);
  if (genesis.staking !== undefined) checkStaking(genesis.staking);
  checkEscrow(genesis);
  const planned = upgradesProblem(genesis.upgrades ?? []);
  if (planned !== null) throw invalid(`upgrades.${planned.index}`, genesis.upgrades?.[planned.index], planned.allowed);
  for (const { symbol, limits: own, riskTiers: tiers = [] } of genesis.markets) {
    checkMarket(`markets (${symbol}).limits`, own === undefined ? null : limitsProblem(own));
    checkMarket(`markets (${symbol}).riskTiers`, tiersProblem(tiers, genesis.clob));
  }
  for (const { symbol, oracle } of genesis.markets)
    if (oracle === true && genesis.clob.oracle === undefined)
      throw invalid(`markets (${symbol}).oracle`, oracle, 'false, or an oracle section in clob');
  const { minBlockIntervalMs, emptyBlockIntervalMs } = genesis.consensus;
  if (emptyBlockIntervalMs < minBlockIntervalMs)
    throw invalid(
      'consensus.emptyBlockIntervalMs',
      emptyBlockIntervalMs,
      `at least minBlockIntervalMs (${minBlockIntervalMs})`,
    );
  if (genesis.faucet !== null && !genesis.alloc.some((entry) => entry.address === genesis.faucet))
    throw invalid('faucet', genesis.faucet, 'an account of alloc');
}

function checkMarket(path: string, problem: RuleProblem | null): void {
  if (problem !== null) throw invalid(`${path}.${problem.path}`, problem.value, problem.allowed);
}

/** What the order book and the staking state hold for others: what they count there must not move for another reason. */
function checkEscrow({ alloc, faucet, staking }: Genesis): void {
  const held = [ordersAddress, stakingAddress];
  const allowed = `an account other than ${held.join(' and ')}, which hold what belongs to others`;
  if (faucet !== null && held.includes(faucet)) throw invalid('faucet', faucet, allowed);
  if (staking !== undefined && held.includes(staking.slashedTo))
    throw invalid('staking.slashedTo', staking.slashedTo, allowed);
  for (const { address: at, code, storage } of alloc)
    if (held.includes(at) && (code.length > 0 || storage.length > 0))
      throw invalid(`alloc.${at}`, at, 'a balance and nothing else: its code and storage are those of the chain');
}

function checkStaking({ unbondingMs, evidenceMaxAgeMs, minValidators, maxValidators }: StakingParams): void {
  // Otherwise stake could be out of reach before what it answers for is known.
  if (unbondingMs < evidenceMaxAgeMs)
    throw invalid('staking.unbondingMs', unbondingMs, `at least evidenceMaxAgeMs (${evidenceMaxAgeMs})`);
  if (minValidators > maxValidators)
    throw invalid('staking.minValidators', minValidators, `at most maxValidators (${maxValidators})`);
}

function unique(path: string, values: readonly string[]): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw invalid(path, value, 'each only once');
    seen.add(value);
  }
}

function invalid(path: string, value: unknown, what: string): ConfigError {
  const shown = showValue(value);
  return new ConfigError(`genesis: ${path} = ${shown}: allowed is ${what}`, {
    code: 'CONFIG_GENESIS_INVALID',
    path,
    value: shown,
    allowed: what,
  });
}

/** Writes genesis.json; {@link parseGenesis} reads the same genesis back. */
export function formatGenesis(genesis: Genesis): string {
  const { faucet, privacyForkBlock, clob } = genesis;
  const { admin } = clob;
  const file: GenesisFile = {
    formatVersion: genesis.formatVersion,
    chainId: genesis.chainId,
    networkName: genesis.networkName,
    testNetwork: genesis.testNetwork,
    timestampMs: genesis.timestampMs,
    actions: genesis.actions,
    ...(faucet === null ? {} : { faucet }),
    ...(privacyForkBlock === null ? {} : { privacyForkBlock }),
    consensus: { ...genesis.consensus },
    evm: { gasLimit: String(genesis.evm.gasLimit), initialBaseFee: String(genesis.evm.initialBaseFee) },
    clob: {
      cancelFirst: clob.cancelFirst,
      selfTrade: clob.selfTrade,
      initialMarginBps: clob.initialMarginBps,
      maintenanceMarginBps: clob.maintenanceMarginBps,
      liquidationFeeBps: clob.liquidationFeeBps,
      ...(admin === null ? {} : { admin }),
      minNotional: String(clob.minNotional),
      maxOpenOrders: clob.maxOpenOrders,
      orderMemoryBlocks: clob.orderMemoryBlocks,
      autoLiquidatePerBlock: clob.autoLiquidatePerBlock,
      autoDequeue: clob.autoDequeue,
      mark: { ...clob.mark, impactNotional: String(clob.mark.impactNotional) },
      ...(clob.fees === undefined ? {} : { fees: writeFees(clob.fees) }),
      ...(clob.riskTiers === undefined ? {} : { riskTiers: clob.riskTiers.map(writeTier) }),
      ...(clob.limits === undefined ? {} : { limits: writeLimits(clob.limits) }),
      ...(clob.funding === undefined ? {} : { funding: { ...clob.funding } }),
      ...(clob.oracle === undefined ? {} : { oracle: { ...clob.oracle } }),
      ...(clob.insuranceSlippageBps === undefined ? {} : { insuranceSlippageBps: clob.insuranceSlippageBps }),
      ...(clob.liquidation === undefined ? {} : { liquidation: writeLiquidation(clob.liquidation) }),
      ...(clob.contractWritesPerBlock === undefined ? {} : { contractWritesPerBlock: clob.contractWritesPerBlock }),
      ...(clob.levelProofs === undefined ? {} : { levelProofs: clob.levelProofs }),
      ...(clob.orderChangesPerBlock === undefined ? {} : { orderChangesPerBlock: clob.orderChangesPerBlock }),
      ...(clob.ownersOnly === undefined ? {} : { ownersOnly: clob.ownersOnly }),
      ...(clob.subAccountsMax === undefined ? {} : { subAccountsMax: clob.subAccountsMax }),
      ...(clob.trigger === undefined ? {} : { trigger: { ...clob.trigger } }),
    },
    alloc: Object.fromEntries(genesis.alloc.map((entry) => [entry.address, writeAccount(entry)])),
    validators: genesis.validators.map(({ address: owner, publicKey: key, stake, moniker }) => ({
      address: owner,
      publicKey: bytesToHex(key),
      stake: String(stake),
      moniker,
    })),
    markets: genesis.markets.map(writeMarket),
    ...(genesis.staking === undefined ? {} : { staking: writeStaking(genesis.staking) }),
    ...(genesis.upgrades === undefined ? {} : { upgrades: genesis.upgrades.map((upgrade) => ({ ...upgrade })) }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

const writeFees = ({ treasury, ...fees }: FeeParams): NonNullable<GenesisFile['clob']['fees']> => ({
  ...fees,
  ...(treasury === null ? {} : { treasury }),
});

function writeAccount({ balance, nonce, code, storage }: GenesisAccount): Static<typeof account> {
  return {
    balance: String(balance),
    ...(nonce === 0 ? {} : { nonce }),
    ...(code.length === 0 ? {} : { code: bytesToHex(code) }),
    ...(storage.length === 0 ? {} : { storage: Object.fromEntries(storage.map(({ slot, value }) => [slot, value])) }),
  };
}

import { createClobEngine } from '@prime/clob';
import {
  type ActionPayload,
  type BlockDelta,
  bodyRoot,
  type CommitCertificate,
  defaultClobParams,
  genesisFormatVersion,
  defaultMarketDecimals,
  encodeNativeTransaction,
  type Evidence,
  evidenceHash,
  type ExecutableBlock,
  type ExecutionStatus,
  type Genesis,
  headerHash,
  lastCommitHash,
  type NativeTransaction,
  type OrderFields,
  verifiedAction,
  ordersAddress,
  type RecordWrite,
  stakingAddress,
  validatorsHash,
  type VerifiedAction,
  type VerifiedTransaction,
} from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createEvmState, createNodeCommon } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import type { Address, Hash, Height, MarketId, TimestampMs } from '@prime/primitives';
import { type PipelineWatch, unwatched } from '../pipeline/blockStages.ts';
import { readExecuted } from '../history/history.ts';
import { openChain } from '../pipeline/open.ts';
import { createOrderViews } from '../orderViews/orderViews.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import type { ClobPort } from '../ports.ts';
import { clobInThread } from '../domains/clobInThread.ts';
import { archive, type Retention } from '../history/pruner.ts';
import { openStaking } from '../domains/staking.ts';

/** A chain in memory with the real EVM and the real order book, one call per block. */
export interface TestChain {
  readonly genesis: Genesis;
  readonly database: MemoryDatabase;
  readonly pipeline: Pipeline;
  readonly deltas: BlockDelta[];
  balance(address: Address): bigint;
  block(content: BlockContent): ExecutableBlock;
  /** Checks, executes and commits. */
  run(content: BlockContent): Promise<BlockDelta>;
}

interface BlockContent {
  readonly transactions?: readonly VerifiedTransaction[];
  readonly actions?: readonly VerifiedAction[];
  readonly evidence?: readonly Evidence[];
  readonly lastCommit?: CommitCertificate;
  readonly status?: Partial<ExecutionStatus>;
  /** Default: a second for each height after genesis. */
  readonly timestampMs?: number;
}

const zero = `0x${'0'.repeat(64)}` as Hash;
const slotZero = zero;
const proposer = `0x${'0'.repeat(38)}99` as Address;
const gateway = `0x${'0'.repeat(38)}98` as Address;
export const alice = `0x${'0'.repeat(38)}a1` as Address;
export const bob = `0x${'0'.repeat(38)}b1` as Address;
export const faucet = `0x${'0'.repeat(38)}f1` as Address;
const genesisTimeMs = 1_700_000_000_000 as TimestampMs;

export function testGenesis(changes: Partial<Genesis> = {}): Genesis {
  const account = (address: Address, balance: bigint) => ({
    address,
    balance,
    nonce: 0,
    code: new Uint8Array(0),
    storage: [],
  });
  return {
    formatVersion: genesisFormatVersion,
    chainId: 7919,
    networkName: 'test',
    testNetwork: true,
    timestampMs: genesisTimeMs,
    actions: 'open',
    faucet: null,
    privacyForkBlock: null,
    consensus: {
      minBlockIntervalMs: 50,
      emptyBlockIntervalMs: 1000,
      precisionMs: 500,
      messageDelayMs: 2000,
      maxBlockBytes: 512 * 1024,
      maxBlockActions: 5000,
    },
    evm: { gasLimit: 30_000_000n, initialBaseFee: 1_000_000_000n },
    clob: defaultClobParams,
    alloc: [account(alice, 10n ** 20n), account(bob, 1000n), account(faucet, 10n ** 6n)],
    validators: [],
    markets: [{ symbol: 'PRM/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals }],
    ...changes,
  };
}

/** Every so many blocks the test chain writes with `sync`. */
export const testSyncIntervalBlocks = 4;

export async function createTestChain(
  genesis: Genesis,
  database = createMemoryDatabase(),
  retention: Retention = archive,
  watched: (clob: ClobPort) => ClobPort = (clob) => clob,
  watch: PipelineWatch = unwatched,
): Promise<TestChain> {
  const clob = watched(clobInThread(createClobEngine(genesis.clob, genesis.actions)));
  const accounts = createAccountReader(database);
  const committedOrdersRoot = (): Hash => accounts.slot(ordersAddress, slotZero);
  const status = await openChain({ genesis, database, clob, committedOrdersRoot });
  const provider = await cryptoProvider();
  const committedRoot = (): Hash => accounts.slot(stakingAddress, slotZero);
  const staking = await openStaking({ genesis, database, provider, committedRoot });
  const common = await createNodeCommon(genesis.chainId);
  const blockHashOf = (height: Height): Hash | null => readExecuted(database, height)?.hash ?? null;
  const evm = await createEvmState({
    database,
    common,
    stateRoot: status.roots.stateRoot,
    blockHashOf,
    listsDropped: retention.states !== null,
    orderViews: createOrderViews({ database, minTrades: genesis.clob.mark.minTrades }),
  });
  const deltas: BlockDelta[] = [];
  const pipeline = createPipeline({
    genesis,
    database,
    evm,
    clob,
    status,
    staking,
    onDelta: (delta) => void deltas.push(delta),
    syncIntervalBlocks: testSyncIntervalBlocks,
    retention,
    watch,
  });
  const block = (content: BlockContent): ExecutableBlock =>
    makeBlock(genesis, { ...pipeline.status(), ...content.status }, content);
  return {
    genesis,
    database,
    pipeline,
    deltas,
    balance: (address) => accounts.account(address).balance,
    block,
    async run(content) {
      const executable = block(content);
      const verdict = await pipeline.check(executable);
      if (!verdict.ok) throw new Error(verdict.reason);
      await pipeline.execute(executable.hash);
      await pipeline.commit(executable.hash, certificateOf(executable));
      return deltas.at(-1)!;
    },
  };
}

export const certificateOf = ({ hash, block }: ExecutableBlock): CommitCertificate => ({
  height: block.header.height,
  round: 0 as CommitCertificate['round'],
  blockHash: hash,
  signatures: [],
});

function makeBlock(genesis: Genesis, head: ExecutionStatus, content: BlockContent): ExecutableBlock {
  const transactions = content.transactions ?? [];
  const actions = content.actions ?? [];
  const lastCommit = content.lastCommit ?? null;
  const header = {
    version: 1,
    chainId: genesis.chainId,
    height: (head.height + 1) as Height,
    timestampMs: (content.timestampMs ?? genesisTimeMs + 1000 * (head.height + 1)) as TimestampMs,
    parentHash: head.hash,
    proposer,
    validatorsHash: validatorsHash([]),
    nextValidatorsHash: validatorsHash([]),
    bodyRoot: bodyRoot(
      transactions.map(({ hash }) => hash),
      actions.map(({ hash }) => hash),
    ),
    lastCommitHash: lastCommitHash(lastCommit),
    evidenceHash: evidenceHash(content.evidence ?? []),
    gasLimit: genesis.evm.gasLimit,
    baseFee: head.nextBaseFee,
    parentResults: head.roots,
  };
  const block = {
    header,
    transactions: transactions.map(({ raw }) => raw),
    actions: actions.map(({ raw }) => raw),
    evidence: content.evidence ?? [],
    lastCommit,
  };
  return { hash: headerHash(header), block, transactions, actions };
}

let nonce = genesisTimeMs * 1000;
/** A gateway action as the consensus thread would hand it over. */
export function action(account: Address, payload: ActionPayload, nonceOverride?: number): VerifiedAction {
  nonce += 1;
  const transaction: NativeTransaction = {
    chainId: 7919,
    nonce: nonceOverride ?? nonce,
    expiresAt: 0,
    account,
    payload,
    signatureKind: 'gateway',
    signature: new Uint8Array(65).fill(1, 0, 64),
  };
  return verifiedAction(encodeNativeTransaction(transaction), gateway, transaction);
}

/** An order of the first market that rests until it is filled or cancelled, but for what is given. */
export const orderOf = (
  fields: Pick<OrderFields, 'side' | 'price' | 'size'> & Partial<OrderFields>,
): Extract<ActionPayload, { readonly type: 'order' }> => ({
  type: 'order',
  marketId: 1 as MarketId,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  ...fields,
});

/** The database as a process that ends here leaves it. */
export async function copyOf(database: MemoryDatabase): Promise<MemoryDatabase> {
  const writes: RecordWrite[] = [];
  for await (const [key, value] of database.entries(new Uint8Array(0))) writes.push({ key, value });
  return createMemoryDatabase(writes);
}

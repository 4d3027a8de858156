import { type ClobOutcome, escrowAddress, type RecordProof } from '@prime/clob';
import {
  type BlockCheck,
  type BlockDelta,
  type CommitCertificate,
  type CommitOutcome,
  encodeOrderPage,
  type Evidence,
  eventsRoot,
  type ExecutableBlock,
  type ExecutionRoots,
  type ExecutionStatus,
  type Genesis,
  orderPageIds,
  orderRecordKey,
  type OrdersProof,
  prefixedKey,
  recordKind,
  recordNumber,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import type { EvidencePlace, EvidenceVerdict } from '@prime/consensus';
import { ordersRootSlot, pendingWritesSlot } from '@prime/predeploy';
import { type EvmBlock, type EvmOutcome, type EvmState, nextBaseFee, type StateDatabase } from '@prime/evm';
import { assert, type Hash, type Height, type OrderId, SerialQueue } from '@prime/primitives';
import { Bonding, type Bonded } from './bonding.ts';
import { outsidersOf } from './outsiders.ts';
import { BlockFailures, both } from './blockFailures.ts';
import { Boundary } from './boundary.ts';
import { checkBlock } from './check.ts';
import { CheckedBlocks } from './checkedBlocks.ts';
import {
  actionsOf,
  depositsOf,
  type PendingWrites,
  pendingWritesOf,
  pendingWritesRecord,
  readPendingWrites,
} from './contractWrites.ts';
import { ChainError } from './errors.ts';
import { type ExecutedRecord, executedWrites, historyWrites, readExecuted } from './history.ts';
import { movesBeforeWrites } from './movesBefore.ts';
import { orderViewWrites } from './orderViews/orderHistory.ts';
import type { ClobPort, DeltaSink } from './ports.ts';
import { createPruner, type Retention } from './pruner.ts';
import { restingClob } from './restingClob.ts';
import { type StakingDomain, StakingHead } from './staking.ts';

/**
 * The block pipeline of the execution thread.
 *
 * A decided block becomes state in three phases: boundary (deposits move value between the domains), EVM and order book side by
 * side, commit (the orders root is written into the state, the state root taken). Execution starts while the votes are still
 * under way, on an overlay: {@link Pipeline.commit} makes it permanent in one atomic batch, any other block's execution throws
 * it away.
 */
export interface Pipeline {
  status(): ExecutionStatus;
  /** Judges a block by the committed state. It waits for a commit and for no execution: votes go on while a block runs. */
  check(block: ExecutableBlock): Promise<BlockCheck>;
  /** Whether each piece of evidence could stand in the next block. */
  judgeEvidence(evidence: readonly Evidence[]): Promise<readonly EvidenceVerdict[]>;
  /**
   * Executes a checked block ahead of its decision; the first of each height alone. Where rounds fail because blocks take long, to run
   * each round's block would make the next round fail too.
   *
   * A block that throws is taken back as a whole, and throws the same in {@link commit}; others can be committed after it.
   *
   * @returns null where another block of the height was the first, and for one that did not pass {@link check}
   * @throws ChainError `CHAIN_BLOCK_FAILED` with what was thrown as its cause
   */
  execute(hash: Hash): Promise<ExecutionRoots | null>;
  /**
   * @param behind decided blocks after it that are known to be missing here; for who takes its delta. Default 0
   * @throws ChainError `CHAIN_UNKNOWN_BLOCK`; `CHAIN_BLOCK_FAILED`: nothing of the block was written
   */
  commit(hash: Hash, certificate: CommitCertificate, behind?: number): Promise<CommitOutcome>;
  /**
   * Proof of a record of the order book in the committed state.
   *
   * @param key as clobRecords.ts and levelRecords.ts make it @throws ChainError `CHAIN_LEVELS_NOT_KEPT`
   */
  prove(key: Uint8Array): Promise<OrdersProof>;
  /** Drops a pending execution and waits for what is running. */
  close(): Promise<void>;
}

export interface PipelineOptions {
  readonly genesis: Genesis;
  readonly database: StateDatabase;
  readonly evm: EvmState;
  readonly clob: ClobPort;
  /** Where execution stands: what {@link openChain} found. */
  readonly status: ExecutionStatus;
  /** What {@link openStaking} found. */
  readonly staking: StakingDomain | null;
  readonly onDelta: DeltaSink;
  /** Blocks between two writes that wait for the disk, at least 1: what a power cut takes is executed again from the block store. */
  readonly syncIntervalBlocks: number;
  /** How much of the past is kept. States are pruned only if the EVM lists dropped nodes. */
  readonly retention: Retention;
  /** Told of each block that was executed. @param ms how long it took, what it waited for included */
  readonly onExecuted?: (ms: number) => void;
}

interface Executed {
  readonly hash: Hash;
  readonly block: EvmBlock;
  readonly evm: EvmOutcome;
  readonly clob: ClobOutcome;
  /** What its contracts leave to the next block. */
  readonly pending: PendingWrites;
  readonly bonded: Bonded;
  readonly roots: ExecutionRoots;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { genesis, database, onDelta, onExecuted, syncIntervalBlocks } = options;
  const clob = restingClob(options.clob);
  let head = options.status;
  /** What the contracts of the head left to the next block. */
  let left = readPendingWrites(database, head.height);
  const staking = new StakingHead(options.staking);
  let pending: Executed | null = null;
  const checked = new CheckedBlocks();
  const failures = new BlockFailures();
  const calls = new SerialQueue();
  const commits = new SerialQueue();
  const pruner = createPruner(database, options.retention);

  const discard = async (): Promise<void> => {
    if (pending === null) return;
    const { block } = pending;
    pending = null;
    block.discard();
    await clob.rollback();
  };

  const execute = async (hash: Hash): Promise<Executed> => {
    if (pending?.hash === hash) return pending;
    const block = checked.get(hash, head.height);
    await discard();
    const before = performance.now();
    pending = await failures.watch(block, () => runPhases(block, left, { ...options, clob, staking: staking.domain }));
    onExecuted?.(performance.now() - before);
    return pending;
  };

  const commit = async (hash: Hash, certificate: CommitCertificate, behind = 0): Promise<CommitOutcome> => {
    const executed = await execute(hash);
    const block = checked.get(hash, head.height);
    const { roots } = executed;
    const { height, timestampMs } = block.block.header;
    const status = { hash, roots, nextBaseFee: nextBaseFee({ gasUsed: roots.gasUsed, ...block.block.header }) };
    await pruner.settled();
    const done = { block, executed, certificate, record: { timestampMs, ...status }, staking };
    const { delta, writes } = await failures.watch(block, () => batchOf(done, options));
    await database.write(writes, { sync: height % syncIntervalBlocks === 0 });
    executed.block.commit();
    pending = null;
    await clob.commit();
    checked.clear();
    failures.clear();
    head = { height, ...status };
    left = pendingAfter(executed, database, height);
    const validators = staking.move(executed.bonded.staking);
    await onDelta(delta, behind);
    pruner.start(height);
    return { accounts: executed.evm.accounts, ...head, ...validators };
  };

  return {
    status: () => ({ ...head, ...staking.status() }),
    check: (block) =>
      commits.idle().then(() => {
        const verdict = judgeBlock(block, head, staking, options);
        if (verdict.ok) checked.add(block);
        return verdict;
      }),
    judgeEvidence: (evidence) => commits.idle().then(() => staking.judge(evidence, nextPlace(head, database))),
    execute: (hash) => calls.run(async () => (checked.isAhead(hash) ? (await execute(hash)).roots : null)),
    commit: (hash, certificate, behind = 0) => commits.run(() => calls.run(() => commit(hash, certificate, behind))),
    prove: (key) => calls.run(async () => proofOf(head, await clob.prove(provable(key, genesis)), database)),
    close: () =>
      calls.run(async () => {
        await discard();
        await pruner.settled();
      }),
  };
}

/**
 * Boundary, EVM and order book in parallel, orders root into the state.
 *
 * @param before what the contracts of the block before left to this one
 */
async function runPhases(block: ExecutableBlock, before: PendingWrites, domains: Domains): Promise<Executed> {
  const { header } = block.block;
  const evmBlock = domains.evm.begin({
    height: header.height,
    timestampMs: header.timestampMs,
    proposer: header.proposer,
    gasLimit: header.gasLimit,
    baseFee: header.baseFee,
    parentHash: header.parentHash,
    prevRandao: header.parentHash,
  });
  try {
    return await runIn(evmBlock, block, before, domains);
  } catch (error) {
    // Neither domain keeps anything of it. What went wrong first is what is told, whatever taking it back says.
    evmBlock.discard();
    await domains.clob.rollback().catch(() => undefined);
    throw error;
  }
}

type Domains = Pick<PipelineOptions, 'genesis' | 'evm' | 'clob' | 'staking'>;

async function runIn(
  evmBlock: EvmBlock,
  block: ExecutableBlock,
  before: PendingWrites,
  { genesis, clob, staking }: Domains,
): Promise<Executed> {
  const boundary = new Boundary(evmBlock, genesis.faucet);
  const bonding = new Bonding(evmBlock, staking);
  const outsiders = outsidersOf(block.actions, genesis, evmBlock, staking);
  const debits = await boundary.debit(block.actions);
  await bonding.debit(block.actions);
  const { height, timestampMs } = block.block.header;
  const fundings = debits.map(({ actionIndex, funded, faucetAmount }) => ({ actionIndex, funded, faucetAmount }));
  const contractActions = actionsOf(before);
  const [clobOutcome, receipts] = await both(
    clob.execute({ height, timestampMs, contractActions, actions: block.actions, deposits: fundings, ...outsiders }),
    evmBlock.run(block.transactions),
  );
  const left = pendingWritesOf(receipts);
  await boundary.settle(debits, clobOutcome, { made: depositsOf(left), credited: depositsOf(before) });
  const bonded = await bonding.settle(block, clobOutcome);
  await evmBlock.setStorage(escrowAddress, ordersRootSlot, clobOutcome.ordersRoot);
  if (left.hash !== before.hash) await evmBlock.setStorage(escrowAddress, pendingWritesSlot, left.hash);
  const outcome = await evmBlock.finish();
  const roots: ExecutionRoots = {
    stateRoot: outcome.stateRoot,
    receiptsRoot: outcome.receiptsRoot,
    eventsRoot: eventsRoot(bonded.events),
    gasUsed: outcome.gasUsed,
  };
  return { hash: block.hash, block: evmBlock, evm: outcome, clob: clobOutcome, bonded, pending: left, roots };
}

function deltaOf(
  block: ExecutableBlock,
  executed: Executed,
  certificate: CommitCertificate,
  nextBaseFeeOfBlock: bigint,
): BlockDelta {
  return {
    block: block.block,
    hash: block.hash,
    certificate,
    roots: executed.roots,
    transactionHashes: block.transactions.map(({ hash }) => hash),
    actionHashes: block.actions.map(({ hash }) => hash),
    receipts: executed.evm.receipts,
    actionResults: executed.bonded.results,
    events: executed.bonded.events,
    accounts: executed.evm.accounts,
    clobRecords: executed.clob.writes,
    nextBaseFee: nextBaseFeeOfBlock,
  };
}

/** The key, unless it is one that is always absent: that would say that nobody rests at the price. */
function provable(key: Uint8Array, { clob }: Genesis): Uint8Array {
  if (recordKind(key) === 'level' && clob.levelProofs !== true)
    throw new ChainError('this network keeps no records of price levels', { code: 'CHAIN_LEVELS_NOT_KEPT' });
  return key;
}

/** The proof with the record that it ends at, as it stands in the database. */
function proofOf(
  { height, hash, roots }: ExecutionStatus,
  { steps, leafKey }: RecordProof,
  database: StateDatabase,
): OrdersProof {
  const record = leafKey === null ? null : { key: leafKey, value: leafValue(leafKey, database) };
  return { height, hash, stateRoot: roots.stateRoot, steps, record };
}

/** A leaf of the orders root: a stored record, or the stored records of a page of orders. */
function leafValue(key: Uint8Array, database: StateDatabase): Uint8Array {
  const stored = (recordKey: Uint8Array): Uint8Array | undefined =>
    database.getSync(prefixedKey(statePrefix.clobRecord, recordKey));
  if (recordKind(key) === 'order') {
    const first = recordNumber(key) * orderPageIds;
    const ids = Array.from({ length: orderPageIds }, (_, place) => (first + place) as OrderId);
    const orders = ids.map((id) => stored(orderRecordKey(id))).filter((order) => order !== undefined);
    assert(orders.length > 0, 'every page of the orders root has a stored order');
    return encodeOrderPage(orders);
  }
  const value = stored(key);
  assert(value !== undefined, 'every other leaf of the orders root is a stored record');
  return value;
}

/** A block that was executed and is committed now. */
interface Done {
  readonly block: ExecutableBlock;
  readonly executed: Executed;
  readonly certificate: CommitCertificate;
  readonly record: ExecutedRecord;
  readonly staking: StakingHead;
}

/** What a block leaves: its delta, and all that it writes, views included. */
async function batchOf(
  done: Done,
  options: PipelineOptions,
): Promise<{ readonly delta: BlockDelta; readonly writes: readonly RecordWrite[] }> {
  const { block, executed, certificate, record } = done;
  const delta = deltaOf(block, executed, certificate, record.nextBaseFee);
  const writes = writesOf(done, delta, options.database);
  writes.push(...(await viewsOf(executed.clob, block.block.header.height, options)));
  return { delta, writes };
}

/** Everything that one block puts into the database: state, records of the order book, history, and the new head. */
const writesOf = (
  { block, executed, record, staking }: Done,
  delta: BlockDelta,
  database: StateDatabase,
): RecordWrite[] => [
  ...executed.evm.writes,
  ...clobWrites(executed.clob.writes),
  ...staking.writes(executed.bonded.staking),
  ...historyWrites(delta, block.actions, database),
  ...pendingWritesRecord(delta.block.header.height, executed.pending),
  ...movesBeforeWrites(delta.block.header.height, executed.evm.movesBefore, delta.transactionHashes.length),
  ...executedWrites(delta.block.header.height, record),
];

/** What contracts will read of the order book. */
const viewsOf = (
  { writes }: ClobOutcome,
  height: Height,
  { database, retention }: Pick<PipelineOptions, 'database' | 'retention'>,
): Promise<RecordWrite[]> => orderViewWrites(database, height, writes, retention.states !== null);

/** Records of the order book under their prefix in the state database. */
export const clobWrites = (writes: readonly RecordWrite[]): RecordWrite[] =>
  writes.map(({ key, value }) => ({ key: prefixedKey(statePrefix.clobRecord, key), value }));

function judgeBlock(
  block: ExecutableBlock,
  head: ExecutionStatus,
  staking: StakingHead,
  { genesis, evm }: Pick<PipelineOptions, 'genesis' | 'evm'>,
): BlockCheck {
  const evidence = staking.refuse(block.block);
  if (!evidence.ok) return evidence;
  return checkBlock(block, { head, gasLimit: genesis.evm.gasLimit, account: (of) => evm.account(of) });
}

/** Where there is something, it is what a node that starts here reads: both do the same with it. */
const pendingAfter = ({ pending }: Executed, database: StateDatabase, height: Height): PendingWrites =>
  pending.encoded === null ? pending : readPendingWrites(database, height);

/** Where the next block will be, as far as that is known. */
function nextPlace(head: ExecutionStatus, database: StateDatabase): EvidencePlace {
  const record = readExecuted(database, head.height);
  assert(record !== null, `no results are stored for the head ${head.height}`);
  return { height: (head.height + 1) as Height, timestampMs: record.timestampMs };
}

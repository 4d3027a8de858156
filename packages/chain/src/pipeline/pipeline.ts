import {
  type AccountChange,
  type BlockCheck,
  type CommitCertificate,
  type CommitOutcome,
  eventsRoot,
  type Evidence,
  type ExecutableBlock,
  type ExecutionRoots,
  type ExecutionStatus,
  type Genesis,
  ordersAddress,
  type OrdersProof,
} from '@prime/codec';
import type { EvidencePlace, EvidenceVerdict } from '@prime/consensus';
import { ordersRootSlot, pendingWritesSlot } from '@prime/predeploy';
import { type EvmBlock, type EvmState, nextBaseFee, type StateDatabase } from '@prime/evm';
import { type Address, assert, type Hash, type Height, SerialQueue, type TimestampMs } from '@prime/primitives';
import { Bonding } from '../domains/bonding.ts';
import { oracleSetOf } from '../domains/oracleSet.ts';
import { outsidersOf } from '../domains/outsiders.ts';
import { BlockFailures, both } from './blockFailures.ts';
import { type CommitStage, type ExecutionPhase, type PipelineWatch, timed, unwatched } from './blockStages.ts';
import { Boundary } from '../domains/boundary.ts';
import { type CheckContext, checkBlock } from './check.ts';
import { CheckedBlocks } from './checkedBlocks.ts';
import {
  actionsOf,
  depositsOf,
  type PendingWrites,
  pendingWritesOf,
  readPendingWrites,
} from '../domains/contractWrites.ts';
import { batchOf, type Done, type Executed } from './committed.ts';
import { readExecuted } from '../history/history.ts';
import type { ClobPort, DeltaSink } from '../ports.ts';
import type { Retention } from '../history/pruner.ts';
import { createUpkeep } from '../history/upkeep.ts';
import { proofOf, provable } from './recordProof.ts';
import { restingClob } from '../domains/restingClob.ts';
import { type StakingDomain, StakingHead } from '../domains/staking.ts';

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
  /**
   * Judges a block by the newest decided state. It waits until the results of a decided block are known and for no execution: votes go on while a
   * block runs, and while the one before it is written.
   */
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
   * Makes a decided block part of the state; ends when it is written and told of.
   *
   * @param onResults told of its results as soon as they are known, before anything is written: consensus goes on with the next height meanwhile, and a
   *   process that ends in between executes the block again from the block store. Nothing else may show them before this has ended.
   * @param behind decided blocks after it that are known to be missing here; for who takes its delta. Default 0
   * @throws ChainError `CHAIN_UNKNOWN_BLOCK`; `CHAIN_BLOCK_FAILED`: nothing of the block was written
   */
  commit(
    hash: Hash,
    certificate: CommitCertificate,
    behind?: number,
    onResults?: (outcome: CommitOutcome) => void,
  ): Promise<CommitOutcome>;
  /**
   * Proof of a record of the order book in the committed state.
   *
   * @param key as recordKeys.ts and levelRecords.ts make it @throws ChainError `CHAIN_LEVELS_NOT_KEPT`
   */
  prove(key: Uint8Array): Promise<OrdersProof>;
  /** Does something while no block is executed or written: the database is as of the head then. @returns what it returns */
  between<Result>(work: () => Result): Promise<Result>;
  /** Drops a pending execution and waits for what is running. */
  close(): Promise<void>;
}

/** What a pipeline goes on from, what it writes to, and whom it tells. */
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
  readonly watch?: PipelineWatch;
}

/** A pipeline that goes on from the given status; {@link openChain} finds what it needs. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const parts = partsOf(options);
  const { state, staking, checked, calls, results, upkeep } = parts;
  const { genesis, database, evm } = options;
  return {
    status: () => ({ ...state.head, ...staking.status() }),
    check: (block) =>
      results.idle().then(() => {
        const account = (of: Address) => state.fresh.get(of) ?? evm.account(of);
        const verdict = judgeBlock(block, staking, { head: state.head, gasLimit: genesis.evm.gasLimit, account });
        if (verdict.ok) checked.add(block);
        return verdict;
      }),
    judgeEvidence: (evidence) => results.idle().then(() => staking.judge(evidence, nextPlace(state))),
    execute: (hash) => calls.run(async () => (checked.isAhead(hash) ? (await execute(parts, hash)).roots : null)),
    commit: (hash, certificate, behind = 0, onResults = () => undefined) =>
      commit(parts, { hash, certificate, behind, onResults }),
    prove: (key) =>
      calls.run(async () => proofOf(state.head, await parts.clob.prove(provable(key, genesis)), database)),
    between: (work) => calls.run(async () => work()),
    close: () => calls.run(() => discard(parts).then(() => upkeep.settled())),
  };
}

/** Where a pipeline stands. */
interface State {
  head: ExecutionStatus;
  /** Of the head. */
  timestampMs: TimestampMs;
  /** What the contracts of the head left to the next block. */
  left: PendingWrites;
  /** What the head changed about accounts, until the EVM's state has it. */
  fresh: ReadonlyMap<Address, AccountChange>;
  pending: Executed | null;
}

const partsOf = (options: PipelineOptions) => {
  const { database, status, watch = unwatched } = options;
  const state: State = {
    head: options.status,
    timestampMs: storedTimeMs(status, database),
    left: readPendingWrites(database, status.height),
    fresh: new Map(),
    pending: null,
  };
  return {
    options,
    state,
    watch,
    clob: restingClob(options.clob),
    staking: new StakingHead(options.staking),
    checked: new CheckedBlocks(),
    failures: new BlockFailures(),
    calls: new SerialQueue(),
    /** Until the results of each decided block are known. */
    results: new SerialQueue(),
    stage: commitTimer(watch),
    upkeep: createUpkeep(database, options.retention, watch.pruned),
  };
};
type Parts = ReturnType<typeof partsOf>;

async function discard({ state, clob }: Parts): Promise<void> {
  if (state.pending === null) return;
  const { block } = state.pending;
  state.pending = null;
  block.discard();
  await clob.rollback();
}

async function execute(parts: Parts, hash: Hash): Promise<Executed> {
  const { options, state, clob, staking, checked, failures, watch } = parts;
  if (state.pending?.hash === hash) return state.pending;
  const block = checked.get(hash, state.head.height);
  await discard(parts);
  const phases = () => runPhases(block, state.left, { ...options, clob, staking: staking.domain, watch });
  return (state.pending = await timed(() => failures.watch(block, phases), watch.executed));
}

/** Moves the head to what a decided block made of it. */
async function settle(
  parts: Parts,
  hash: Hash,
  certificate: CommitCertificate,
): Promise<{ readonly done: Done; readonly outcome: CommitOutcome }> {
  const { state, staking, checked } = parts;
  const executed = await execute(parts, hash);
  const block = checked.get(hash, state.head.height);
  const { roots } = executed;
  const { height, timestampMs } = block.block.header;
  const status = { hash, roots, nextBaseFee: nextBaseFee({ gasUsed: roots.gasUsed, ...block.block.header }) };
  const record = { timestampMs, ...status };
  const done: Done = { block, executed, certificate, record, staking: staking.writes(executed.bonded.staking) };
  checked.clear();
  state.head = { height, ...status };
  state.timestampMs = timestampMs;
  state.fresh = new Map(executed.evm.accounts.map((change) => [change.address, change]));
  const transactionGas = executed.evm.receipts.map(({ gasUsed }) => Number(gasUsed));
  const validators = staking.move(executed.bonded.staking);
  return { done, outcome: { accounts: executed.evm.accounts, transactionGas, ...state.head, ...validators } };
}

/** Writes what the block leaves, and tells of it. */
async function keep({ options, state, clob, failures, stage, upkeep }: Parts, done: Done, behind: number) {
  const { database, onDelta, syncIntervalBlocks } = options;
  const { block, executed } = done;
  const { height } = block.block.header;
  await upkeep.settled();
  const { delta, writes, records } = await stage('batch', () => failures.watch(block, () => batchOf(done, options)));
  await stage('write', () => database.write(writes, { sync: height % syncIntervalBlocks === 0 }));
  await stage('keep', async () => {
    executed.block.commit();
    state.fresh = new Map();
    state.pending = null;
    await clob.commit();
  });
  failures.clear();
  state.left = pendingAfter(executed, database, height);
  await stage('tell', async () => onDelta(delta, behind));
  upkeep.start(height, records);
}

interface Decided {
  readonly hash: Hash;
  readonly certificate: CommitCertificate;
  readonly behind: number;
  readonly onResults: (outcome: CommitOutcome) => void;
}

function commit(parts: Parts, { hash, certificate, behind, onResults }: Decided): Promise<CommitOutcome> {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // What comes after it is judged by its results; by the head as it was where it has none.
  void parts.results.run(() => ended);
  return parts.calls.run(async () => {
    try {
      const { done, outcome } = await settle(parts, hash, certificate);
      end();
      onResults(outcome);
      await keep(parts, done, behind);
      return outcome;
    } finally {
      end();
    }
  });
}

/** Where the next block will be, as far as that is known. */
const nextPlace = ({ head, timestampMs }: State): EvidencePlace => ({
  height: (head.height + 1) as Height,
  timestampMs,
});

const commitTimer =
  ({ commit }: PipelineWatch) =>
  <T>(name: CommitStage, work: () => Promise<T>): Promise<T> =>
    timed(work, (ms) => commit(name, ms));

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

type Domains = Pick<PipelineOptions, 'genesis' | 'evm' | 'clob' | 'staking'> & { readonly watch: PipelineWatch };

async function runIn(
  evmBlock: EvmBlock,
  block: ExecutableBlock,
  before: PendingWrites,
  { genesis, clob, staking, watch }: Domains,
): Promise<Executed> {
  const phase = <T>(name: ExecutionPhase, work: () => Promise<T>): Promise<T> =>
    timed(work, (ms) => watch.phase(name, ms));
  const boundary = new Boundary(evmBlock, genesis.faucet);
  const bonding = new Bonding(evmBlock, staking);
  const oracle = oracleSetOf(genesis, staking, block.actions);
  const outsiders = outsidersOf(block.actions, genesis, evmBlock, staking, oracle);
  const debits = await phase('boundary', async () => {
    const taken = await boundary.debit(block.actions);
    await bonding.debit(block.actions);
    return taken;
  });
  const { height, timestampMs } = block.block.header;
  const fundings = debits.map(({ actionIndex, funded, faucetAmount }) => ({ actionIndex, funded, faucetAmount }));
  const contractActions = actionsOf(before);
  const orders = {
    height,
    timestampMs,
    contractActions,
    actions: block.actions,
    deposits: fundings,
    ...outsiders,
    ...oracle,
  };
  const [clobOutcome, receipts] = await both(
    phase('orders', () => clob.execute(orders)),
    phase('evm', () => evmBlock.run(block.transactions)),
  );
  const left = pendingWritesOf(receipts);
  await boundary.settle(debits, clobOutcome, { made: depositsOf(left), credited: depositsOf(before) });
  const bonded = await bonding.settle(block, clobOutcome);
  await evmBlock.setStorage(ordersAddress, ordersRootSlot, clobOutcome.ordersRoot);
  if (left.hash !== before.hash) await evmBlock.setStorage(ordersAddress, pendingWritesSlot, left.hash);
  const outcome = await phase('root', () => evmBlock.finish());
  const roots: ExecutionRoots = {
    stateRoot: outcome.stateRoot,
    receiptsRoot: outcome.receiptsRoot,
    eventsRoot: eventsRoot(bonded.events),
    gasUsed: outcome.gasUsed,
  };
  return { hash: block.hash, block: evmBlock, evm: outcome, clob: clobOutcome, bonded, pending: left, roots };
}

function judgeBlock(block: ExecutableBlock, staking: StakingHead, context: CheckContext): BlockCheck {
  const evidence = staking.refuse(block.block);
  return evidence.ok ? checkBlock(block, context) : evidence;
}

/** Where there is something, it is what a node that starts here reads: both do the same with it. */
const pendingAfter = ({ pending }: Executed, database: StateDatabase, height: Height): PendingWrites =>
  pending.encoded === null ? pending : readPendingWrites(database, height);

/** Time of the block that the database ends with. */
function storedTimeMs({ height }: ExecutionStatus, database: StateDatabase): TimestampMs {
  const record = readExecuted(database, height);
  assert(record !== null, `no results are stored for the head ${height}`);
  return record.timestampMs;
}

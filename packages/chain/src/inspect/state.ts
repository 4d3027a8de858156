import { type ClobEngine, createClobEngine } from '@prime/clob';
import {
  type ExecutionRoots,
  type Genesis,
  ordersAddress,
  stakingAddress,
  statePrefix,
  type StoredBlock,
} from '@prime/codec';
import { escrowOf } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import { checkState, type StateDatabase } from '@prime/evm';
import { type AccountReader, createAccountReader } from '@prime/evm/accounts';
import { assert, type Hash, type Height, toTimestampMs } from '@prime/primitives';
import { checkPendingWrites, depositsOf, readPendingWrites } from '../domains/contractWrites.ts';
import { type ExecutedRecord, readExecuted, readLastApplied } from '../history/history.ts';
import { checkOrigin } from '../pipeline/open.ts';
import { openStaking } from '../domains/staking.ts';
import { Faults, faultsMax } from './faults.ts';

/** Outcome of a walk through the state database. Accounts and slots are those of the EVM. */
export interface StateInspection {
  /** Newest block that was executed; null where not even genesis was. */
  readonly height: Height | null;
  readonly accounts: number;
  readonly slots: number;
  readonly faults: readonly string[];
}

interface StateContext {
  readonly genesis: Genesis;
  readonly database: StateDatabase;
  readonly provider: CryptoProvider;
}

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/**
 * Checks a state database: that it is of this network and of this program's format, that the state root of its newest block leads to a whole state
 * ({@link checkState}), that order book and staking records have the roots that this state commits to, and that escrow covers what they owe.
 *
 * Writes nothing. @throws what reading throws when the disk fails
 */
export async function inspectState(context: StateContext): Promise<StateInspection> {
  const { database, genesis } = context;
  const faults = new Faults();
  const none = { accounts: 0, slots: 0 };
  const height = await faults.attempt('newest block', () => readLastApplied(database));
  if (height === null) return { height, ...none, faults: faults.list };
  await faults.attempt('origin', () => checkOrigin(database, genesis));
  const executed = await faults.attempt('results', () => readExecuted(database, height));
  if (executed === null) {
    faults.add(`the results of block ${height} are missing`);
    return { height, ...none, faults: faults.list };
  }
  const { accounts, slots } = (await faults.attempt('state', () => tries(database, executed, faults))) ?? none;
  await faults.attempt('order book', () => checkOrders(context, height, executed));
  await faults.attempt('writes of contracts', () => checkPendingWrites(database, height));
  await faults.attempt('staking', () => checkStaking(context));
  return { height, accounts, slots, faults: faults.list };
}

async function tries(
  database: StateDatabase,
  { roots }: ExecutedRecord,
  faults: Faults,
): Promise<{ readonly accounts: number; readonly slots: number }> {
  const { faults: found, ...counts } = await checkState(database, roots.stateRoot, faultsMax);
  faults.add(...found);
  return counts;
}

async function checkOrders(
  { genesis, database }: StateContext,
  height: Height,
  executed: ExecutedRecord,
): Promise<void> {
  const engine = createClobEngine(genesis.clob, genesis.actions);
  const records: (readonly [Uint8Array, Uint8Array])[] = [];
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord)))
    records.push([key.slice(1), value]);
  engine.restore(records);
  const accounts = createAccountReader(database);
  const [rebuilt, stored] = [engine.ordersRoot(), accounts.slot(ordersAddress, slotZero)];
  assert(rebuilt === stored, `its records give root ${rebuilt}, the state says ${stored}`);
  const waiting = depositsOf(readPendingWrites(database, height));
  checkCover('the order book', accounts, ordersAddress, owedBy(engine, height, executed) + waiting);
}

/** What accounts, queues and the insurance fund add up to; a block without content has the order book check that itself. */
function owedBy(engine: ClobEngine, height: Height, { timestampMs }: ExecutedRecord): bigint {
  const { escrow, escrowChange } = engine.execute({
    height: (height + 1) as Height,
    timestampMs: toTimestampMs(timestampMs + 1),
    actions: [],
    deposits: [],
  });
  return escrow - escrowChange;
}

async function checkStaking({ genesis, database, provider }: StateContext): Promise<void> {
  const accounts = createAccountReader(database);
  const committedRoot = (): Hash => accounts.slot(stakingAddress, slotZero);
  const staking = await openStaking({ genesis, database, provider, committedRoot });
  if (staking !== null) checkCover('staking', accounts, stakingAddress, escrowOf(staking.state));
}

function checkCover(
  what: string,
  accounts: AccountReader,
  holder: Parameters<AccountReader['account']>[0],
  owed: bigint,
): void {
  const { balance } = accounts.account(holder);
  assert(balance >= owed, `${what} owes ${owed} wei, and its account holds ${balance}`);
}

/**
 * Checks that stored results are those that the blocks name: each block carries the results of the one before it.
 *
 * @param from at least 1
 */
export async function inspectResults(
  database: StateDatabase,
  blocks: { get(height: Height): StoredBlock | null },
  from: Height,
  to: Height,
): Promise<readonly string[]> {
  const faults = new Faults();
  for (let height: number = from; height <= to && !faults.isFull; height++) {
    const at = height as Height;
    await faults.attempt(`results of block ${at}`, () => {
      const executed = readExecuted(database, at);
      // Blocks that a restored node never executed, or whose results it does not keep.
      if (executed === null) return;
      const own = blocks.get(at);
      const next = blocks.get((at + 1) as Height);
      if (own !== null && own.hash !== executed.hash) faults.add(`the results at ${at} are those of another block`);
      if (next !== null && !sameRoots(next.block.header.parentResults, executed.roots))
        faults.add(`the results of block ${at} are not those that block ${at + 1} names`);
    });
  }
  return faults.list;
}

const sameRoots = (a: ExecutionRoots, b: ExecutionRoots): boolean =>
  a.stateRoot === b.stateRoot &&
  a.receiptsRoot === b.receiptsRoot &&
  a.eventsRoot === b.eventsRoot &&
  a.gasUsed === b.gasUsed;

import type { Common } from '@ethereumjs/common';
import type { AccountProof, AccountState, CallMessage, CallOutcome, StateContext } from '@prime/codec';
import {
  type Address,
  bigintMin,
  bigintToNumber,
  bytesToHash,
  type Hash,
  isPrimeError,
  SerialQueue,
} from '@prime/primitives';
import type { BlockHashOf } from '../block/environment.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import type { OrderViews, StateDatabase } from '../ports.ts';
import { emptyAccount, hasCode } from '../state/account.ts';
import { wordKey } from '../state/bytes.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createStateNodes } from '../state/stateNodes.ts';
import { createTrieSources } from '../state/trieSource.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { estimateLimit } from './estimate.ts';
import { executeMessage, type Execution } from './execution.ts';
import { defaultCallGasMax, feesOf } from './message.ts';
import { createBlocks } from './overrides.ts';
import { StateOverlay } from '../state/overlay.ts';
import { prepareCall, type PreparedCall } from './prepare.ts';
import { proveAccount } from './prove.ts';
import { createQuickCalls } from './quickCalls.ts';
import { failureWords, isRevert } from './words.ts';

/** The states that are read, and how much time and gas one question may take. */
export interface StateReaderOptions {
  readonly database: Pick<StateDatabase, 'getSync'>;
  readonly common: Common;
  /** For BLOCKHASH. */
  readonly blockHashOf: BlockHashOf;
  readonly orderViews?: OrderViews;
  /** Wall-clock time of one call or estimate; null for none. */
  readonly timeoutMs?: number | null;
  /** Most gas of one call or estimate; {@link defaultCallGasMax} unless told. */
  readonly callGasMax?: bigint;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Reads and read-only execution at any stored state root. Has no way to write to the database.
 *
 * All methods throw EvmError `EVM_NODE_MISSING` for a root that is not stored; calls also `EVM_CALL_TIMEOUT`.
 */
export interface StateReader {
  account(address: Address, stateRoot: Hash): AccountState;
  code(address: Address, stateRoot: Hash): Uint8Array;
  storage(address: Address, slot: Hash, stateRoot: Hash): Hash;
  proof(address: Address, slots: readonly Hash[], stateRoot: Hash): AccountProof;
  call(message: CallMessage, at: StateContext): Promise<CallOutcome>;
  /**
   * The outcome of {@link call} within this turn, if the call comes to its end within a budget and its code needs no other account.
   *
   * Not for calls with value, overrides, authorizations or fees that are refused, nor while another call is under way: `unfit`.
   */
  callAtOnce(message: CallMessage, at: StateContext, budget: CallBudget): CallOutcome | NoOutcome;
  /** Success has the estimate as its gasUsed. */
  estimateGas(message: CallMessage, at: StateContext): Promise<CallOutcome>;
}

/** Work of a call that is carried out at once; what the call itself sees of its gas is not changed by it. */
export interface CallBudget {
  /** Gas that its code may spend. */
  readonly gas: number;
  readonly timeMs: number;
}

/** Nothing is known of the outcome: the call was not begun, or not brought to its end. */
export type NoOutcome = { readonly status: 'unfit' } | { readonly status: 'unfinished' };

/** A reader for one thread. Calls run one after another: they share one EVM. */
export async function createStateReader(options: StateReaderOptions): Promise<StateReader> {
  const { common, timeoutMs = null, callGasMax = defaultCallGasMax, now = () => performance.now() } = options;
  const sourceAt = createTrieSources(options.database);
  const nodesAt = createStateNodes(options.database);
  const manager = new OverlayStateManager(sourceAt(bytesToHash(emptyAccount.storageRoot)));
  const vm = await createLibraryVm(common, manager, options.blockHashOf, options.orderViews);
  const deadline = createDeadline(vm, now);
  manager.guard = deadline.check;
  const quick = createQuickCalls(vm, deadline.check);
  const calls = new SerialQueue();
  const blockOf = createBlocks(common);
  const prepare = (message: CallMessage, at: StateContext): PreparedCall | CallOutcome =>
    prepareCall(
      { vm, common, manager, openState: () => new StateOverlay(sourceAt(at.stateRoot), at.height), blockOf },
      message,
      at,
    );

  return {
    account(address, stateRoot) {
      const { nonce, balance } = sourceAt(stateRoot).account(address) ?? emptyAccount;
      return { nonce: bigintToNumber(nonce), balance };
    },
    code(address, stateRoot) {
      const source = sourceAt(stateRoot);
      const account = source.account(address) ?? emptyAccount;
      return hasCode(account) ? source.code(wordKey(account.codeHash)) : new Uint8Array(0);
    },
    storage(address, slot, stateRoot) {
      const word = new Uint8Array(32);
      const value = sourceAt(stateRoot).storage(address, slot);
      word.set(value, 32 - value.length);
      return wordKey(word);
    },
    proof: (address, slots, stateRoot) => proveAccount(nodesAt, address, slots, stateRoot),
    call: (message, at) =>
      calls.run(() => timed(deadline, timeoutMs, () => call(prepare(message, at), message, callGasMax))),
    callAtOnce(message, at, budget) {
      const fees = feesOf(message, at.baseFee);
      if (calls.size > 0 || 'refusal' in fees || !isPlain(message)) return { status: 'unfit' };
      const source = sourceAt(at.stateRoot);
      const block = () => blockOf(at, message.blockOverrides, fees.baseFee);
      const gasLimit = bigintMin(message.gas ?? callGasMax, callGasMax);
      const context = { source, fees, block, gasLimit, gasBudget: budget.gas };
      const execution = inTime(deadline, budget.timeMs, () => quick.execute(message, context));
      return execution === null ? { status: 'unfinished' } : outcomeOf(execution, gasLimit);
    },
    estimateGas: (message, at) =>
      calls.run(() => timed(deadline, timeoutMs, () => estimate(prepare(message, at), message, callGasMax))),
  };
}

async function timed<T>(deadline: Deadline, timeoutMs: number | null, work: () => Promise<T>): Promise<T> {
  deadline.start(timeoutMs);
  try {
    return await work();
  } finally {
    deadline.start(null);
  }
}

/** @returns null when the time was not enough */
function inTime<T>(deadline: Deadline, timeMs: number, work: () => T): T | null {
  deadline.start(timeMs);
  try {
    return work();
  } catch (error) {
    if (isPrimeError(error) && error.code === 'EVM_CALL_TIMEOUT') return null;
    throw error;
  } finally {
    deadline.start(null);
  }
}

/** Runs the code of one contract and nothing around it. */
const isPlain = ({ to, value, authorizationList, stateOverrides, blockOverrides }: CallMessage): boolean =>
  to !== null &&
  value === 0n &&
  authorizationList.length === 0 &&
  stateOverrides.length === 0 &&
  Object.values(blockOverrides).every((assumed) => assumed === null);

async function call(prepared: PreparedCall | CallOutcome, message: CallMessage, gasMax: bigint): Promise<CallOutcome> {
  if ('status' in prepared) return prepared;
  const gasLimit = bigintMin(message.gas ?? gasMax, gasMax);
  return prepared.run(async (execution, fees) =>
    outcomeOf(await executeMessage(execution, message, fees, gasLimit), gasLimit),
  );
}

async function estimate(
  prepared: PreparedCall | CallOutcome,
  message: CallMessage,
  nodeGasMax: bigint,
): Promise<CallOutcome> {
  if ('status' in prepared) return prepared;
  const { fees, block } = prepared;
  return estimateLimit({
    message,
    fees,
    gasMax: { block: block.header.gasLimit, node: nodeGasMax },
    state: prepared.openState(),
    run: (gasLimit) => prepared.run((execution) => executeMessage(execution, message, fees, gasLimit)),
  });
}

function outcomeOf(execution: Execution, gasLimit: bigint): CallOutcome {
  if (execution.kind === 'refused')
    return { status: 'failure', message: `err: ${execution.message} (supplied gas ${gasLimit})`, gasUsed: 0n };
  const { result, gasUsed } = execution;
  if (result.exceptionError === undefined) return { status: 'success', output: result.returnValue, gasUsed };
  if (isRevert(result)) return { status: 'revert', output: result.returnValue, gasUsed };
  return { status: 'failure', message: failureWords(result), gasUsed };
}

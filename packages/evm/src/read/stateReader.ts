import type { Common } from '@ethereumjs/common';
import { type Address, bigintMin, bigintToNumber, bytesToHash, type Hash, SerialQueue } from '@prime/primitives';
import type { BlockHashOf } from '../environment.ts';
import { createLibraryVm } from '../libraryVm.ts';
import type { StateDatabase } from '../ports.ts';
import { emptyAccount, hasCode } from '../state/account.ts';
import { wordKey } from '../state/bytes.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createTrieSources } from '../state/trieSource.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { estimateLimit } from './estimate.ts';
import { executeMessage } from './execution.ts';
import { type CallMessage, type CallOutcome, defaultCallGasMax, type ReadContext } from './message.ts';
import { createBlocks } from './overrides.ts';
import { StateOverlay } from '../state/overlay.ts';
import { prepareCall, type PreparedCall } from './prepare.ts';
import { type AccountProof, proveAccount } from './prove.ts';
import { failureWords, isRevert } from './words.ts';

export interface StateReaderOptions {
  readonly database: Pick<StateDatabase, 'getSync'>;
  readonly common: Common;
  /** For BLOCKHASH. */
  readonly blockHashOf: BlockHashOf;
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
  account(address: Address, stateRoot: Hash): { readonly nonce: number; readonly balance: bigint };
  code(address: Address, stateRoot: Hash): Uint8Array;
  storage(address: Address, slot: Hash, stateRoot: Hash): Hash;
  proof(address: Address, slots: readonly Hash[], stateRoot: Hash): AccountProof;
  call(message: CallMessage, at: ReadContext): Promise<CallOutcome>;
  /** Success has the estimate as its gasUsed. */
  estimateGas(message: CallMessage, at: ReadContext): Promise<CallOutcome>;
}

/** A reader for one thread. Calls run one after another: they share one EVM. */
export async function createStateReader(options: StateReaderOptions): Promise<StateReader> {
  const { common, timeoutMs = null, callGasMax = defaultCallGasMax, now = () => performance.now() } = options;
  const sourceAt = createTrieSources(options.database);
  const manager = new OverlayStateManager(sourceAt(bytesToHash(emptyAccount.storageRoot)));
  const vm = await createLibraryVm(common, manager, options.blockHashOf);
  const deadline = createDeadline(vm, now);
  manager.guard = deadline.check;
  const calls = new SerialQueue();
  const blockOf = createBlocks(common);
  const prepare = (message: CallMessage, at: ReadContext): PreparedCall | CallOutcome =>
    prepareCall(
      { vm, common, manager, openState: () => new StateOverlay(sourceAt(at.stateRoot)), blockOf },
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
    proof: (address, slots, stateRoot) => proveAccount(options.database, address, slots, stateRoot),
    call: (message, at) =>
      calls.run(() => timed(deadline, timeoutMs, () => call(prepare(message, at), message, callGasMax))),
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

function outcomeOf(execution: Awaited<ReturnType<typeof executeMessage>>, gasLimit: bigint): CallOutcome {
  if (execution.kind === 'refused')
    return { status: 'failure', message: `err: ${execution.message} (supplied gas ${gasLimit})`, gasUsed: 0n };
  const { result, gasUsed } = execution;
  if (result.exceptionError === undefined) return { status: 'success', output: result.returnValue, gasUsed };
  if (isRevert(result)) return { status: 'revert', output: result.returnValue, gasUsed };
  return { status: 'failure', message: failureWords(result), gasUsed };
}

import type { Block } from '@ethereumjs/block';
import type { EVMError, ExecResult } from '@ethereumjs/evm';
import { Message } from '@ethereumjs/evm';
import { Account, Address as LibraryAddress, createZeroAddress } from '@ethereumjs/util';
import type { VM } from '@ethereumjs/vm';
import type {
  CreatedAddresses,
  Interpreter,
  InterpreterClass,
  LibraryEvm,
  LibraryRunState,
  RunOptions,
} from './library.ts';
import type { EnteredFrame } from './world.ts';

type Run = Awaited<ReturnType<Interpreter['run']>>;

const events = ['step', 'beforeMessage', 'afterMessage', 'newContract'] as const;

/** Whether somebody follows what this EVM does; then everything goes the library's own way. */
export const isWatched = (evm: Pick<LibraryEvm, 'DEBUG' | 'events'>): boolean =>
  evm.DEBUG || events.some((event) => evm.events.listenerCount(event) > 0);

/**
 * Runs the code of a message like the library's method of the same name, without its copies: that one merges run state, result and
 * environment into one object for whoever watches, which takes longer than many calls.
 */
export function useLeanResults(evm: LibraryEvm, interpreterClass: InterpreterClass): void {
  const libraryRun = evm.runInterpreter.bind(evm);
  evm.runInterpreter = (message, options = {}) =>
    isWatched(evm) ? libraryRun(message, options) : runMessage(evm, interpreterClass, message, options);
}

async function runMessage(
  evm: LibraryEvm,
  interpreterClass: InterpreterClass,
  message: Message,
  options: RunOptions,
): Promise<ExecResult> {
  const contract = (await evm.stateManager.getAccount(message.to ?? createZeroAddress())) ?? new Account();
  const interpreter = openInterpreter(evm, interpreterClass, message, contract, options);
  return resultOf(message, interpreter, await interpreter.run(message.code as Uint8Array, options));
}

function openInterpreter(
  evm: LibraryEvm,
  interpreterClass: InterpreterClass,
  message: Message,
  contract: Account,
  options: RunOptions,
): Interpreter {
  const address = message.to ?? createZeroAddress();
  const { stateManager, blockchain, journal, performanceLogger, _tx: tx, _block: block } = evm;
  const { caller, data, value, code, isStatic, depth, gasLimit, gasRefund, selfdestruct, createdAddresses } = message;
  const environment = {
    address,
    caller,
    callData: data,
    callValue: value,
    code,
    isStatic,
    // Creations say so; the field is not in the declaration of a message.
    isCreate: (message as { isCreate?: boolean }).isCreate ?? false,
    depth,
    gasPrice: tx.gasPrice,
    origin: tx.origin ?? caller,
    block,
    contract,
    codeAddress: message.codeAddress,
    gasRefund,
    chargeCodeAccesses: (message as { chargeCodeAccesses?: boolean }).chargeCodeAccesses,
    blobVersionedHashes: message.blobVersionedHashes ?? [],
    accessWitness: undefined,
    createdAddresses,
    initialLogs: options.initialLogs,
  };
  const interpreter = new interpreterClass(
    evm,
    stateManager,
    blockchain,
    environment,
    gasLimit,
    journal,
    performanceLogger,
  );
  const result = interpreter._result;
  if (selfdestruct !== undefined) result.selfdestruct = selfdestruct;
  if (createdAddresses !== undefined) result.createdAddresses = createdAddresses;
  return interpreter;
}

function resultOf({ gasLimit }: Message, interpreter: Interpreter, { runState, exceptionError }: Run): ExecResult {
  const result = interpreter._result;
  // Where the library's merged object has it, for those who ask why a creation failed.
  Object.assign(runState, { returnValue: result.returnValue });
  const reverted = exceptionError?.error === 'revert';
  const isFailed = exceptionError !== undefined;
  return {
    logs: isFailed ? [] : result.logs,
    returnValue: result.returnValue ?? new Uint8Array(0),
    selfdestruct: isFailed ? new Map() : result.selfdestruct,
    ...(isFailed ? { createdAddresses: new Set<never>() } : withCreated(result.createdAddresses)),
    runState: runState as never,
    ...(isFailed ? { exceptionError } : {}),
    gas: runState.gasLeft,
    executionGasUsed: isFailed && !reverted ? gasLimit : gasLimit - runState.gasLeft,
    gasRefund: runState.gasRefund,
  };
}

const withCreated = (createdAddresses: CreatedAddresses | undefined): { createdAddresses?: CreatedAddresses } =>
  createdAddresses === undefined ? {} : { createdAddresses };

/** A call without value from outside of any transaction. */
export interface DirectCall {
  readonly block: Block;
  readonly gasPrice: bigint;
  readonly caller: LibraryAddress;
  readonly to: LibraryAddress;
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
}

/**
 * Runs the code of a contract for a message without value whose changes nobody keeps: what `runCall` does around it, a checkpoint and two
 * accounts that are written back, is left out.
 */
export async function callDirectly(vm: VM, call: DirectCall): Promise<ExecResult> {
  const evm = vm.evm as unknown as LibraryEvm;
  return withoutRefund(await evm.runInterpreter(directMessage(evm, call)));
}

/** A call that runs within this turn; what most code never looks at is made when it is asked for. */
export interface QuickCall extends Omit<DirectCall, 'block'> {
  readonly block: () => Block;
  /** Account of the code. */
  readonly contract: () => Account;
}

/** The library's side of such a call: its message and interpreter, for instructions and failures that are left to it. */
export interface LibraryCall {
  readonly state: LibraryRunState;
  /** What the library makes of a call that ended like this. @param exceptionError with the run state as it was then */
  readonly result: (exceptionError: EVMError) => ExecResult;
}

/**
 * Begins a call outside of any transaction whose code the library runs. Transient storage is empty (EIP-1153), and a call
 * that failed gets no refund.
 */
export function openLibraryCall(evm: LibraryEvm, interpreterClass: InterpreterClass, call: QuickCall): LibraryCall {
  // A call that a deadline ended leaves its transient storage behind.
  evm.transientStorage.clear();
  const message = directMessage(evm, { ...call, block: call.block() });
  const interpreter = openInterpreter(evm, interpreterClass, message, call.contract(), {});
  const runState = interpreter._runState;
  runState.code = call.code;
  return {
    state: runState,
    result: (exceptionError) => withoutRefund(resultOf(message, interpreter, { runState, exceptionError })),
  };
}

function directMessage(evm: LibraryEvm, { block, gasPrice, caller, to, code, data, gasLimit }: DirectCall): Message {
  evm._block = block;
  evm._tx = { gasPrice, origin: caller };
  const selfdestruct = new Map();
  return new Message({ caller, to, code, data, gasLimit, selfdestruct, createdAddresses: new Set() });
}

/** The library's run state of a frame that the loop entered by itself, for those of its instructions that are left to the library. */
export function openLibraryFrame(
  evm: LibraryEvm,
  interpreterClass: InterpreterClass,
  frame: EnteredFrame,
): LibraryRunState {
  const { world, depth, isStatic, refund, created } = frame.message!;
  const { stateManager, blockchain, journal, performanceLogger } = evm;
  const origin = new LibraryAddress(world.origin.bytes);
  // What the library makes of a creation looks at these.
  evm._block = world.block;
  evm._tx = { gasPrice: world.gasPrice, origin };
  const environment = {
    address: new LibraryAddress(frame.address.bytes),
    caller: new LibraryAddress(frame.caller.bytes),
    callData: frame.callData,
    callValue: frame.callValue,
    code: frame.code,
    isStatic,
    isCreate: false,
    depth,
    gasPrice: world.gasPrice,
    origin,
    block: world.block,
    contract: new Account(),
    gasRefund: BigInt(refund),
    blobVersionedHashes: [],
    accessWitness: undefined,
    createdAddresses: created,
  };
  const gasLeft = BigInt(frame.gas);
  const interpreter = new interpreterClass(
    evm,
    stateManager,
    blockchain,
    environment,
    gasLeft,
    journal,
    performanceLogger,
  );
  const state = interpreter._runState;
  state.code = frame.code;
  return state;
}

/** What failed gets nothing back. */
const withoutRefund = (result: ExecResult): ExecResult =>
  result.exceptionError === undefined ? result : { ...result, gasRefund: 0n };

/** What the loop knows of the library that is protected in it, or not among its exports. */
import type { Block } from '@ethereumjs/block';
import type { EVMError, ExecResult, Message } from '@ethereumjs/evm';
import type { Account, Address as LibraryAddress } from '@ethereumjs/util';
import type { Memory } from './memory.ts';

/** What the library's own interpreter works on; it is not among its exports. */
export interface LibraryRunState {
  programCounter: number;
  opCode: number;
  readonly code: Uint8Array;
  memory: Memory;
  memoryWordCount: bigint;
  highestMemCost: bigint;
  readonly stack: { _store: bigint[]; _len: number };
  gasLeft: bigint;
  gasRefund: bigint;
  returnBytes: Uint8Array;
  readonly env: LibraryEnvironment;
  readonly interpreter: LibraryInterpreter;
  validJumps: Uint8Array;
}

/** What surrounds code in the library. */
interface LibraryEnvironment {
  readonly address: LibraryAddress;
  readonly caller: LibraryAddress;
  readonly callData: Uint8Array;
  readonly callValue: bigint;
  readonly code: Uint8Array;
  readonly isStatic: boolean;
  readonly depth: number;
  readonly gasPrice: bigint;
  readonly origin: LibraryAddress;
  readonly block: Block;
  contract: Account;
  createdAddresses: Set<string> | undefined;
}

/** A log as the library has it. */
export type LibraryLog = readonly [address: Uint8Array, topics: Uint8Array[], data: Uint8Array];

interface LibraryInterpreter {
  readonly _result: {
    logs: LibraryLog[];
    returnValue?: Uint8Array;
    selfdestruct: Map<string, string>;
    createdAddresses?: Set<string>;
  };
  readonly _evm: object;
  runStep(entry: OpcodeEntry): Promise<void>;
}

/** What the library knows of an opcode; `fee` is the constant part of its gas. */
export interface OpcodeEntry {
  readonly opcodeInfo: {
    readonly fee: number;
    readonly isAsync: boolean;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  readonly opHandler: (runState: LibraryRunState, common: unknown) => unknown;
}

/** The parts of the library's EVM that stand around the run of a message; protected or not among its exports. */
export interface LibraryEvm {
  readonly DEBUG: boolean;
  readonly events: { listenerCount(event: string): number };
  readonly stateManager: { getAccount(address: LibraryAddress): Promise<Account | undefined> };
  readonly blockchain: unknown;
  readonly journal: unknown;
  readonly performanceLogger: unknown;
  readonly precompiles: ReadonlyMap<string, Precompile>;
  /** Its addresses need nothing but their text. */
  readonly transientStorage: {
    get(address: { toString(): string }, slot: Uint8Array): Uint8Array;
    put(address: { toString(): string }, slot: Uint8Array, value: Uint8Array): void;
    checkpoint(): void;
    commit(): void;
    revert(): void;
    clear(): void;
  };
  _tx: { readonly gasPrice: bigint; readonly origin?: LibraryAddress };
  _block?: Block;
  runInterpreter(message: Message, options?: RunOptions): Promise<ExecResult>;
  runPrecompile(run: Precompile, data: Uint8Array, gasLimit: bigint): ExecResult | Promise<ExecResult>;
}

/** A precompile of the library or of ours. */
export type Precompile = (input: never) => ExecResult | Promise<ExecResult>;

/** How the library's interpreter begins. */
export interface RunOptions {
  readonly pc?: number;
  readonly initialLogs?: ExecResult['logs'];
}

/** Contracts of this transaction, which alone SELFDESTRUCT removes (EIP-6780). */
export type CreatedAddresses = NonNullable<ExecResult['createdAddresses']>;

/** The library's interpreter of one message, as it is seen from outside. */
export interface Interpreter {
  readonly _runState: LibraryRunState & { code: Uint8Array };
  readonly _result: {
    logs: NonNullable<ExecResult['logs']>;
    returnValue?: Uint8Array;
    selfdestruct: NonNullable<ExecResult['selfdestruct']>;
    createdAddresses?: CreatedAddresses;
  };
  run(
    code: Uint8Array,
    options: RunOptions,
  ): Promise<{
    readonly runState: LibraryRunState;
    readonly exceptionError?: EVMError | undefined;
  }>;
}

/** The library's interpreter, which it does not export. */
export type InterpreterClass = new (
  evm: LibraryEvm,
  stateManager: unknown,
  blockchain: unknown,
  environment: object,
  gasLimit: bigint,
  journal: unknown,
  performanceLogger: unknown,
) => Interpreter;

import { EVMError } from '@ethereumjs/evm';

/**
 * One running contract as the synchronous loop sees it: the library's run state with plain numbers where it has bigints. The stack's
 * array and the memory are the library's own, so that an instruction can be handed to it at any time.
 */

/** The parts of the library's run state that the loop works on. */
export interface RunState {
  programCounter: number;
  opCode: number;
  readonly code: Uint8Array;
  readonly memory: FrameMemory;
  memoryWordCount: bigint;
  highestMemCost: bigint;
  readonly stack: FrameStack;
  gasLeft: bigint;
  readonly returnBytes: Uint8Array;
  readonly env: Environment;
}

export interface FrameMemory {
  _store: Uint8Array;
  /** Makes the store reach up to `offset + size` at least. */
  extend(offset: number, size: number): void;
}

export interface FrameStack {
  _store: bigint[];
  _len: number;
}

/** What the library's own interpreter has besides; it is not among its exports. */
export interface LibraryRunState extends RunState {
  readonly interpreter: LibraryInterpreter;
  readonly stateManager: unknown;
  validJumps: Uint8Array;
}

interface Environment {
  readonly address: { readonly bytes: Uint8Array };
  readonly caller: { readonly bytes: Uint8Array };
  readonly callData: Uint8Array;
  readonly callValue: bigint;
  readonly code: Uint8Array;
}

interface LibraryInterpreter {
  readonly _result: { returnValue?: Uint8Array };
  readonly journal: {
    isWarmedStorage(address: Uint8Array, slot: Uint8Array): boolean;
    addWarmedStorage(address: Uint8Array, slot: Uint8Array): void;
  };
  runStep(entry: OpcodeEntry): Promise<void>;
}

/** Storage of the account whose code runs; slots and values are unsigned words. */
export interface Slots {
  /** Whether the slot was used before in this transaction (EIP-2929); from now on it was. */
  touch(slot: bigint): boolean;
  read(slot: bigint): bigint;
}

export interface OpcodeEntry {
  readonly opcodeInfo: {
    readonly fee: number;
    readonly isAsync: boolean;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  readonly opHandler: (runState: LibraryRunState, common: unknown) => unknown;
}

/** What the code of a contract is taken apart into, once. */
export interface Decoded {
  /** 1 where a jump may go. */
  readonly jumps: Uint8Array;
  /** Numbers that PUSH instructions push, by the place of the instruction; made when first needed. */
  readonly pushes: (bigint | undefined)[];
}

const { errorMessages } = EVMError;
export const failed = {
  outOfGas: () => new EVMError(errorMessages.OUT_OF_GAS),
  underflow: () => new EVMError(errorMessages.STACK_UNDERFLOW),
  overflow: () => new EVMError(errorMessages.STACK_OVERFLOW),
  badJump: () => new EVMError(errorMessages.INVALID_JUMP),
  reverted: () => new EVMError(errorMessages.REVERT),
} as const;

/** EVM, yellow paper section 9.1. */
export const stackMax = 1024;
/** More memory than this costs more gas than any frame of the loop can have, see {@link gasMax}. */
const memoryBytesMax = 2n ** 32n;
/** Most gas of a frame that runs in the loop; the rest is the library's. Memory of 4 GiB costs 3.5e13. */
export const gasMax = 1e12;
const wordBytes = 32;
/** Work between two calls of the guard, in jumps of a tight loop: about a tenth of a millisecond; */
const workPerGuard = 1024;
/** and some microseconds. */
const boundWorkPerGuard = 64;
const memoryGas = 3;
const memoryQuadraticDivisor = 512;

/** What surrounds the code of a frame. */
export interface FrameOptions {
  readonly decoded: Decoded;
  readonly slots: Slots;
  /** Called every now and then where a program that does not end must come by; throws to stop it. */
  readonly guard: (() => void) | null;
  /** The library's run state of this frame, with the same stack. */
  readonly library: () => LibraryRunState;
}

export class Frame {
  readonly state: RunState;
  readonly library: () => LibraryRunState;
  readonly code: Uint8Array;
  readonly decoded: Decoded;
  readonly stack: bigint[];
  /** Items on the stack. */
  height: number;
  pc: number;
  gas: number;
  /** Bytes that were paid for; a multiple of 32. */
  memorySize: number;
  private memoryCost: number;
  memory: Uint8Array;
  private memoryView: DataView | null = null;
  /** The instruction that is carried out. */
  opcode = 0;
  readonly slots: Slots;
  /** What RETURN or REVERT gave; null without one. */
  output: Uint8Array | null = null;
  /** Work until the guard is called, in jumps. */
  private workLeft = workPerGuard;
  private workPerGuard = workPerGuard;
  private readonly guard: (() => void) | null;
  /** Gas below which the run ends; above 0 only for one that is given less work than gas. */
  gasFloor = 0;

  constructor(state: RunState, { decoded, slots, guard, library }: FrameOptions) {
    this.state = state;
    this.library = library;
    this.code = state.code;
    this.decoded = decoded;
    this.slots = slots;
    this.guard = guard;
    this.stack = state.stack._store;
    this.height = 0;
    this.pc = 0;
    this.gas = 0;
    this.memorySize = 0;
    this.memoryCost = 0;
    this.memory = state.memory._store;
    this.take();
  }

  /** Takes over what the library's run state says. */
  take(): void {
    const { state } = this;
    this.pc = state.programCounter;
    this.height = state.stack._len;
    this.gas = Number(state.gasLeft);
    this.memorySize = Number(state.memoryWordCount) * wordBytes;
    this.memoryCost = Number(state.highestMemCost);
    if (this.memory !== state.memory._store) {
      this.memory = state.memory._store;
      this.memoryView = null;
    }
  }

  /** Tells the library's run state everything. @returns that state */
  give(): LibraryRunState {
    const state = this.library();
    state.programCounter = this.pc;
    state.opCode = this.opcode;
    state.stack._len = this.height;
    state.gasLeft = BigInt(this.gas);
    state.memoryWordCount = BigInt(this.memorySize / wordBytes);
    state.highestMemCost = BigInt(this.memoryCost);
    return state;
  }

  /** Lets the run spend so much of its gas and no more, and has the guard called more often. What the code sees stays the same. */
  bound(gas: number): void {
    this.gasFloor = Math.max(0, this.gas - gas);
    this.workPerGuard = boundWorkPerGuard;
    this.workLeft = boundWorkPerGuard;
  }

  /**
   * Counts what takes time, so that the guard is called in time: a jump is 1.
   *
   * @throws what the guard throws
   */
  work(amount: number): void {
    this.workLeft -= amount;
    if (this.workLeft > 0) return;
    this.workLeft = this.workPerGuard;
    this.guard?.();
  }

  get view(): DataView {
    const { memory } = this;
    this.memoryView ??= new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
    return this.memoryView;
  }

  /** @throws EVMError out of gas */
  useGas(amount: number): void {
    this.gas -= amount;
    if (this.gas < this.gasFloor) {
      this.gas = 0;
      throw failed.outOfGas();
    }
  }

  /** @throws EVMError stack underflow */
  need(items: number): void {
    if (this.height < items) throw failed.underflow();
  }

  push(value: bigint): void {
    if (this.height >= stackMax) throw failed.overflow();
    this.stack[this.height++] = value;
  }

  /** Item from the top, 0 is the top. */
  peek(depth: number): bigint {
    return this.stack[this.height - 1 - depth]!;
  }

  /**
   * Gas for memory up to the end of a range; the range counts as paid for from then on. An empty range costs nothing wherever it is.
   *
   * @throws EVMError out of gas for a range beyond what any gas can pay
   */
  memoryGas(offset: bigint, length: bigint): number {
    if (length === 0n) return 0;
    const end = offset + length;
    if (end <= this.memorySize) return 0;
    if (end > memoryBytesMax) {
      this.gas = 0;
      throw failed.outOfGas();
    }
    const words = Math.ceil(Number(end) / wordBytes);
    const cost = words * memoryGas + Math.floor((words * words) / memoryQuadraticDivisor);
    const more = cost - this.memoryCost;
    this.memoryCost = cost;
    this.memorySize = words * wordBytes;
    return more;
  }

  /** Makes the memory that was paid for exist. */
  grow(): void {
    if (this.memorySize <= this.memory.length) return;
    this.state.memory.extend(0, this.memorySize);
    this.memory = this.state.memory._store;
    this.memoryView = null;
  }
}

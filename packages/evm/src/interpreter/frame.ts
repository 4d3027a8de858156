import { EVMError } from '@ethereumjs/evm';

/**
 * One running contract as the synchronous loop sees it: the library's run state with plain numbers where it has bigints. The stack's
 * array and the memory are the library's own, so that an instruction can be handed to it at any time.
 */

/** The parts of the library's run state that the loop reads or writes; it is not among its exports. */
export interface RunState {
  programCounter: number;
  opCode: number;
  readonly code: Uint8Array;
  readonly memory: { _store: Uint8Array; extend(offset: number, size: number): void };
  memoryWordCount: bigint;
  highestMemCost: bigint;
  readonly stack: { _store: bigint[]; _len: number };
  gasLeft: bigint;
  readonly returnBytes: Uint8Array;
  readonly interpreter: LibraryInterpreter;
  readonly env: Environment;
  readonly stateManager: unknown;
  validJumps: Uint8Array;
  shouldDoJumpAnalysis: boolean;
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

export interface OpcodeEntry {
  readonly opcodeInfo: {
    readonly fee: number;
    readonly isAsync: boolean;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  readonly opHandler: (runState: RunState, common: unknown) => unknown;
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
/** Backward or forward jumps between two calls of the guard, powers of two: about a tenth of a millisecond of a tight loop; */
const jumpsPerGuard = 1024;
/** and some microseconds of one. */
const boundJumpsPerGuard = 64;
const memoryGas = 3;
const memoryQuadraticDivisor = 512;

export class Frame {
  readonly state: RunState;
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
  /** Jumps so far. */
  jumps = 0;
  /** The guard is called when the jumps have none of these bits: a power of two less one. */
  jumpMask = jumpsPerGuard - 1;
  /** Gas below which the run ends; above 0 only for one that is given less work than gas. */
  gasFloor = 0;

  constructor(state: RunState, decoded: Decoded) {
    this.state = state;
    this.code = state.code;
    this.decoded = decoded;
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

  /** Tells the library's run state everything. */
  give(): void {
    const { state } = this;
    state.programCounter = this.pc;
    state.opCode = this.opcode;
    state.stack._len = this.height;
    state.gasLeft = BigInt(this.gas);
    state.memoryWordCount = BigInt(this.memorySize / wordBytes);
    state.highestMemCost = BigInt(this.memoryCost);
  }

  /** Lets the run spend so much of its gas and no more, and has the guard called more often. What the code sees stays the same. */
  bound(gas: number): void {
    this.gasFloor = Math.max(0, this.gas - gas);
    this.jumpMask = boundJumpsPerGuard - 1;
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

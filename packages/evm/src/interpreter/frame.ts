import { EVMError } from '@ethereumjs/evm';
import type { Decoded } from './decode.ts';
import type { LibraryRunState } from './library.ts';
import type { Memory } from './memory.ts';
import type { MessageState } from './messageState.ts';
import type { Party } from './party.ts';

/**
 * One running contract as the synchronous loop sees it: plain numbers where the library's run state has bigints, and that state only for those
 * instructions that are handed to it; both have the same stack and memory.
 */

/** Storage of the account whose code runs; slots and values are unsigned words. */
export interface Slots {
  /** Whether the slot was used before in this transaction (EIP-2929); from now on it was. */
  touch(slot: bigint): boolean;
  read(slot: bigint): bigint;
}

const { errorMessages } = EVMError;

/** Makes the library's own errors, so that a failed frame looks the same whoever ran it. */
export const failed = {
  outOfGas: () => new EVMError(errorMessages.OUT_OF_GAS),
  underflow: () => new EVMError(errorMessages.STACK_UNDERFLOW),
  overflow: () => new EVMError(errorMessages.STACK_OVERFLOW),
  badJump: () => new EVMError(errorMessages.INVALID_JUMP),
  reverted: () => new EVMError(errorMessages.REVERT),
  valueOverflow: () => new EVMError(errorMessages.VALUE_OVERFLOW),
  staticChange: () => new EVMError(errorMessages.STATIC_STATE_CHANGE),
} as const;

/** EVM, yellow paper section 9.1. */
export const stackMax = 1024;
/** More memory than this costs more gas than any frame of the loop can have, see {@link gasMax}. */
const memoryBytesMax = 2n ** 32n;
/** Most gas of a frame that runs in the loop; the rest is the library's. Memory of 4 GiB costs 3.5e13. */
export const gasMax = 1e12;
const wordBytes = 32;
const nothing = new Uint8Array(0);
/** Work between two calls of the guard, in jumps of a tight loop: about a tenth of a millisecond; */
const workPerGuard = 1024;
/** and some microseconds. */
const boundWorkPerGuard = 64;
const memoryGas = 3;
const memoryQuadraticDivisor = 512;

/** What surrounds the code of a frame. */
export interface FrameOptions {
  readonly code: Uint8Array;
  readonly decoded: Decoded;
  readonly address: Party;
  readonly caller: Party;
  readonly callData: Uint8Array;
  readonly callValue: bigint;
  readonly gas: number;
  readonly memory: Memory;
  readonly stack: bigint[];
  readonly slots: Slots;
  /** Called every now and then where a program that does not end must come by; throws to stop it. */
  readonly guard: (() => void) | null;
  /** The library's run state of this frame, made for it, with the same stack and memory. */
  readonly library: (frame: Frame) => LibraryRunState;
  /** null for code that only reads, see runAtOnce. */
  readonly message: MessageState | null;
}

/** Stack, memory, gas and place of one running contract. Gas is a number, exact up to {@link gasMax}. */
export class Frame {
  readonly code: Uint8Array;
  readonly decoded: Decoded;
  readonly address: Party;
  readonly caller: Party;
  readonly callData: Uint8Array;
  readonly callValue: bigint;
  readonly stack: bigint[];
  /** Items on the stack. */
  height = 0;
  pc = 0;
  gas: number;
  /** Bytes that were paid for; a multiple of 32. */
  memorySize = 0;
  private memoryCost = 0;
  readonly memoryOwner: Memory;
  memory: Uint8Array;
  private memoryView: DataView | null = null;
  /** The instruction that is carried out. */
  opcode = 0;
  readonly slots: Slots;
  /** What the last call gave. */
  returnBytes: Uint8Array = nothing;
  /** What RETURN or REVERT gave; null without one. */
  output: Uint8Array | null = null;
  readonly message: MessageState | null;
  /** Work until the guard is called, in jumps. */
  private workLeft = workPerGuard;
  private workPerGuard = workPerGuard;
  private readonly guard: (() => void) | null;
  /** Gas below which the run ends; above 0 only for one that is given less work than gas. */
  gasFloor = 0;
  private readonly openLibrary: (frame: Frame) => LibraryRunState;
  private opened: LibraryRunState | null = null;

  constructor(options: FrameOptions) {
    this.code = options.code;
    this.decoded = options.decoded;
    this.address = options.address;
    this.caller = options.caller;
    this.callData = options.callData;
    this.callValue = options.callValue;
    this.stack = options.stack;
    this.gas = options.gas;
    this.memoryOwner = options.memory;
    this.memory = options.memory._store;
    this.slots = options.slots;
    this.message = options.message;
    this.guard = options.guard;
    this.openLibrary = options.library;
  }

  /** The library's run state of this frame, as it was left. */
  library(): LibraryRunState {
    if (this.opened === null) {
      this.opened = this.openLibrary(this);
      this.opened.stack._store = this.stack;
      this.opened.memory = this.memoryOwner;
      this.opened.validJumps = this.decoded.jumps;
    }
    return this.opened;
  }

  /** Whether the library has its run state. */
  get isShared(): boolean {
    return this.opened !== null;
  }

  /** Takes over what the library's run state says. */
  take(): void {
    const state = this.library();
    this.pc = state.programCounter;
    this.height = state.stack._len;
    this.gas = Number(state.gasLeft);
    this.memorySize = Number(state.memoryWordCount) * wordBytes;
    this.memoryCost = Number(state.highestMemCost);
    this.returnBytes = state.returnBytes;
    this.look();
    this.message?.takeFrom(state);
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
    state.returnBytes = this.returnBytes;
    this.message?.giveTo(state);
    return state;
  }

  /** The memory may have moved. */
  private look(): void {
    const { _store } = this.memoryOwner;
    if (this.memory === _store) return;
    this.memory = _store;
    this.memoryView = null;
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
    if (this.gas < this.gasFloor) this.exhaust();
  }

  /** @throws EVMError out of gas */
  exhaust(): never {
    this.gas = 0;
    throw failed.outOfGas();
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
    if (end > memoryBytesMax) this.exhaust();
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
    this.memoryOwner.extend(0, this.memorySize);
    this.look();
  }
}

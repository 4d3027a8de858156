import type { Common } from '@ethereumjs/common';
import { EVMError } from '@ethereumjs/evm';
import { arithmeticHandlers } from './arithmetic.ts';
import { decode } from './decode.ts';
import { failed, Frame, type FrameOptions, stackMax } from './frame.ts';
import { type Handler, plainHandlers } from './handlers.ts';
import type { OpcodeEntry } from './library.ts';
import { memoryHandlers } from './memoryHandlers.ts';
import type { Metering } from './metering.ts';
import { loadSlot, stateHandlers } from './stateHandlers.ts';
import { bytesToWord } from './words.ts';

/** What the loop knows of one EVM: its opcodes do not change while it lives. */
export interface Instructions extends Metering {
  readonly entries: readonly OpcodeEntry[];
  /** By opcode; null for what is left to the library, and calls. */
  readonly handlers: readonly (Handler | null)[];
  /** The same for frames without a message: what needs one is left, too. */
  readonly readHandlers: readonly (Handler | null)[];
}

const [firstPush, firstDup, firstSwap, afterSwaps] = [0x60, 0x80, 0x90, 0xa0] as const;
const [jumpOpcode, jumpIfOpcode] = [0x56, 0x57] as const;
/** The loop came to the end of the code. */
export const ended = -1;

/** @param entries the library's table of opcodes */
export function createInstructions(entries: readonly OpcodeEntry[], common: Common): Instructions {
  const shared = [...plainHandlers, ...arithmeticHandlers(common), ...memoryHandlers(common)] as const;
  const reads = new Map<number, Handler>([...shared, [0x54, loadSlot(common)]]);
  const all = new Map<number, Handler>([...reads, ...stateHandlers(common)]);
  const table = (own: ReadonlyMap<number, Handler>): readonly (Handler | null)[] =>
    entries.map(({ opcodeInfo, opHandler }, opcode) => {
      if (opcodeInfo.isInvalid) return null;
      const handler = own.get(opcode);
      if (handler !== undefined) return handler;
      return opcodeInfo.isAsync || opcodeInfo.dynamicGas ? null : throughLibrary(opHandler, common);
    });
  const gas = (name: string): number => Number(common.param(name));
  return {
    entries,
    handlers: table(all),
    readHandlers: table(reads),
    fees: Float64Array.from(entries, ({ opcodeInfo }) => opcodeInfo.fee),
    rules: {
      warm: gas('warmstoragereadGas'),
      coldAccount: gas('coldaccountaccessGas'),
      valueTransfer: gas('callValueTransferGas'),
      newAccount: gas('callNewAccountGas'),
      stipend: gas('callStipendGas'),
      delegates: common.isActivatedEIP(7702),
    },
    guard: null,
  };
}

/** Instructions of the library that are synchronous and cost a fixed amount: context, rarer arithmetic, transient storage. */
const throughLibrary =
  (run: OpcodeEntry['opHandler'], common: Common): Handler =>
  (frame) => {
    const state = frame.library();
    state.programCounter = frame.pc;
    state.opCode = frame.opcode;
    state.stack._len = frame.height;
    run(state, common);
    frame.height = state.stack._len;
    frame.pc = state.programCounter;
  };

/** The number behind a PUSH; code that ends within it goes on with zeros. */
function pushed({ code, decoded }: Frame, place: number, count: number): bigint {
  const bytes = new Uint8Array(count);
  bytes.set(code.subarray(place + 1, place + 1 + count));
  const value = bytesToWord(bytes);
  decoded.pushes[place] = value;
  return value;
}

/** PUSH1 to SWAP16: half of all instructions. */
function moveOnStack(frame: Frame, opcode: number): void {
  const { stack, height, pc } = frame;
  if (opcode < firstDup) {
    const count = opcode - firstPush + 1;
    if (height >= stackMax) throw failed.overflow();
    stack[height] = frame.decoded.pushes[pc] ?? pushed(frame, pc, count);
    frame.height = height + 1;
    frame.pc = pc + count + 1;
    return;
  }
  frame.pc = pc + 1;
  if (opcode < firstSwap) {
    const from = height - (opcode - firstDup + 1);
    if (from < 0) throw failed.underflow();
    if (height >= stackMax) throw failed.overflow();
    stack[height] = stack[from]!;
    frame.height = height + 1;
    return;
  }
  const other = height - 1 - (opcode - firstSwap + 1);
  if (other < 0) throw failed.underflow();
  const top = stack[height - 1]!;
  stack[height - 1] = stack[other]!;
  stack[other] = top;
}

/**
 * Carries out instructions until one has no handler.
 *
 * @returns its opcode, or {@link ended}
 * @throws EVMError
 */
export function runPlain(frame: Frame, handlers: Instructions['handlers'], fees: Float64Array): number {
  const { code } = frame;
  while (frame.pc < code.length) {
    const opcode = code[frame.pc]!;
    frame.opcode = opcode;
    if (opcode >= firstPush && opcode < afterSwaps) {
      frame.useGas(fees[opcode]!);
      moveOnStack(frame, opcode);
      continue;
    }
    const handler = handlers[opcode]!;
    if (handler === null) return opcode;
    frame.useGas(fees[opcode]!);
    frame.pc++;
    handler(frame);
    if (opcode === jumpOpcode || opcode === jumpIfOpcode) frame.work(1);
  }
  return ended;
}

/**
 * Numbers that instructions of varying cost look at before they pay anything: with too few of them the library says so, whether or not
 * the gas would have been enough for the fixed part.
 */
const looksAt: ReadonlyMap<number, number> = new Map([
  [0x0a, 2],
  [0x20, 2],
  [0x31, 1],
  [0x37, 3],
  [0x39, 3],
  [0x3b, 1],
  [0x3e, 3],
  [0x3f, 1],
  [0x51, 1],
  [0x52, 1],
  [0x53, 1],
  [0x54, 1],
  [0x55, 2],
  [0x5e, 3],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4].map((opcode) => [opcode, 2] as const),
  [0xf1, 7],
  [0xf2, 7],
  [0xf3, 2],
  [0xf4, 6],
  [0xfa, 6],
  [0xfd, 2],
]);

/** The same failure in the library's words: both take all gas, and a trace or a caller sees only one of them. */
export function asLibrary(error: EVMError, { opcode, height }: Frame): EVMError {
  if (error.error !== EVMError.errorMessages.OUT_OF_GAS) return error;
  return height < (looksAt.get(opcode) ?? 0) ? failed.underflow() : error;
}

/** Code that runs without a message of the library, within a budget of gas. */
export interface RunAtOnce extends Omit<FrameOptions, 'decoded' | 'message'> {
  /** Gas that the code may spend, whatever it has. */
  readonly gasBudget: number;
}

/** How code ended that ran within one turn. */
export interface EndedAtOnce {
  /** REVERT included. */
  readonly exceptionError: EVMError | undefined;
  readonly frame: Frame;
}

/**
 * Runs code within this turn, as far as it only reads storage.
 *
 * @returns null when gas or instructions were not enough to come to the end
 * @throws whatever is not the fault of the code, among it what the guard throws
 */
export function runAtOnce(options: RunAtOnce, { readHandlers, fees }: Instructions): EndedAtOnce | null {
  const frame = new Frame({ ...options, decoded: decode(options.code), message: null });
  frame.bound(options.gasBudget);
  try {
    return runPlain(frame, readHandlers, fees) === ended ? { exceptionError: undefined, frame } : null;
  } catch (error) {
    if (!(error instanceof EVMError)) throw error;
    if (frame.gasFloor > 0 && error.error === EVMError.errorMessages.OUT_OF_GAS) return null;
    return { exceptionError: asLibrary(error, frame), frame };
  }
}

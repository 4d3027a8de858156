import type { Common } from '@ethereumjs/common';
import { EVMError } from '@ethereumjs/evm';
import type { OverlayStateManager } from '../state/stateManager.ts';
import { addressKey, wordKey } from '../state/bytes.ts';
import {
  type Decoded,
  failed,
  Frame,
  type FrameOptions,
  type LibraryRunState,
  type OpcodeEntry,
  type RunState,
  type Slots,
  stackMax,
} from './frame.ts';
import { type Handler, plainHandlers } from './handlers.ts';
import { memoryHandlers } from './memoryHandlers.ts';
import { bytesToWord, wordToBytes } from './words.ts';

/** What the loop knows of one EVM: its opcodes do not change while it lives. */
export interface Instructions {
  readonly entries: readonly OpcodeEntry[];
  /** By opcode; null for what is left to the library. */
  readonly handlers: readonly (Handler | null)[];
  /** Gas that an instruction costs at least, by opcode. */
  readonly fees: Float64Array;
  /** Called every now and then where a program that does not end must come by; throws to stop it. */
  guard: (() => void) | null;
}

const [firstPush, firstDup, firstSwap, afterSwaps] = [0x60, 0x80, 0x90, 0xa0] as const;
const [jumpOpcode, jumpIfOpcode] = [0x56, 0x57] as const;
/** The loop came to the end of the code. */
const ended = -1;

/** @param entries the library's table of opcodes */
export function createInstructions(entries: readonly OpcodeEntry[], common: Common): Instructions {
  const own = new Map<number, Handler>([...plainHandlers, ...memoryHandlers(common), [0x54, loadSlot(common)]]);
  const handlers = entries.map(({ opcodeInfo, opHandler }, opcode): Handler | null => {
    if (opcodeInfo.isInvalid) return null;
    const handler = own.get(opcode);
    if (handler !== undefined) return handler;
    return opcodeInfo.isAsync || opcodeInfo.dynamicGas ? null : throughLibrary(opHandler, common);
  });
  const fees = Float64Array.from(entries, ({ opcodeInfo }) => opcodeInfo.fee);
  return { entries, handlers, fees, guard: null };
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

/** Work of reading a slot, which may be on disk. */
const slotWork = 128;

/** SLOAD, EIP-2929: the state is in this thread, so nothing has to wait for it. */
function loadSlot(common: Common): Handler {
  const [cold, warm] = [Number(common.param('coldsloadGas')), Number(common.param('warmstoragereadGas'))];
  return (frame) => {
    frame.need(1);
    const { stack, height, slots } = frame;
    const slot = stack[height - 1]!;
    frame.useGas(slots.touch(slot) ? warm : cold);
    frame.work(slotWork);
    stack[height - 1] = slots.read(slot);
  };
}

/** The storage that a frame of the library runs on. */
class JournaledSlots implements Slots {
  private readonly address: Uint8Array;
  private readonly journal: LibraryRunState['interpreter']['journal'];
  private readonly manager: OverlayStateManager;
  /** Bytes of the slot that was touched last. */
  private bytes: Uint8Array = new Uint8Array(0);

  constructor({ env, interpreter, stateManager }: LibraryRunState) {
    this.address = env.address.bytes;
    this.journal = interpreter.journal;
    this.manager = stateManager as OverlayStateManager;
  }

  touch(slot: bigint): boolean {
    this.bytes = wordToBytes(slot);
    const isWarm = this.journal.isWarmedStorage(this.address, this.bytes);
    if (!isWarm) this.journal.addWarmedStorage(this.address, this.bytes);
    return isWarm;
  }

  read(): bigint {
    return bytesToWord(this.manager.overlay.slot(addressKey(this.address), wordKey(this.bytes)));
  }
}

const decodedCodes = new WeakMap<Uint8Array, Decoded>();

/**
 * Places that may be jumped to, kept with the array of the code: our state gives the same array for the same code hash. Walking the
 * code anew at every call is more than half of the time of a token transfer.
 */
function decode(code: Uint8Array): Decoded {
  const known = decodedCodes.get(code);
  if (known !== undefined) return known;
  const jumps = new Uint8Array(code.length);
  for (let place = 0; place < code.length; place++) {
    const opcode = code[place]!;
    if (opcode === 0x5b) jumps[place] = 1;
    else if (opcode >= firstPush && opcode < firstDup) place += opcode - firstPush + 1;
  }
  const decoded = { jumps, pushes: Array.from<bigint | undefined>({ length: code.length }) };
  decodedCodes.set(code, decoded);
  return decoded;
}

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

/** Carries out instructions until one is the library's. @returns its opcode, or {@link ended} @throws EVMError */
function runPlain(frame: Frame, { handlers, fees }: Instructions): number {
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
  [0x20, 2],
  [0x37, 3],
  [0x39, 3],
  [0x3e, 3],
  [0x51, 1],
  [0x52, 1],
  [0x53, 1],
  [0x54, 1],
  [0x5e, 3],
  [0xf3, 2],
  [0xfd, 2],
]);

/** The same failure in the library's words: both take all gas, and a trace or a caller sees only one of them. */
function asLibrary(error: EVMError, { opcode, height }: Frame): EVMError {
  if (error.error !== EVMError.errorMessages.OUT_OF_GAS) return error;
  return height < (looksAt.get(opcode) ?? 0) ? failed.underflow() : error;
}

/**
 * Runs the code of a frame to its end like the library's own loop, which awaits a promise for every single instruction. What changes or
 * calls other accounts is handed to the library, instruction by instruction.
 *
 * @returns why it ended exceptionally, REVERT included; undefined when it did not
 * @throws whatever is not the fault of the code
 */
export async function runFrame(state: LibraryRunState, instructions: Instructions): Promise<EVMError | undefined> {
  const decoded = decode(state.code);
  // For instructions of the library that jump or push: there is none that it would be asked to carry out.
  state.validJumps = decoded.jumps;
  const { guard } = instructions;
  const frame = new Frame(state, { decoded, guard, slots: new JournaledSlots(state), library: () => state });
  try {
    for (;;) {
      const opcode = runPlain(frame, instructions);
      frame.give();
      if (opcode === ended) return giveOutput(frame);
      await state.interpreter.runStep(instructions.entries[opcode]!);
      frame.take();
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error;
    // From the library, whose run state is the right one then.
    if (error.error === EVMError.errorMessages.STOP) return undefined;
    frame.give();
    giveOutput(frame);
    return asLibrary(error, frame);
  }
}

function giveOutput({ library, output }: Frame): undefined {
  if (output !== null) library().interpreter._result.returnValue = output;
}

export interface RunAtOnce extends Omit<FrameOptions, 'decoded'> {
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
 * Runs code within this turn, as far as no instruction is one that the library has to wait for.
 *
 * @returns null when gas or instructions were not enough to come to the end
 * @throws whatever is not the fault of the code, among it what the guard throws
 */
export function runAtOnce(state: RunState, options: RunAtOnce, instructions: Instructions): EndedAtOnce | null {
  const frame = new Frame(state, { ...options, decoded: decode(state.code) });
  frame.bound(options.gasBudget);
  try {
    return runPlain(frame, instructions) === ended ? { exceptionError: undefined, frame } : null;
  } catch (error) {
    if (!(error instanceof EVMError)) throw error;
    if (frame.gasFloor > 0 && error.error === EVMError.errorMessages.OUT_OF_GAS) return null;
    return { exceptionError: asLibrary(error, frame), frame };
  }
}

import { EVMError } from '@ethereumjs/evm';
import { beginMessage, deliver, endFrame, enterCall, isCall, type Message, type Outcome } from './calls.ts';
import { decode } from './decode.ts';
import { Frame } from './frame.ts';
import type { LibraryRunState } from './library.ts';
import { asLibrary, ended, type Instructions, runPlain } from './loop.ts';
import { Memory } from './memory.ts';
import { libraryLogOf, MessageState } from './messageState.ts';
import { Party } from './party.ts';
import { JournaledSlots } from './stateHandlers.ts';
import { type FrameMachinery, World } from './world.ts';

/** What an EVM runs code with, as long as it lives. */
export interface Machinery extends FrameMachinery {
  readonly instructions: Instructions;
}

/** Why the outermost frame failed, REVERT included. */
type Failure = EVMError | undefined;

/**
 * Runs a frame and those that it calls, one after the other on a stack of our own: a call costs no turn of the event loop, and none of
 * JavaScript's stack. Only what is left to the library (creations, the code of others, destruction) and slow precompiles are waited for.
 */
class Run {
  readonly #instructions: Instructions;
  #frame: Frame;
  /** Frames that wait for the one that runs, the outermost first. */
  readonly #callers: Frame[] = [];
  #waitsFor: Promise<void> | null = null;
  failure: Failure = undefined;

  constructor(root: Frame, instructions: Instructions) {
    this.#frame = root;
    this.#instructions = instructions;
  }

  /** @returns whether the outermost frame ended; else something is to be waited for */
  advance(): boolean {
    const { handlers, fees } = this.#instructions;
    for (;;) {
      const frame = this.#frame;
      try {
        const opcode = runPlain(frame, handlers, fees);
        if (opcode !== ended) {
          const next = isCall(opcode) ? enterCall(frame, opcode) : this.#throughLibrary(frame, opcode);
          if (next === null) continue;
          if (next instanceof Frame) {
            this.#callers.push(frame);
            this.#frame = next;
            continue;
          }
          this.#waitsFor = next;
          return false;
        }
        if (this.#end(undefined)) return true;
      } catch (error) {
        if (this.#end(failureOf(error, frame))) return true;
      }
    }
  }

  async wait(): Promise<Failure> {
    do {
      try {
        await this.#waitsFor;
      } catch (error) {
        const failure = failureOf(error, this.#frame);
        // Where an instruction of the library ends the frame, its run state is the right one.
        if (failure === undefined) this.#frame.take();
        if (this.#end(failure)) break;
      }
    } while (!this.advance());
    return this.failure;
  }

  #throughLibrary(frame: Frame, opcode: number): Promise<void> {
    const { interpreter } = frame.give();
    return interpreter.runStep(this.#instructions.entries[opcode]!).then(() => frame.take());
  }

  /** @returns whether it was the outermost frame */
  #end(failure: Failure): boolean {
    const caller = this.#callers.pop();
    if (caller === undefined) {
      this.failure = failure;
      return true;
    }
    const outcome = endFrame(this.#frame, failure);
    this.#frame = caller;
    deliver(caller, outcome);
    return false;
  }
}

/** @throws what is not the fault of the code */
function failureOf(error: unknown, frame: Frame): Failure {
  if (!(error instanceof EVMError)) throw error;
  return error.error === EVMError.errorMessages.STOP ? undefined : asLibrary(error, frame);
}

/** Runs a message that nobody within the EVM sent. Its promise is for what can not be had within this turn. */
export function runMessage(message: Message, instructions: Instructions): Outcome | Promise<Outcome> {
  const begun = beginMessage(message);
  if (!(begun instanceof Frame)) return begun;
  const run = new Run(begun, instructions);
  if (run.advance()) return endFrame(begun, run.failure);
  return run.wait().then((failure) => endFrame(begun, failure));
}

/**
 * Runs the code of a frame that the library made to its end, like the library's own loop, which awaits a promise for every single
 * instruction.
 *
 * @returns why it ended exceptionally, REVERT included; undefined when it did not
 * @throws whatever is not the fault of the code
 */
export async function runFrame(state: LibraryRunState, machinery: Machinery): Promise<EVMError | undefined> {
  const { env, interpreter } = state;
  const result = interpreter._result;
  const world = World.around(machinery, state);
  const address = Party.ofBytes(env.address.bytes);
  const message = new MessageState(world, {
    depth: env.depth,
    isStatic: env.isStatic,
    refund: Number(state.gasRefund),
    destroyed: result.selfdestruct,
    created: result.createdAddresses ?? new Set(),
    outOffset: 0,
    outLength: 0,
  });
  const frame = new Frame({
    code: state.code,
    decoded: decode(state.code),
    address,
    caller: Party.ofBytes(env.caller.bytes),
    callData: env.callData,
    callValue: env.callValue,
    gas: Number(state.gasLeft),
    memory: new Memory(),
    stack: state.stack._store,
    slots: new JournaledSlots(address.key, world.overlay, world.journal),
    guard: machinery.instructions.guard,
    library: () => state,
    message,
  });
  const run = new Run(frame, machinery.instructions);
  const failure = run.advance() ? run.failure : await run.wait();
  frame.give();
  if (message.logs !== null) result.logs = message.logs.map(libraryLogOf);
  if (frame.output !== null) result.returnValue = frame.output;
  return failure;
}

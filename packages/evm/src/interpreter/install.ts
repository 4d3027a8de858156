import { type Common, Hardfork } from '@ethereumjs/common';
import type { EVMError, ExecResult } from '@ethereumjs/evm';
import type { Account } from '@ethereumjs/util';
import type { VM } from '@ethereumjs/vm';
import { gasMax, type OpcodeEntry, type RunState } from './frame.ts';
import {
  callDirectlyAtOnce,
  type DirectCall,
  type InterpreterClass,
  isWatched,
  type LibraryEvm,
  useLeanResults,
} from './message.ts';
import { createInstructions, guardInstructions, type Instructions, runFrame, runFrameAtOnce } from './loop.ts';

/** The part of the library's interpreter that is replaced; it is not among its exports. */
interface InterpreterPrototype {
  [replaced]?: true;
  run(code: Uint8Array, options?: { readonly pc?: number }): Promise<RunResult>;
}

interface Interpreter extends InterpreterPrototype {
  readonly _evm: LibraryEvm;
  readonly _runState: RunState & { code: Uint8Array };
}

interface RunResult {
  readonly runState: RunState;
  readonly exceptionError: EVMError | undefined;
}

const replaced = Symbol('synchronous loop');
const instructionsOf = new WeakMap<object, Instructions>();

/** What runs within one turn needs besides the instructions. */
interface AtOnce {
  readonly interpreterClass: InterpreterClass;
  /** With a guard that looks at the clock more often; made at the first run. */
  instructions: Instructions | null;
}
const atOnceOf = new WeakMap<object, AtOnce>();

/** Rules that meter or parse code in ways the loop does not know: EOF, Verkle and binary trees, and what comes after Osaka. */
const foreignEips = [3540, 6800, 7709, 7864, 7928, 8024, 8037] as const;

/**
 * Gives a VM the synchronous loop of {@link runFrame}. The library has no option for it, so the method of its interpreter's prototype is
 * replaced, once in a process; VMs that did not ask for it, and runs that somebody watches step by step, go the library's way.
 *
 * Does nothing where the rules are not those of a fork from Berlin on that the loop knows.
 */
export async function useSynchronousLoop(vm: VM, common: Common): Promise<void> {
  if (!common.gteHardfork(Hardfork.Berlin) || foreignEips.some((eip) => common.isActivatedEIP(eip))) return;
  const { runState } = await vm.evm.runCode({ code: Uint8Array.of(0), gasLimit: 1n });
  const { interpreter } = runState!;
  replaceRun(Object.getPrototypeOf(interpreter) as InterpreterPrototype);
  const evm = vm.evm as unknown as LibraryEvm & { readonly _opcodeMap: readonly OpcodeEntry[] };
  const interpreterClass = interpreter.constructor as InterpreterClass;
  useLeanResults(evm, interpreterClass);
  atOnceOf.set(evm, { interpreterClass, instructions: null });
  instructionsOf.set(evm, createInstructions(evm._opcodeMap, common));
}

/** Has a function called every now and then while code runs in the loop; what it throws ends the run. */
export function guardSynchronousLoop(vm: VM, guard: () => void): void {
  const instructions = instructionsOf.get(vm.evm);
  if (instructions !== undefined) instructions.guard = guard;
}

/**
 * Runs the code of a contract within this turn, see {@link runFrameAtOnce}.
 *
 * @param gasBudget gas that it may spend, whatever it has
 * @returns null when that did not bring it to its end
 * @throws whatever is not the fault of the code, among it what the guard throws
 */
export function callAtOnce(
  vm: VM,
  call: DirectCall & { readonly contract: Account },
  gasBudget: number,
): ExecResult | null {
  const evm = vm.evm as unknown as LibraryEvm;
  const [plain, atOnce] = [instructionsOf.get(evm), atOnceOf.get(evm)];
  if (plain === undefined || atOnce === undefined || isWatched(evm) || call.gasLimit > gasMax) return null;
  atOnce.instructions ??= guardInstructions(plain, () => plain.guard?.());
  const { instructions, interpreterClass } = atOnce;
  return callDirectlyAtOnce(evm, interpreterClass, call, (state) => runFrameAtOnce(state, instructions, gasBudget));
}

function replaceRun(prototype: InterpreterPrototype): void {
  if (prototype[replaced] === true) return;
  const libraryRun = prototype.run;
  prototype.run = function (this: Interpreter, code, options = {}) {
    const { _evm: evm, _runState: runState } = this;
    const instructions = instructionsOf.get(evm);
    if (instructions === undefined || isWatched(evm) || options.pc !== undefined || runState.gasLeft > gasMax)
      return libraryRun.call(this, code, options);
    runState.code = code;
    return runFrame(runState, instructions).then((exceptionError) => ({ runState, exceptionError }));
  };
  prototype[replaced] = true;
}

import { type Common, Hardfork } from '@ethereumjs/common';
import type { EVMError } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { gasMax, type LibraryRunState, type OpcodeEntry } from './frame.ts';
import { type InterpreterClass, isWatched, type LibraryEvm, useLeanResults } from './message.ts';
import { createInstructions, type Instructions, runFrame } from './loop.ts';

/** The part of the library's interpreter that is replaced; it is not among its exports. */
interface InterpreterPrototype {
  [replaced]?: true;
  run(code: Uint8Array, options?: { readonly pc?: number }): Promise<RunResult>;
}

interface Interpreter extends InterpreterPrototype {
  readonly _evm: LibraryEvm;
  readonly _runState: LibraryRunState & { code: Uint8Array };
}

interface RunResult {
  readonly runState: LibraryRunState;
  readonly exceptionError: EVMError | undefined;
}

const replaced = Symbol('synchronous loop');
const instructionsOf = new WeakMap<object, Instructions>();

/** What of an EVM runs code within one turn. */
export interface SynchronousLoop {
  readonly interpreterClass: InterpreterClass;
  readonly instructions: Instructions;
}
const interpreterClassOf = new WeakMap<object, InterpreterClass>();

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
  interpreterClassOf.set(evm, interpreterClass);
  instructionsOf.set(evm, createInstructions(evm._opcodeMap, common));
}

/** Has a function called every now and then while code runs in the loop; what it throws ends the run. */
export function guardSynchronousLoop(vm: VM, guard: () => void): void {
  const instructions = instructionsOf.get(vm.evm);
  if (instructions !== undefined) instructions.guard = guard;
}

/** The loop of a VM; null where it has none, or somebody follows what it does. */
export function synchronousLoop({ evm }: VM): SynchronousLoop | null {
  const [instructions, interpreterClass] = [instructionsOf.get(evm), interpreterClassOf.get(evm)];
  if (instructions === undefined || interpreterClass === undefined || isWatched(evm as unknown as LibraryEvm))
    return null;
  return { instructions, interpreterClass };
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

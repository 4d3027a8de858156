import { type Common, Hardfork } from '@ethereumjs/common';
import type { EVMError } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import type { Journal } from '../library/journal.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import { gasMax } from './frame.ts';
import type { InterpreterClass, LibraryEvm, LibraryRunState, OpcodeEntry } from './library.ts';
import { createInstructions, type Instructions } from './loop.ts';
import { type Machinery, runFrame } from './machine.ts';
import { FramePool } from './memory.ts';
import { isWatched, openLibraryFrame, useLeanResults } from './message.ts';

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
const machineryOf = new WeakMap<object, Machinery>();

/** What of an EVM runs code within one turn. */
export interface SynchronousLoop {
  readonly interpreterClass: InterpreterClass;
  readonly instructions: Instructions;
}
const interpreterClassOf = new WeakMap<object, InterpreterClass>();

/** Rules that meter or parse code in ways the loop does not know: EOF, Verkle and binary trees, and what comes after Osaka. */
const foreignEips = [3540, 6800, 7709, 7864, 7928, 8024, 8037] as const;

/**
 * Gives a VM the synchronous loop of runFrame. The library has no option for it, so the method of its interpreter's prototype is
 * replaced, once in a process; VMs that did not ask for it, and runs that somebody watches step by step, go the library's way.
 *
 * Does nothing where the rules are not those of a fork from Berlin on that the loop knows.
 */
export async function useSynchronousLoop(
  vm: VM,
  common: Common,
  { manager, journal }: { readonly manager: OverlayStateManager; readonly journal: Journal },
): Promise<void> {
  if (!common.gteHardfork(Hardfork.Berlin) || foreignEips.some((eip) => common.isActivatedEIP(eip))) return;
  const { runState } = await vm.evm.runCode({ code: Uint8Array.of(0), gasLimit: 1n });
  const { interpreter } = runState!;
  replaceRun(Object.getPrototypeOf(interpreter) as InterpreterPrototype);
  const evm = vm.evm as unknown as LibraryEvm & { readonly _opcodeMap: readonly OpcodeEntry[] };
  const interpreterClass = interpreter.constructor as InterpreterClass;
  useLeanResults(evm, interpreterClass);
  interpreterClassOf.set(evm, interpreterClass);
  machineryOf.set(evm, {
    evm,
    instructions: createInstructions(evm._opcodeMap, common),
    manager,
    journal,
    pool: new FramePool(),
    openLibrary: (frame) => openLibraryFrame(evm, interpreterClass, frame),
  });
}

/** What runs transactions of a VM; null where it has no loop, or somebody follows what it does. */
export function machineryFor({ evm }: VM): Machinery | null {
  const machinery = machineryOf.get(evm);
  return machinery === undefined || isWatched(machinery.evm) ? null : machinery;
}

/** Has a function called every now and then while code runs in the loop; what it throws ends the run. */
export function guardSynchronousLoop(vm: VM, guard: () => void): void {
  const machinery = machineryOf.get(vm.evm);
  if (machinery !== undefined) machinery.instructions.guard = guard;
}

/** The loop of a VM; null where it has none, or somebody follows what it does. */
export function synchronousLoop({ evm }: VM): SynchronousLoop | null {
  const [machinery, interpreterClass] = [machineryOf.get(evm), interpreterClassOf.get(evm)];
  if (machinery === undefined || interpreterClass === undefined || isWatched(machinery.evm)) return null;
  return { instructions: machinery.instructions, interpreterClass };
}

function replaceRun(prototype: InterpreterPrototype): void {
  if (prototype[replaced] === true) return;
  const libraryRun = prototype.run;
  prototype.run = function (this: Interpreter, code, options = {}) {
    const { _evm: evm, _runState: runState } = this;
    const machinery = machineryOf.get(evm);
    if (machinery === undefined || isWatched(evm) || options.pc !== undefined || runState.gasLeft > gasMax)
      return libraryRun.call(this, code, options);
    runState.code = code;
    return runFrame(runState, machinery).then((exceptionError) => ({ runState, exceptionError }));
  };
  prototype[replaced] = true;
}

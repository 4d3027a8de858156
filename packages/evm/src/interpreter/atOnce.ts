import type { EVM, ExecResult } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { type FrameMemory, type FrameStack, gasMax, type RunState, type Slots } from './frame.ts';
import { synchronousLoop } from './install.ts';
import { runAtOnce } from './loop.ts';
import { type LibraryCall, type LibraryEvm, openLibraryCall, type QuickCall } from './message.ts';

/** Bytes of memory that are kept from call to call; what a call had beyond is given back. */
const keptMemoryBytes = 64 * 1024;

/** Memory that is used again and again: to make and collect it costs more than many calls. */
class ReusedMemory implements FrameMemory {
  _store = new Uint8Array(keptMemoryBytes);

  extend(offset: number, size: number): void {
    const length = offset + size;
    if (length <= this._store.length) return;
    // Twice as much at least, so that growing word by word stays cheap.
    const grown = new Uint8Array(Math.max(length, 2 * this._store.length));
    grown.set(this._store);
    this._store = grown;
  }

  /** @param used bytes that the call had */
  clear(used: number): void {
    if (this._store.length > keptMemoryBytes) this._store = new Uint8Array(keptMemoryBytes);
    else this._store.fill(0, 0, used);
  }
}

const nothing = new Uint8Array(0);

/** Runs calls of one VM within the turn that asks for them, see {@link runAtOnce}. */
export class QuickRunner {
  readonly #vm: VM;
  readonly #guard: () => void;
  readonly #memory = new ReusedMemory();
  readonly #stack: FrameStack = { _store: [], _len: 0 };

  /** @param guard throws when the time is over */
  constructor(vm: VM, guard: () => void) {
    this.#vm = vm;
    this.#guard = guard;
  }

  /**
   * @param slots     storage of the contract
   * @param gasBudget gas that the code may spend, whatever it has
   * @returns null when the call did not come to its end
   * @throws what the guard or the storage throws
   */
  run(call: QuickCall, slots: Slots, gasBudget: number): ExecResult | null {
    const loop = synchronousLoop(this.#vm);
    if (loop === null || call.gasLimit > gasMax) return null;
    const { instructions, interpreterClass } = loop;
    let opened: LibraryCall | null = null;
    const open = (): LibraryCall => {
      opened ??= this.#share(openLibraryCall(this.#vm.evm as unknown as LibraryEvm & EVM, interpreterClass, call));
      return opened;
    };
    const options = { slots, gasBudget, guard: this.#guard, library: () => open().state };
    let used = this.#memory._store.length;
    try {
      const end = runAtOnce(this.#stateOf(call), options, instructions);
      if (end === null) return null;
      const { exceptionError, frame } = end;
      used = frame.memorySize;
      // How code failed is told from the library's run state.
      if (exceptionError !== undefined && frame.output === null) {
        frame.give();
        return open().result(exceptionError);
      }
      return {
        returnValue: frame.output ?? nothing,
        executionGasUsed: call.gasLimit - BigInt(frame.gas),
        ...(exceptionError === undefined ? {} : { exceptionError }),
      };
    } finally {
      this.#memory.clear(used);
    }
  }

  #stateOf({ code, data, caller, to, gasLimit }: QuickCall): RunState {
    const stack = this.#stack;
    stack._len = 0;
    return {
      programCounter: 0,
      opCode: 0,
      code,
      memory: this.#memory,
      memoryWordCount: 0n,
      highestMemCost: 0n,
      stack,
      gasLeft: gasLimit,
      returnBytes: nothing,
      env: { address: to, caller, callData: data, callValue: 0n, code },
    };
  }

  /** An instruction of the library works on the stack of the frame. */
  #share(library: LibraryCall): LibraryCall {
    library.state.stack._store = this.#stack._store;
    return library;
  }
}

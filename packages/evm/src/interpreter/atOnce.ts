import type { EVM, ExecResult } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { gasMax, type Slots } from './frame.ts';
import { synchronousLoop } from './install.ts';
import type { LibraryEvm } from './library.ts';
import { runAtOnce } from './loop.ts';
import { Memory } from './memory.ts';
import { type LibraryCall, openLibraryCall, type QuickCall } from './message.ts';
import { Party } from './party.ts';

const nothing = new Uint8Array(0);

/** Runs calls of one VM within the turn that asks for them, see {@link runAtOnce}. */
export class QuickRunner {
  readonly #vm: VM;
  readonly #guard: () => void;
  readonly #memory = new Memory();
  readonly #stack: bigint[] = [];

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
      opened ??= openLibraryCall(this.#vm.evm as unknown as LibraryEvm & EVM, interpreterClass, call);
      return opened;
    };
    let used = Number.MAX_SAFE_INTEGER;
    try {
      const options = {
        code: call.code,
        address: Party.ofBytes(call.to.bytes),
        caller: Party.ofBytes(call.caller.bytes),
        callData: call.data,
        callValue: 0n,
        gas: Number(call.gasLimit),
        memory: this.#memory,
        stack: this.#stack,
        slots,
        gasBudget,
        guard: this.#guard,
        library: () => open().state,
      };
      const end = runAtOnce(options, instructions);
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
}

import type { VM } from '@ethereumjs/vm';
import { EvmError } from '../errors.ts';
import { guardSynchronousLoop } from '../interpreter/install.ts';

/** Jumps between two looks at the clock: about a millisecond of a tight loop. */
const jumpsPerCheck = 1024;
const jumpOpcodes = [0x56, 0x57] as const;

/**
 * Ends calls that run too long.
 *
 * Gas bounds a call, but 50 million of it can be ten seconds. The library's step event would slow down every instruction, so the
 * clock is read after so much work of the loop, and on entering another contract (a checkpoint); in runs that are watched step by
 * step, on jumps: in between lie at most 24 KiB of straight code.
 */
export interface Deadline {
  /** @param timeoutMs wall-clock time from now on; null for no deadline */
  start(timeoutMs: number | null): void;
  /** @throws EvmError `EVM_CALL_TIMEOUT` */
  check(): void;
}

/** @param now milliseconds of a clock that does not jump */
export function createDeadline(vm: VM, now: () => number): Deadline {
  let limit: { readonly at: number; readonly timeoutMs: number } | null = null;
  let jumps = 0;
  const check = (): void => {
    if (limit === null || now() < limit.at) return;
    const { timeoutMs } = limit;
    throw new EvmError(`execution aborted (timeout = ${timeoutMs}ms)`, { code: 'EVM_CALL_TIMEOUT', timeoutMs });
  };
  guardSynchronousLoop(vm, check);
  // The library's own loop, which runs what is watched step by step.
  wrapJumps(vm, () => {
    jumps++;
    if (jumps % jumpsPerCheck === 0) check();
  });
  return {
    check,
    start(timeoutMs) {
      limit = timeoutMs === null ? null : { at: now() + timeoutMs, timeoutMs };
    },
  };
}

interface OpcodeEntry {
  opHandler: (...args: readonly unknown[]) => unknown;
}

/** The library's option for custom opcodes makes a handler asynchronous; the entry of its table can be wrapped as it is. */
function wrapJumps(vm: VM, tick: () => void): void {
  const table = (vm.evm as unknown as { _opcodeMap: Record<number, OpcodeEntry> })._opcodeMap;
  for (const opcode of jumpOpcodes) {
    const entry = table[opcode]!;
    const { opHandler } = entry;
    entry.opHandler = (...args) => {
      tick();
      return opHandler(...args);
    };
  }
}

import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import type { Address as LibraryAddress } from '@ethereumjs/util';
import { bytesToAddress, bytesToBigint } from '@prime/primitives';
import { libraryAddress } from '../block/environment.ts';
import { wordToBytes } from '../interpreter/words.ts';

/**
 * Mends what the library does about code that begins with 0xef00 where the EVM object format (EIP-3540) is not active.
 *
 * It treats such code as an object all the same: CREATE and CREATE2 answer 0 without entering a frame, and EXTCODESIZE, EXTCODECOPY and
 * EXTCODEHASH see two bytes. Without the format 0xef is an instruction that does not exist (EIP-3541 forbids only to deploy such
 * code): the frame of the creation is entered, the creator's nonce goes up, the new address becomes warm (EIP-2929), and all gas of the
 * frame is lost; what stands at an address is what it is.
 */
export function treatObjectsAsCode(vm: VM, common: Common): void {
  if (common.isActivatedEIP(3540)) return;
  const table = (vm.evm as unknown as { readonly _opcodeMap: Record<number, OpcodeEntry> })._opcodeMap;
  for (const opcode of [0xf0, 0xf5]) {
    const entry = table[opcode]!;
    entry.opHandler = createOf(opcode === 0xf5, entry.opHandler);
  }
  for (const [opcode, handler] of [
    [0x3b, extCodeSize],
    [0x3c, extCodeCopy],
    [0x3f, extCodeHash],
  ] as const)
    table[opcode]!.opHandler = handler;
}

/** The parts of the library's run state that these instructions touch; it is not among its exports. */
interface RunState {
  readonly stack: {
    readonly length: number;
    readonly _store: readonly bigint[];
    pop(): bigint;
    popN(count: number): bigint[];
    push(value: bigint): void;
  };
  readonly memory: {
    read(offset: number, size: number, avoidCopy?: boolean): Uint8Array;
    write(offset: number, size: number, value: Uint8Array): void;
  };
  messageGasLimit: bigint | undefined;
  readonly stateManager: {
    getCode(address: LibraryAddress): Promise<Uint8Array>;
    getCodeSize(address: LibraryAddress): Promise<number>;
    getAccount(address: LibraryAddress): Promise<{ isEmpty(): boolean; readonly codeHash: Uint8Array } | undefined>;
  };
  readonly interpreter: {
    isStatic(): boolean;
    create(gasLimit: bigint, value: bigint, code: Uint8Array): Promise<bigint>;
    create2(gasLimit: bigint, value: bigint, code: Uint8Array, salt: Uint8Array): Promise<bigint>;
  };
}
type Handler = (runState: RunState, common: Common) => unknown;
interface OpcodeEntry {
  opHandler: Handler;
}

/** The library's handler for all code but the one that it passes over; operands are on the stack, gas and memory are paid for. */
function createOf(salted: boolean, handler: Handler): Handler {
  return (runState, common) => {
    const { stack, memory, interpreter } = runState;
    const peek = (fromTop: number): bigint => stack._store[stack.length - 1 - fromTop] ?? 0n;
    const [offset, length] = [peek(1), peek(2)];
    // Too long (EIP-3860) and static calls end in the library's handler.
    const isTooLong = common.isActivatedEIP(3860) && length > Number(common.param('maxInitCodeSize'));
    if (length < 2n || isTooLong || interpreter.isStatic()) return handler(runState, common);
    const code = memory.read(Number(offset), Number(length), true);
    if (code[0] !== 0xef || code[1] !== 0) return handler(runState, common);
    const [value, , , salt] = stack.popN(salted ? 4 : 3);
    const gasLimit = runState.messageGasLimit!;
    runState.messageGasLimit = undefined;
    const created = salted
      ? interpreter.create2(gasLimit, value!, code, wordToBytes(salt!))
      : interpreter.create(gasLimit, value!, code);
    return created.then((address) => stack.push(address));
  };
}

const wordToAddress = (word: bigint): LibraryAddress => libraryAddress(bytesToAddress(wordToBytes(word).subarray(12)));

async function extCodeSize({ stack, stateManager }: RunState): Promise<void> {
  stack.push(BigInt(await stateManager.getCodeSize(wordToAddress(stack.pop()))));
}

async function extCodeCopy({ stack, memory, stateManager }: RunState): Promise<void> {
  const [address, to, from, length] = stack.popN(4) as [bigint, bigint, bigint, bigint];
  if (length === 0n) return;
  const code = await stateManager.getCode(wordToAddress(address));
  // Beyond its end code is zeros.
  const copied = new Uint8Array(Number(length));
  if (from < code.length) copied.set(code.subarray(Number(from), Number(from) + copied.length));
  memory.write(Number(to), copied.length, copied);
}

async function extCodeHash({ stack, stateManager }: RunState): Promise<void> {
  const account = await stateManager.getAccount(wordToAddress(stack.pop()));
  stack.push(account === undefined || account.isEmpty() ? 0n : bytesToBigint(account.codeHash));
}

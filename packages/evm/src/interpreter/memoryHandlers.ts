import type { Common } from '@ethereumjs/common';
import { keccak256 as defaultKeccak256 } from '@prime/crypto';
import { failed, type Frame } from './frame.ts';
import type { Handler } from './handlers.ts';
import { bytesToWord, readWord, writeWord } from './words.ts';

const nothing = new Uint8Array(0);

/** Bytes of a range that may reach beyond the end of the data, where it reads zeros. */
function slice(data: Uint8Array, offset: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  if (offset < data.length) bytes.set(data.subarray(Number(offset), Number(offset) + length));
  return bytes;
}

const words = (length: bigint): number => Math.ceil(Number(length) / 32);

/** Pops target, source and length, and copies data into memory. Bounds of the length: memory for it was paid. */
function copyIn(frame: Frame, copyGas: number, data: Uint8Array): void {
  frame.need(3);
  const target = frame.peek(0);
  const source = frame.peek(1);
  const length = frame.peek(2);
  frame.useGas(frame.memoryGas(target, length) + copyGas * words(length));
  frame.height -= 3;
  if (length === 0n) return;
  frame.grow();
  const { memory } = frame;
  const from = Number(target);
  const until = from + Number(length);
  // What lies beyond the end of the data reads zeros.
  const have = source < data.length ? Math.min(data.length - Number(source), until - from) : 0;
  if (have > 0) memory.set(data.subarray(Number(source), Number(source) + have), from);
  memory.fill(0, from + have, until);
}

/** The bytes that the two top items name, copied; pays for the memory first. */
function popRange(frame: Frame): Uint8Array {
  frame.need(2);
  const offset = frame.peek(0);
  const length = frame.peek(1);
  frame.useGas(frame.memoryGas(offset, length));
  frame.height -= 2;
  if (length === 0n) return nothing;
  frame.grow();
  return frame.memory.slice(Number(offset), Number(offset + length));
}

const load: Handler = (frame) => {
  frame.need(1);
  const { stack, height } = frame;
  const offset = stack[height - 1]!;
  frame.useGas(frame.memoryGas(offset, 32n));
  frame.grow();
  stack[height - 1] = readWord(frame.view, Number(offset));
};

const store: Handler = (frame) => {
  frame.need(1);
  const { stack, height } = frame;
  const offset = stack[height - 1]!;
  frame.useGas(frame.memoryGas(offset, 32n));
  // Only now, as in the library, whose words a caller sees.
  frame.need(2);
  frame.grow();
  writeWord(frame.view, Number(offset), stack[height - 2]!);
  frame.height = height - 2;
};

const storeByte: Handler = (frame) => {
  frame.need(1);
  const offset = frame.peek(0);
  frame.useGas(frame.memoryGas(offset, 1n));
  frame.need(2);
  frame.grow();
  frame.memory[Number(offset)] = Number(frame.peek(1) & 0xffn);
  frame.height -= 2;
};

const callDataLoad: Handler = (frame) => {
  frame.need(1);
  const { stack, height, callData: data } = frame;
  const offset = stack[height - 1]!;
  stack[height - 1] = offset >= data.length ? 0n : bytesToWord(slice(data, offset, 32));
};

const end = (frame: Frame): void => {
  frame.output = popRange(frame);
};

/** Work of a hash besides its words, which are 1 each, see {@link Frame.work}. */
const hashWork = 6;

/** By opcode: instructions that read or write memory, call data and code; gas by the rules of a fork from Berlin on. */
export function memoryHandlers(common: Common): ReadonlyMap<number, Handler> {
  const copyGas = Number(common.param('copyGas'));
  const keccakWordGas = Number(common.param('keccak256WordGas'));
  const keccak256 = common.customCrypto.keccak256 ?? defaultKeccak256;
  return new Map<number, Handler>([
    [
      0x20,
      (frame) => {
        frame.need(2);
        const length = frame.peek(1);
        // Before the memory, which is what bounds the length.
        const memory = frame.memoryGas(frame.peek(0), length);
        const count = words(length);
        frame.useGas(memory + keccakWordGas * count);
        frame.work(hashWork + count);
        frame.push(bytesToWord(keccak256(popRange(frame))));
      },
    ],
    [0x30, (frame) => frame.push(frame.address.word)],
    [0x33, (frame) => frame.push(frame.caller.word)],
    [0x34, (frame) => frame.push(frame.callValue)],
    [0x35, callDataLoad],
    [0x36, (frame) => frame.push(BigInt(frame.callData.length))],
    [0x37, (frame) => copyIn(frame, copyGas, frame.callData)],
    [0x38, (frame) => frame.push(BigInt(frame.code.length))],
    [0x39, (frame) => copyIn(frame, copyGas, frame.code)],
    [0x3d, (frame) => frame.push(BigInt(frame.returnBytes.length))],
    [
      0x3e,
      (frame) => {
        frame.need(3);
        const { returnBytes } = frame;
        if (frame.peek(1) + frame.peek(2) > returnBytes.length) throw failed.outOfGas();
        copyIn(frame, copyGas, returnBytes);
      },
    ],
    [0x51, load],
    [0x52, store],
    [0x53, storeByte],
    [
      0x5e,
      (frame) => {
        frame.need(3);
        const [target, source, length] = [frame.peek(0), frame.peek(1), frame.peek(2)];
        const memory = frame.memoryGas(source, length) + frame.memoryGas(target, length);
        frame.useGas(memory + copyGas * words(length));
        frame.height -= 3;
        if (length === 0n) return;
        frame.grow();
        frame.memory.copyWithin(Number(target), Number(source), Number(source + length));
      },
    ],
    [
      0xf3,
      (frame) => {
        end(frame);
        frame.pc = frame.code.length;
      },
    ],
    [
      0xfd,
      (frame) => {
        end(frame);
        throw failed.reverted();
      },
    ],
  ]);
}

import type { Common } from '@ethereumjs/common';
import { failed, type Frame } from './frame.ts';
import type { Handler } from './handlers.ts';

const signed = (value: bigint): bigint => BigInt.asIntN(256, value);
const word = (value: bigint): bigint => BigInt.asUintN(256, value);

const binary =
  (compute: (a: bigint, b: bigint) => bigint): Handler =>
  (frame) => {
    const { stack, height } = frame;
    if (height < 2) throw failed.underflow();
    stack[height - 2] = compute(stack[height - 1]!, stack[height - 2]!);
    frame.height = height - 1;
  };

/** An instruction with a modulus; what is taken by 0 is 0. */
const modular =
  (compute: (a: bigint, b: bigint) => bigint): Handler =>
  (frame) => {
    const { stack, height } = frame;
    if (height < 3) throw failed.underflow();
    const modulus = stack[height - 3]!;
    stack[height - 3] = modulus === 0n ? 0n : compute(stack[height - 1]!, stack[height - 2]!) % modulus;
    frame.height = height - 2;
  };

/** Extends the sign of a number of `size + 1` bytes. */
function signExtend(size: bigint, value: bigint): bigint {
  if (size >= 31n) return value;
  return word(BigInt.asIntN(Number(size) * 8 + 8, value));
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = word(result * square);
    square = word(square * square);
  }
  return result;
}

/** EXP: gas by the bytes of the exponent (EIP-160). */
function exponentiate(byteGas: number): Handler {
  return (frame: Frame) => {
    frame.need(2);
    const { stack, height } = frame;
    const [base, exponent] = [stack[height - 1]!, stack[height - 2]!];
    if (exponent !== 0n) frame.useGas(byteGas * ((exponent.toString(16).length + 1) >> 1));
    stack[height - 2] = power(base, exponent);
    frame.height = height - 1;
  };
}

/** By opcode: the arithmetic that is rarer than that of plainHandlers. */
export const arithmeticHandlers = (common: Common): ReadonlyMap<number, Handler> =>
  new Map<number, Handler>([
    [0x05, binary((a, b) => (b === 0n ? 0n : word(signed(a) / signed(b))))],
    [0x07, binary((a, b) => (b === 0n ? 0n : word(signed(a) % signed(b))))],
    [0x08, modular((a, b) => a + b)],
    [0x09, modular((a, b) => a * b)],
    [0x0a, exponentiate(Number(common.param('expByteGas')))],
    [0x0b, binary(signExtend)],
    [0x1a, binary((place, value) => (place > 31n ? 0n : (value >> ((31n - place) * 8n)) & 0xffn))],
    [0x1d, binary((count, value) => word(signed(value) >> (count > 255n ? 255n : count)))],
  ]);

import { failed, type Frame } from './frame.ts';

/** Carries out one instruction whose fixed gas is paid and whose place is passed. */
export type Handler = (frame: Frame) => void;

const wordMax = 2n ** 256n - 1n;
const sign = 1n << 255n;
const [zero, one] = [0n, 1n];

/** An instruction that replaces the two top items by one; `a` is the top. */
const binary =
  (compute: (a: bigint, b: bigint) => bigint): Handler =>
  (frame) => {
    const { stack, height } = frame;
    if (height < 2) throw failed.underflow();
    stack[height - 2] = compute(stack[height - 1]!, stack[height - 2]!);
    frame.height = height - 1;
  };

/** Only what left 256 bits is cut: cutting costs more than comparing. */
const cut = (value: bigint): bigint => (value > wordMax ? value & wordMax : value);

// The frequent ones are written out: a computation that is called through one place for all instructions is not inlined.

const add: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  stack[height - 2] = cut(stack[height - 1]! + stack[height - 2]!);
  frame.height = height - 1;
};

const subtract: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  const difference = stack[height - 1]! - stack[height - 2]!;
  stack[height - 2] = difference < zero ? BigInt.asUintN(256, difference) : difference;
  frame.height = height - 1;
};

const and: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  stack[height - 2] = stack[height - 1]! & stack[height - 2]!;
  frame.height = height - 1;
};

const equal: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  stack[height - 2] = stack[height - 1]! === stack[height - 2]! ? one : zero;
  frame.height = height - 1;
};

const lessThan: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  stack[height - 2] = stack[height - 1]! < stack[height - 2]! ? one : zero;
  frame.height = height - 1;
};

const greaterThan: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 2) throw failed.underflow();
  stack[height - 2] = stack[height - 1]! > stack[height - 2]! ? one : zero;
  frame.height = height - 1;
};

const isZero: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 1) throw failed.underflow();
  stack[height - 1] = stack[height - 1]! === zero ? one : zero;
};

const not: Handler = (frame) => {
  const { stack, height } = frame;
  if (height < 1) throw failed.underflow();
  stack[height - 1] = wordMax - stack[height - 1]!;
};

const pop: Handler = (frame) => {
  if (frame.height < 1) throw failed.underflow();
  frame.height--;
};

function jumpTo(frame: Frame, destination: bigint): void {
  if (destination >= frame.code.length) throw failed.badJump();
  const place = Number(destination);
  if (frame.decoded.jumps[place] !== 1) throw failed.badJump();
  frame.pc = place;
}

const jump: Handler = (frame) => {
  if (frame.height < 1) throw failed.underflow();
  frame.height--;
  jumpTo(frame, frame.stack[frame.height]!);
};

const jumpIf: Handler = (frame) => {
  if (frame.height < 2) throw failed.underflow();
  frame.height -= 2;
  const { stack, height } = frame;
  if (stack[height]! !== zero) jumpTo(frame, stack[height + 1]!);
};

/** By opcode: instructions that need nothing but stack, code and gas. */
export const plainHandlers: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0x00, (frame) => (frame.pc = frame.code.length)],
  [0x01, add],
  [0x02, binary((a, b) => cut(a * b))],
  [0x03, subtract],
  [0x04, binary((a, b) => (b === zero ? zero : a / b))],
  [0x06, binary((a, b) => (b === zero ? zero : a % b))],
  [0x10, lessThan],
  [0x11, greaterThan],
  [0x12, binary((a, b) => ((a ^ sign) < (b ^ sign) ? one : zero))],
  [0x13, binary((a, b) => ((a ^ sign) > (b ^ sign) ? one : zero))],
  [0x14, equal],
  [0x15, isZero],
  [0x16, and],
  [0x17, binary((a, b) => a | b)],
  [0x18, binary((a, b) => a ^ b)],
  [0x19, not],
  [0x1b, binary((a, b) => (a > 255n ? zero : cut(b << a)))],
  [0x1c, binary((a, b) => (a > 255n ? zero : b >> a))],
  [0x50, pop],
  [0x56, jump],
  [0x57, jumpIf],
  [0x58, (frame) => frame.push(BigInt(frame.pc - 1))],
  [0x59, (frame) => frame.push(BigInt(frame.memorySize))],
  [0x5a, (frame) => frame.push(BigInt(frame.gas))],
  [0x5b, () => undefined],
  [0x5f, (frame) => frame.push(zero)],
]);

/** Items that an instruction takes from the stack or at least looks at, by its byte (yellow paper, appendix H). */
const inputs: Readonly<Record<number, number>> = {
  ...every(range(0x01, 0x07), 2),
  ...every([0x08, 0x09], 3),
  ...every(range(0x0a, 0x0b), 2),
  ...every(range(0x10, 0x14), 2),
  0x15: 1,
  ...every(range(0x16, 0x18), 2),
  0x19: 1,
  ...every(range(0x1a, 0x1d), 2),
  0x20: 2,
  ...every([0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49], 1),
  ...every([0x37, 0x39, 0x3e], 3),
  0x3c: 4,
  ...every([0x50, 0x51, 0x54, 0x56, 0x5c], 1),
  ...every([0x52, 0x53, 0x55, 0x57, 0x5d], 2),
  0x5e: 3,
  // DUP1 … DUP16, SWAP1 … SWAP16, LOG0 … LOG4
  ...Object.fromEntries(range(0x80, 0x8f).map((byte) => [byte, byte - 0x7f])),
  ...Object.fromEntries(range(0x90, 0x9f).map((byte) => [byte, byte - 0x8e])),
  ...Object.fromEntries(range(0xa0, 0xa4).map((byte) => [byte, byte - 0x9e])),
  0xf0: 3,
  ...every([0xf1, 0xf2], 7),
  0xf3: 2,
  0xf4: 6,
  0xf5: 4,
  0xfa: 6,
  0xfd: 2,
  0xff: 1,
};

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function every(bytes: readonly number[], count: number): Record<number, number> {
  return Object.fromEntries(bytes.map((byte) => [byte, count]));
}

/** 0 for bytes without a meaning. */
export const stackInputs = (opcode: number): number => inputs[opcode] ?? 0;

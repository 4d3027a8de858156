/** What the code of a contract is taken apart into, once. */
export interface Decoded {
  /** 1 where a jump may go. */
  readonly jumps: Uint8Array;
  /** Numbers that PUSH instructions push, by the place of the instruction; made when first needed. */
  readonly pushes: (bigint | undefined)[];
}

const [firstPush, firstDup, jumpDestination] = [0x60, 0x80, 0x5b] as const;
const decodedCodes = new WeakMap<Uint8Array, Decoded>();

/**
 * Places that may be jumped to, kept with the array of the code: our state gives the same array for the same code hash. Walking the
 * code anew at every call is more than half of the time of a token transfer.
 */
export function decode(code: Uint8Array): Decoded {
  const known = decodedCodes.get(code);
  if (known !== undefined) return known;
  const jumps = new Uint8Array(code.length);
  for (let place = 0; place < code.length; place++) {
    const opcode = code[place]!;
    if (opcode === jumpDestination) jumps[place] = 1;
    else if (opcode >= firstPush && opcode < firstDup) place += opcode - firstPush + 1;
  }
  const decoded = { jumps, pushes: Array.from<bigint | undefined>({ length: code.length }) };
  decodedCodes.set(code, decoded);
  return decoded;
}

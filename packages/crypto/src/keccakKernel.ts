/**
 * Keccak-256 as a WebAssembly module that is made here, instruction by instruction: absorbing whole blocks that stand in its memory, nothing else.
 *
 * The state stays in locals, of which the compiler makes registers; one round of the permutation is the body of a loop. Constants are computed
 * by the rules of the specification, so that there is no table to mistype.
 *
 * @see https://keccak.team/files/Keccak-reference-3.0.pdf, sections 1.2 and 1.3
 */

/** Bytes that one permutation takes in: 1600 bits less twice the length of the hash. */
export const rateBytes = 136;
const [lanes, laneBytes, rounds, hashLanes] = [25, 8, 24, 4];

/** Byte codes of WebAssembly. */
const op = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  load64: 0x29,
  store64: 0x37,
  const32: 0x41,
  const64: 0x42,
  notEqual32: 0x47,
  add32: 0x6a,
  and: 0x83,
  xor: 0x85,
  rotateLeft: 0x89,
} as const;
const [i32, i64, noResult, functionType] = [0x7f, 0x7e, 0x40, 0x60];

/** Parameters and locals of the function by place. */
const [from, blocks, to, round, firstLane] = [0, 1, 2, 3, 4];
const lane = (x: number, y: number): number => firstLane + x + 5 * y;
const column = (x: number): number => firstLane + lanes + (x % 5);
const spare = firstLane + lanes + 5;
const localLanes = lanes + 6;

function leb(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  // Signed and unsigned numbers of these sizes are told apart by the bit below the top one of the last byte.
  return rest === 0 && low < 0x40 ? [low] : rest === -1 && low >= 0x40 ? [low] : [low | 0x80, ...leb(rest)];
}
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const name = (text: string): number[] => sized(Array.from(text, (letter) => letter.charCodeAt(0)));

const get = (local: number): number[] => [op.get, local];
const set = (local: number, value: readonly number[]): number[] => [...value, op.set, local];
const xor = (first: readonly number[], ...more: readonly (readonly number[])[]): number[] => [
  ...first,
  ...more.flatMap((value) => [...value, op.xor]),
];
const rotated = (value: readonly number[], by: number): number[] => [...value, op.const64, ...leb(by), op.rotateLeft];
/** @param offset bytes, a multiple of eight */
const load = (address: number, offset: number): number[] => [...get(address), op.load64, 0, ...unsigned(offset)];
const add = (local: number, value: number): number[] => [...get(local), op.const32, ...leb(value), op.add32];
const repeated = (body: readonly number[], whileNotZero: readonly number[]): number[] => [
  op.loop,
  noResult,
  ...body,
  ...whileNotZero,
  op.branchIf,
  0,
  op.end,
];

const five = [0, 1, 2, 3, 4];

/** θ: each lane gets the parities of two columns beside it. */
const theta = (): number[] => [
  ...five.flatMap((x) => set(column(x), xor(get(lane(x, 0)), ...[1, 2, 3, 4].map((y) => get(lane(x, y)))))),
  ...five.flatMap((x) => [
    ...set(spare, xor(get(column(x + 4)), rotated(get(column(x + 1)), 1))),
    ...five.flatMap((y) => set(lane(x, y), xor(get(lane(x, y)), get(spare)))),
  ]),
];

/** ρ and π: all lanes but one, turned, each in the place of the next of one long cycle. */
function rhoPi(): number[] {
  const code = set(spare, get(lane(1, 0)));
  let [x, y, turn] = [1, 0, 0];
  for (let step = 1; step < lanes; step++) {
    turn = (turn + step) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
    code.push(...set(column(0), get(lane(x, y))), ...set(lane(x, y), rotated(get(spare), turn)));
    code.push(...set(spare, get(column(0))));
  }
  return code;
}

/** χ: a ^= ~b & c along each row, where ~b & c is (b & c) ^ c. */
const chi = (): number[] =>
  five.flatMap((y) => [
    ...set(column(0), get(lane(0, y))),
    ...set(column(1), get(lane(1, y))),
    ...five.flatMap((x) => {
      const at = (next: number): number[] => get(next < 5 ? lane(next, y) : column(next - 5));
      return set(lane(x, y), xor(at(x), [...at(x + 1), ...at(x + 2), op.and], at(x + 2)));
    }),
  ]);

/** ι: the round's constant. */
const iota = (): number[] => [
  ...set(lane(0, 0), xor(get(lane(0, 0)), load(round, 0))),
  ...set(round, add(round, laneBytes)),
];

/** absorb(from, blocks, to): the hash of that many blocks, at least one, into 32 bytes. Constants of the rounds stand from 0 on. */
function absorb(): number[] {
  const oneRound = [...theta(), ...rhoPi(), ...chi(), ...iota()];
  const isNotLast = [...get(round), op.const32, ...leb(rounds * laneBytes), op.notEqual32];
  const absorbed = Array.from({ length: rateBytes / laneBytes }, (_, index) =>
    set(firstLane + index, xor(get(firstLane + index), load(from, index * laneBytes))),
  );
  const oneBlock = [
    ...absorbed.flat(),
    ...set(from, add(from, rateBytes)),
    ...set(round, [op.const32, 0]),
    ...repeated(oneRound, isNotLast),
  ];
  const hash = Array.from({ length: hashLanes }, (_, index) => [
    ...get(to),
    ...get(firstLane + index),
    op.store64,
    0,
    ...unsigned(index * laneBytes),
  ]);
  const locals = vector([
    [1, i32],
    [localLanes, i64],
  ]);
  const nextBlock = [...add(blocks, -1), op.tee, blocks];
  return [...locals, ...repeated(oneBlock, nextBlock), ...hash.flat(), op.end];
}

/** Constants of the rounds: bit 2^j - 1 of the constant of round i is that of the shift register after j + 7 i steps. */
function roundConstants(): BigUint64Array {
  const constants = new BigUint64Array(rounds);
  let register = 1;
  for (let index = 0; index < rounds; index++)
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constants[index]! |= 1n << BigInt(2 ** j - 1);
      // x^8 + x^6 + x^5 + x^4 + 1
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  return constants;
}

const pageBytes = 65_536;

/** Magic and version. */
const moduleHead = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

function moduleBytes(): Uint8Array {
  const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
  return Uint8Array.from([
    ...moduleHead,
    ...section(1, vector([[functionType, ...vector([[i32], [i32], [i32]]), 0]])),
    ...section(3, vector([[0]])),
    ...section(5, vector([[0, 1]])),
    ...section(
      7,
      vector([
        [...name('absorb'), 0, 0],
        [...name('memory'), 2, 0],
      ]),
    ),
    ...section(10, vector([sized(absorb())])),
  ]);
}

/** The part of the engine's interface that is used here: pure packages know no types of an environment. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

export interface KeccakKernel {
  /** One page; the constants of the rounds stand in its first 192 bytes. */
  readonly memory: ArrayBuffer;
  /** Hash of padded blocks, 32 bytes. @param from place in the memory @param blocks of {@link rateBytes}, at least 1 @param to place in the memory */
  readonly absorb: (from: number, blocks: number, to: number) => void;
}

export async function createKeccakKernel(): Promise<KeccakKernel> {
  const { instance } = await WebAssembly.instantiate(moduleBytes());
  const { absorb: run, memory } = instance.exports as {
    readonly absorb: KeccakKernel['absorb'];
    readonly memory: { readonly buffer: ArrayBuffer };
  };
  new BigUint64Array(memory.buffer, 0, rounds).set(roundConstants());
  return { memory: memory.buffer, absorb: run };
}

export { pageBytes as kernelMemoryBytes };

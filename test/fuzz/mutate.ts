import type { Prng } from '@prime/primitives';

/**
 * Values and texts that are almost right. All randomness comes from the generator that is handed in, so a seed repeats a run as far as
 * the node's own timing allows.
 */

const pick = <T>(random: Prng, items: readonly T[]): T => items[random.below(items.length)]!;

const strings: readonly string[] = [
  '',
  '0x',
  '0x0',
  '0x00',
  '0x01',
  '0X1',
  '0xg',
  '-0x1',
  '0x-1',
  '1',
  '00',
  'latest',
  'pending',
  'earliest',
  'safe',
  'finalized',
  'LATEST',
  '0x7fffffffffffffff',
  '0xffffffffffffffff',
  '0x1fffffffffffff',
  '0x20000000000000',
  `0x${'f'.repeat(64)}`,
  `0x1${'0'.repeat(64)}`,
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  '0x0000000000000000000000000000000000000100',
  '0x000000000000000000000000000000000000000a',
  `0x${'0'.repeat(64)}`,
  `0x${'ab'.repeat(1_000)}`,
  '0x5b5f56',
  '0x60006000fd',
  '0xfe',
  '__proto__',
  'constructor',
  'toString',
  'buy',
  'sell',
  'gtc',
  'fok',
  'orders',
  'trade',
  'A/B',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '💥'.repeat(50),
  'x'.repeat(70_000),
  '%s%n',
  "' OR 1=1",
];

const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  -0,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  4_294_967_296,
  [],
  {},
  [[]],
  [null],
  { length: 1_000_000_000 },
  { constructor: null },
  { toString: 1 },
];

/** Something that somebody might take for a value. */
export function anyValue(random: Prng, depth = 0): unknown {
  const kind = random.below(12);
  if (kind < 7) return pick(random, strings);
  if (kind < 10 || depth > 3) return pick(random, others);
  if (kind === 10) return Array.from({ length: random.below(6) }, () => anyValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [pick(random, strings), anyValue(random, depth + 1)]),
  );
}

/** A value of the same kind with a small fault, or another value altogether. */
export function mutateValue(random: Prng, value: unknown, known: readonly unknown[]): unknown {
  if (random.chance(1, 6)) return anyValue(random);
  if (random.chance(1, 8) && known.length > 0) return pick(random, known);
  if (typeof value === 'string') return mutateText(random, value);
  if (typeof value === 'number') return pick(random, [value + 1, -value, value * 2 ** 32, value + 0.5, String(value)]);
  if (Array.isArray(value)) return mutateList(random, value, known);
  if (typeof value === 'object' && value !== null) return mutateObject(random, value, known);
  return anyValue(random);
}

function mutateText(random: Prng, text: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + pick(random, ['0', 'f', 'g', 'F', ' ', '\u0000', '"', '\\']) + text.slice(at);
    case 2:
      return text.slice(0, at) + pick(random, ['0', '1', 'a', 'f']) + text.slice(at + 1);
    case 3:
      return text.toUpperCase();
    case 4:
      return text + text.slice(2);
    default:
      return text.replace('0x', '');
  }
}

function mutateList(random: Prng, list: readonly unknown[], known: readonly unknown[]): unknown[] {
  const copy = [...list];
  const at = random.below(copy.length + 1);
  const action = random.below(5);
  if (action === 0) copy.splice(at, 1);
  else if (action === 1) copy.splice(at, 0, anyValue(random));
  else if (action === 2) copy.reverse();
  else if (copy.length > 0) {
    const index = random.below(copy.length);
    copy[index] = mutateValue(random, copy[index], known);
  }
  return copy;
}

function mutateObject(random: Prng, object: object, known: readonly unknown[]): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...object };
  const keys = Object.keys(copy);
  const key = keys.length === 0 ? 'x' : pick(random, keys);
  const action = random.below(6);
  if (action === 0) delete copy[key];
  else if (action === 1) copy[pick(random, strings).slice(0, 100)] = anyValue(random);
  else if (action === 2) copy[`${key}s`] = copy[key];
  else copy[key] = mutateValue(random, copy[key], known);
  return copy;
}

/** Faults that JSON.stringify does not make: in the text itself, or in its bytes. */
export function mutateBytes(random: Prng, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  const around = (...between: readonly (string | Buffer)[]): Buffer =>
    Buffer.concat([bytes.subarray(0, at), ...between.map((part) => Buffer.from(part)), bytes.subarray(at)]);
  switch (random.below(9)) {
    case 0:
      return around(Buffer.from([random.below(256)]));
    case 1:
      return around(Buffer.from([0xc3, 0x28, 0xff]));
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes, Buffer.from(pick(random, [',', ']', '}', ' ', '\u0000', text]))]);
    case 4:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 5:
      return Buffer.from(text.replace(/"params":/, `"params":[${'['.repeat(random.below(200))}],"params":`));
    case 6:
      return Buffer.from(
        text.replace(/:(\d+|"0x[0-9a-f]*")/, pick(random, [':1e999', `:${'9'.repeat(400)}`, ':-0', ':0x1'])),
      );
    case 7:
      return Buffer.from('['.repeat(random.below(20_000)));
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
      return copy;
    }
  }
}

import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@prime/primitives';
import fc from 'fast-check';
import { encodeRlp, type RlpValue } from './rlp.ts';
import { RlpBackwards } from './rlpBackwards.ts';

type Scalar = { readonly number: number } | { readonly bigint: bigint } | { readonly bytes: Uint8Array };
interface Tree {
  readonly items: readonly (Scalar | Tree)[];
}

const bytes = fc
  .integer({ min: 2, max: 55 })
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((value) => ({ bytes: value }));
const scalar = fc.oneof(
  fc.maxSafeNat().map((number) => ({ number })),
  fc.integer({ min: 0, max: 300 }).map((number) => ({ number })),
  fc.bigInt({ min: 0n, max: (1n << 257n) - 1n }).map((bigint) => ({ bigint })),
  bytes,
);
const { tree } = fc.letrec<{ tree: Tree; item: Scalar | Tree }>((tie) => ({
  tree: fc.record({ items: fc.array(tie('item'), { maxLength: 12 }) }),
  item: fc.oneof({ maxDepth: 3 }, scalar, tie('tree')),
}));

const valueOf = (item: Scalar | Tree): RlpValue => {
  if ('items' in item) return item.items.map(valueOf);
  if ('number' in item) return item.number;
  return 'bigint' in item ? item.bigint : item.bytes;
};

function write(writer: RlpBackwards, item: Scalar | Tree): void {
  if ('number' in item) writer.number(item.number);
  else if ('bigint' in item) writer.bigint(item.bigint);
  else if ('bytes' in item) {
    if (item.bytes.length % 2 === 0) writer.shortString(item.bytes);
    else writer.hex(bytesToHex(item.bytes));
  } else {
    const place = writer.length;
    for (const part of [...item.items].reverse()) write(writer, part);
    writer.list(place);
  }
}

describe('RlpBackwards', () => {
  it('writes what encodeRlp gives, also when the buffer has to grow', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 40 }), (value, capacity) => {
        const writer = new RlpBackwards(capacity);
        write(writer, value);
        expect(writer.view(writer.length, writer.length)).toEqual(encodeRlp(valueOf(value)));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps earlier messages where they were', () => {
    const writer = new RlpBackwards(1);
    const places: number[] = [];
    for (let number = 0; number < 100; number++) {
      writer.number(number);
      places.push(writer.length);
    }
    expect(places.map((place, number) => writer.at(place) === (number === 0 ? 0x80 : number))).not.toContain(false);
  });

  it('writes fixed widths without a header, highest byte first', () => {
    const writer = new RlpBackwards(0);
    writer.fixed(2 ** 40 + 5, 8);
    expect([...writer.view(8, 8)]).toEqual([0, 0, 1, 0, 0, 0, 0, 5]);
  });
});

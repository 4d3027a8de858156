import { expect, it } from '@jest/globals';
import { createPrng, utf8ToBytes } from '@prime/primitives';
import { crc32c } from './crc32c.ts';

const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);

/** RFC 3720, appendix B.4, and the usual check value. */
const known: readonly (readonly [name: string, bytes: Uint8Array, crc: number])[] = [
  ['nothing', new Uint8Array(0), 0],
  ['check value', utf8ToBytes('123456789'), 0xe3069283],
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['ascending', ascending, 0x46dd794e],
  ['descending', ascending.toReversed(), 0x113fdb5c],
];

it('gives the published values', () => {
  for (const [name, bytes, crc] of known) expect([name, crc32c(bytes)]).toEqual([name, crc]);
});

it('goes on from a part to the whole, wherever the cut is', () => {
  const prng = createPrng(7);
  const bytes = Uint8Array.from({ length: 61 }, () => prng.below(256));
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(crc32c(bytes));
});

import { readFileSync } from 'node:fs';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookChecksum, crc32 } from './checksum.ts';

interface WireLevel {
  readonly price: string;
  readonly size: string;
}
interface Vector {
  readonly name: string;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly checksum: string;
}
const vectorsUrl = new URL('../../../../gateway/testdata/bookChecksum.json', import.meta.url);
const vectors = JSON.parse(readFileSync(vectorsUrl, 'utf8')) as readonly Vector[];
const levels = (side: readonly WireLevel[]) =>
  side.map(({ price, size }) => ({ price: BigInt(price), size: BigInt(size) }));

describe('the checksum of a book', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('of the vector "%s"', (_, vector) => {
    expect(bookChecksum(levels(vector.bids).toReversed(), levels(vector.asks))).toBe(vector.checksum);
  });

  it('there are vectors', () => {
    expect(vectors.length).toBeGreaterThan(3);
  });

  it('is the CRC-32 of zlib', () => {
    const property = fc.property(fc.stringMatching(/^[\x20-\x7e]{0,200}$/), (text) => {
      expect(crc32(text)).toBe(zlibCrc32(text));
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it('is of the best 25 levels of each side and of no other', () => {
    const side = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ price: BigInt(100 - index), size: 1n }));
    expect(bookChecksum(side(26), [])).toBe(bookChecksum(side(25), []));
    expect(bookChecksum(side(25), [])).not.toBe(bookChecksum(side(24), []));
  });
});

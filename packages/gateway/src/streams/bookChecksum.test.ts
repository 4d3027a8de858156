import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { PriceLevel } from '@prime/rpc';
import { bookChecksum } from './bookChecksum.ts';

interface Vector {
  readonly name: string;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly checksum: string;
}
const vectors = JSON.parse(
  readFileSync(new URL('../../testdata/bookChecksum.json', import.meta.url), 'utf8'),
) as readonly Vector[];

const side = (levels: Vector['bids']): PriceLevel[] =>
  levels.map(({ price, size }) => ({ price: BigInt(price), size: BigInt(size) }));
const level = (price: number): PriceLevel => ({ price: BigInt(price), size: 1n });

/** CRC-32 bit by bit, as the standard writes it. */
function crc32Of(text: string): number {
  let crc = 0xffff_ffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ~crc >>> 0;
}

describe('the checksum of a book', () => {
  for (const { name, bids, asks, checksum } of vectors)
    it(`of ${name} is as published`, () => {
      expect(bookChecksum({ bids: side(bids).reverse(), asks: side(asks) })).toBe(checksum);
    });

  it('is CRC-32 of the text that the document shows', () => {
    const text = '0x65:0x3:0x66:0x5:0x64:0xa';
    const bids = [
      { price: 0x65n, size: 3n },
      { price: 0x64n, size: 10n },
    ];
    expect(bookChecksum({ bids, asks: [{ price: 0x66n, size: 5n }] })).toBe(`0x${crc32Of(text).toString(16)}`);
    expect(crc32Of('123456789')).toBe(0xcbf43926);
  });

  it('covers 25 levels of each side and no more', () => {
    const bids = Array.from({ length: 26 }, (_, index) => level(100 - index));
    const asks = Array.from({ length: 26 }, (_, index) => level(200 + index));
    const whole = bookChecksum({ bids, asks });
    expect(bookChecksum({ bids: bids.slice(0, 25), asks: asks.slice(0, 25) })).toBe(whole);
    expect(bookChecksum({ bids: bids.slice(0, 24), asks })).not.toBe(whole);
  });
});

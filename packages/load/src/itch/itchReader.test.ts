import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { LoadError } from '../errors.ts';
import { encodeItch } from '../testing/itchEncoder.ts';
import { itchLengths, type ItchMessage, type ItchType } from './itchMessages.ts';
import { type ItchSelection, readItch } from './itchReader.ts';

async function* pieces(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += Math.max(size, 1)) yield bytes.subarray(at, at + size);
}
async function read(bytes: Uint8Array, size?: number, selection?: ItchSelection): Promise<ItchMessage[]> {
  const messages: ItchMessage[] = [];
  for await (const message of readItch(pieces(bytes, size), selection)) messages.push(message);
  return messages;
}
const refusalOf = (bytes: Uint8Array) =>
  read(bytes).then(
    () => null,
    ({ detail }: LoadError) => detail,
  );
const fromHex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** An order, its execution, and the end of the session, byte by byte. */
const addHex = '0024 41 0d18 0002 1a2b3c4d5e6f 00000000000003e9 42 00000064 4141504c20202020 0016e360';
const executedHex = '001f 45 0d18 0004 1a2b3c4d5e70 00000000000003e9 0000001e 00000000000f4240';
const file = fromHex(addHex + executedHex);

describe('readItch', () => {
  it('reads the bytes that the specification lays out', async () => {
    expect(await read(fromHex(`${addHex}${executedHex}0000`))).toEqual([
      {
        type: 'A',
        locate: 3352,
        tracking: 2,
        ns: 0x1a2b3c4d5e6f,
        offset: 0,
        reference: 1001n,
        side: 'B',
        shares: 100,
        stock: 'AAPL',
        price: 1_500_000,
      },
      {
        type: 'E',
        locate: 3352,
        tracking: 4,
        ns: 0x1a2b3c4d5e70,
        offset: 38,
        reference: 1001n,
        shares: 30,
        match: 1_000_000n,
      },
    ]);
  });

  it('knows all types with their published lengths', () => {
    const published = 'S12 R39 H25 Y20 L26 V35 W12 K28 J35 h21 A36 F40 E31 C36 X23 D19 U35 P44 Q40 B19 I50 N20 O48';
    const own = Object.entries(itchLengths).map(([type, length]) => `${type}${length}`);
    expect(own.join(' ')).toBe(published);
  });

  it('reads every type, and each field to its last bit', async () => {
    for (const type of Object.keys(itchLengths) as ItchType[]) {
      const begin = { locate: 0xffff, tracking: 0xfffe, ns: 2 ** 48 - 1 };
      const ones = encodeItch(type, begin).fill(0xff, 2 + 11);
      const [message] = await read(Buffer.concat([ones, encodeItch(type, begin)]));
      for (const [name, value] of Object.entries(message!)) {
        if (typeof value === 'bigint') expect([type, name, value]).toEqual([type, name, 2n ** 64n - 1n]);
        if (typeof value === 'number' && !['locate', 'tracking', 'ns', 'offset'].includes(name))
          expect([type, name, value]).toEqual([type, name, 2 ** 32 - 1]);
      }
      expect(message).toMatchObject({ type, ...begin });
    }
  });

  it('reads the same from pieces of any size, packed or not', async () => {
    const expected = await read(file);
    expect(expected).toHaveLength(2);
    const packed = gzipSync(file);
    for (let size = 1; size <= Math.max(file.length, packed.length); size++) {
      expect([size, await read(file, size)]).toEqual([size, expected]);
      expect([size, await read(packed, size)]).toEqual([size, expected]);
    }
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });

  it('passes over what is not wanted, and checks it all the same', async () => {
    const many = [1, 2].flatMap((locate) => [encodeItch('A', { locate, side: 'B' }), encodeItch('D', { locate })]);
    const bytes = Buffer.concat([encodeItch('S', { event: 'O' }), ...many]);
    const shown = (messages: readonly ItchMessage[]) => messages.map(({ type, locate }) => `${type}${locate}`);
    expect(shown(await read(bytes, 7, { wants: (locate) => locate === 2 }))).toEqual(['S0', 'A2', 'D2']);
    expect(shown(await read(bytes, 7, { types: new Set(['D']) }))).toEqual(['D1', 'D2']);
    bytes[1] = 13;
    await expect(read(bytes, 7, { types: new Set() })).rejects.toThrow('a message S of 13 bytes, it has 12');
  });

  it('refuses what is none, with the offset', async () => {
    const cases: [string, Uint8Array, number, string][] = [
      ['no type', Buffer.concat([file, fromHex('0001 5a')]), file.length, 'no type of message: 0x5a'],
      [
        'one byte short',
        Buffer.concat([file, fromHex('0012 44'), Buffer.alloc(17)]),
        file.length,
        'a message D of 18 bytes, it has 19',
      ],
      ['one byte long', fromHex(`0014 44${'00'.repeat(19)}`), 0, 'a message D of 20 bytes, it has 19'],
      ['longer than any', fromHex('0033 44'), 0, 'a message of 51 bytes, the longest has 50'],
      ['a file that was cut', file.subarray(0, -1), 38, 'the file ends within a message, after 32 bytes of it'],
      ['a length that was cut', file.subarray(0, 39), 38, 'the file ends within a message, after 1 bytes of it'],
      ['more behind the end', fromHex(`0000${addHex}`), 2, 'there is more behind the end of the session'],
    ];
    for (const [what, bytes, offset, reason] of cases)
      expect([what, await refusalOf(bytes)]).toEqual([what, { code: 'LOAD_ITCH_MALFORMED', offset, reason }]);
  });

  it('refuses a packed file that is damaged, or was cut', async () => {
    const packed = gzipSync(
      Buffer.concat(Array.from({ length: 400 }, (_, index) => encodeItch('D', { reference: BigInt(index * 7919) }))),
    );
    expect(await refusalOf(packed.subarray(0, packed.length >> 1))).toMatchObject({
      code: 'LOAD_ITCH_MALFORMED',
      reason: expect.stringContaining('damaged gzip'),
    });
    const damaged = Buffer.from(packed);
    damaged[packed.length - 6]! ^= 1;
    expect(await refusalOf(damaged)).toMatchObject({
      code: 'LOAD_ITCH_MALFORMED',
      reason: expect.stringContaining('damaged gzip'),
    });
  });
});

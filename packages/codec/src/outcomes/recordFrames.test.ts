import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeRecordFrames, encodeRecordFrames, noRecords } from './recordFrames.ts';

describe('the records of a block as frames', () => {
  const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: 300 });
  const write = fc.record({ key: bytes(1), value: fc.option(bytes(1)) });

  it('come back as they went in, those that are gone among them', () => {
    fc.assert(
      fc.property(fc.array(write), (writes) => {
        expect(decodeRecordFrames(encodeRecordFrames(writes))).toEqual(writes);
      }),
    );
  });

  it('are none where a block wrote none', () => {
    expect(decodeRecordFrames(noRecords)).toEqual([]);
  });

  it('are refused where bytes are missing', () => {
    const frames = encodeRecordFrames([{ key: Uint8Array.of(1), value: Uint8Array.of(2, 3) }]);
    for (let length = 0; length < frames.length; length++)
      expect(() => decodeRecordFrames(frames.subarray(0, length))).toThrow(/frames/);
  });
});

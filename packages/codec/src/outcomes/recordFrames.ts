import { encodeFrames, frameEnds, framesStart } from './blockLists.ts';
import type { RecordWrite } from '../types.ts';

/**
 * The records that a block wrote in the one form in which threads hand them on: key and value of each, as two frames of encodeFrames. A frame without bytes is
 * the value of a record that is gone, since no record is empty.
 */

const gone = new Uint8Array(0);

/** In their order. */
export const encodeRecordFrames = (writes: readonly RecordWrite[]): Uint8Array =>
  encodeFrames(writes.flatMap(({ key, value }) => [key, value ?? gone]));

/** Of a block that wrote none. */
export const noRecords = encodeRecordFrames([]);

/** Undoes {@link encodeRecordFrames}. Keys and values are views on the bytes: whoever keeps one for long copies it. @throws CodecError `CODEC_FIELD_INVALID` */
export function decodeRecordFrames(frames: Uint8Array): RecordWrite[] {
  const ends = frameEnds(frames);
  const writes: RecordWrite[] = [];
  let start = framesStart(ends.length);
  for (let index = 0; index + 1 < ends.length; index += 2) {
    const [keyEnd, end] = [ends[index]!, ends[index + 1]!];
    writes.push({
      key: frames.subarray(start, keyEnd),
      value: keyEnd === end ? null : frames.subarray(keyEnd, end),
    });
    start = end;
  }
  return writes;
}

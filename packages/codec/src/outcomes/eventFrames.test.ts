import { describe, expect, it } from '@jest/globals';
import { keccakHex } from '@prime/crypto';
import { concatBytes } from '@prime/primitives';
import { readFileSync } from 'node:fs';
import {
  appendEvents,
  decodeEventFrames,
  encodeEventFrames,
  eventAt,
  eventCodesIn,
  eventsRoot,
  noEvents,
  placesOfKind,
} from './eventFrames.ts';
import { decodeEvent, encodeEvent } from './events.ts';
import { type EventKind, eventTable } from './eventTable.ts';

const invalid = expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never;
/** One of each kind and more. */
const published = (
  JSON.parse(readFileSync(new URL('../../testdata/events.json', import.meta.url), 'utf8')) as {
    vectors: { encoded?: string }[];
  }
).vectors.flatMap(({ encoded }) =>
  encoded === undefined ? [] : [decodeEvent(Uint8Array.from(Buffer.from(encoded.slice(2), 'hex')))],
);
const frames = encodeEventFrames(published);

describe('encoded events of a block', () => {
  it('survive encoding in their order, together and one by one', () => {
    expect(decodeEventFrames(frames)).toEqual(published);
    expect(published.map((_, place) => eventAt(frames, place))).toEqual(published);
    expect(decodeEventFrames(noEvents)).toEqual([]);
  });

  it('tell their kinds', () => {
    expect(eventCodesIn(frames)).toEqual(published.map(({ kind }) => eventTable[kind as EventKind].code));
    for (const kind of Object.keys(eventTable) as EventKind[])
      expect(placesOfKind(frames, kind).map((place) => published[place])).toEqual(
        published.filter((event) => event.kind === kind),
      );
  });

  it('are the same bytes, however they came together', () => {
    for (let first = 0; first <= published.length; first++)
      expect(appendEvents(encodeEventFrames(published.slice(0, first)), published.slice(first))).toEqual(frames);
  });

  it('have the hash of the concatenated encodings as their root, which depends on their order', () => {
    expect(eventsRoot(frames)).toBe(keccakHex(concatBytes(...published.map(encodeEvent))));
    expect(eventsRoot(encodeEventFrames(published.toReversed()))).not.toBe(eventsRoot(frames));
    expect(eventsRoot(noEvents)).toBe(keccakHex(new Uint8Array(0)));
  });

  it('are refused where the bytes are no frames', () => {
    for (const read of [
      decodeEventFrames,
      eventCodesIn,
      eventsRoot,
      (bytes: Uint8Array) => appendEvents(bytes, published),
    ])
      for (const bytes of [new Uint8Array(0), frames.subarray(0, frames.length - 1), Uint8Array.of(0, 0, 0, 1)])
        expect(() => read(bytes)).toThrow(invalid);
  });
});

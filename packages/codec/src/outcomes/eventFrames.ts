import { keccakHex } from '@prime/crypto';
import type { Hash } from '@prime/primitives';
import { encodeFrames, frameAt, frameCount, frameEnds, framesPayload, framesStart } from './blockLists.ts';
import { decodeEvent, encodeEvent } from './events.ts';
import { type EventKind, eventTable } from './eventTable.ts';
import { RlpCursor } from '../encoding/rlpCursor.ts';
import type { DomainEvent } from '../types.ts';

/**
 * The events of a block in the one form in which threads hand them on, the database keeps them and the block commits to them: each is encoded once, where it
 * comes to be, and decoded where somebody reads it. The bytes are those of encodeFrames, one frame an event, in execution order.
 */

/** @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeEventFrames = (events: readonly DomainEvent[]): Uint8Array => encodeFrames(events.map(encodeEvent));

/** Of a block without events. */
export const noEvents = encodeEventFrames([]);

/** All events. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeEventFrames = (frames: Uint8Array): DomainEvent[] =>
  Array.from({ length: frameCount(frames) }, (_, index) => eventAt(frames, index));

/** The event at a place. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const eventAt = (frames: Uint8Array, index: number): DomainEvent => decodeEvent(frameAt(frames, index));

/** Codes of the kinds of all events, in order; nothing else of them is decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export function eventCodesIn(frames: Uint8Array): number[] {
  const cursor = new RlpCursor(frames);
  const ends = frameEnds(frames);
  const codes = Array<number>(ends.length);
  let start = framesStart(ends.length);
  for (let index = 0; index < ends.length; index++) {
    cursor.moveTo(start);
    cursor.list();
    codes[index] = cursor.number();
    start = ends[index]!;
  }
  return codes;
}

/** Places of the events of one kind, ascending; none of them is decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export function placesOfKind(frames: Uint8Array, kind: EventKind): number[] {
  const { code } = eventTable[kind];
  const places: number[] = [];
  eventCodesIn(frames).forEach((each, place) => {
    if (each === code) places.push(place);
  });
  return places;
}

/** The events with further ones behind them. @throws CodecError `CODEC_FIELD_INVALID` */
export function appendEvents(frames: Uint8Array, events: readonly DomainEvent[]): Uint8Array {
  if (events.length === 0) return frames;
  const own = Array.from({ length: frameCount(frames) }, (_, index) => frameAt(frames, index));
  return encodeFrames([...own, ...events.map(encodeEvent)]);
}

/**
 * Commitment of a block to its events: hash of their concatenated encodings. Each encoding tells its own length, so the
 * concatenation can be read in one way only. No events: the hash of nothing.
 */
export const eventsRoot = (frames: Uint8Array): Hash => keccakHex(framesPayload(frames));

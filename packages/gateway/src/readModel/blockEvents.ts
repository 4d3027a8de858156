import { eventAt, eventCodes, eventCodesIn, type EventKind, eventTable, frameEnds } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { type BlockRecord, eventEntry, type EventEntry, type EventMatch } from '@prime/rpc';
import { matchesEvent } from '../matching.ts';

/** Events of a block with their places, decoded when somebody asks for them and then kept: on a node without clients nobody does. */
export class BlockEvents {
  readonly #block: BlockRecord;
  readonly #frames: Uint8Array;
  /** Of each event: what a query for a kind looks at. */
  readonly #codes: Uint16Array;
  readonly #entries: (EventEntry | undefined)[] = [];

  /** @param frames encoded events, see eventFrames.ts of the codec */
  constructor(block: BlockRecord, frames: Uint8Array) {
    this.#block = block;
    this.#frames = frames;
    this.#codes = Uint16Array.from(eventCodesIn(frames));
  }

  get count(): number {
    return this.#codes.length;
  }

  /** All of them, in order. */
  get all(): readonly EventEntry[] {
    return this.#at(this.#codes.keys());
  }

  /** Those of a kind, in order. */
  ofKind(kind: EventKind): readonly EventEntry[] {
    return this.#at(this.#ofCodes([eventTable[kind].code]));
  }

  /** Those that a query wants, in order. */
  matching(choice: EventMatch): readonly EventEntry[] {
    const { domain, kind, addresses } = choice;
    if (addresses.length > 0) return this.#at(this.#naming(addresses)).filter((entry) => matchesEvent(entry, choice));
    return domain === null && kind === null ? this.all : this.#at(this.#ofCodes(eventCodes(domain, kind)));
  }

  #at(places: Iterable<number>): EventEntry[] {
    return Array.from(places, (place) => (this.#entries[place] ??= this.#decoded(place)));
  }

  #decoded(place: number): EventEntry {
    const { block, hash, actionHashes } = this.#block;
    return eventEntry(
      block.header.height,
      block.header.timestampMs,
      hash,
      place,
      eventAt(this.#frames, place),
      actionHashes,
    );
  }

  *#ofCodes(codes: readonly number[]): Iterable<number> {
    for (let place = 0; place < this.#codes.length; place++) if (codes.includes(this.#codes[place]!)) yield place;
  }

  /** Places, ascending, of the events with the bytes of an address in them: all that name it, and more only by accident. */
  #naming(addresses: EventMatch['addresses']): readonly number[] {
    const { buffer, byteOffset, length } = this.#frames;
    const bytes = Buffer.from(buffer, byteOffset, length);
    const ends = frameEnds(this.#frames);
    const places = new Set<number>();
    for (const address of addresses) {
      const wanted = hexToBytes(address);
      let place = 0;
      for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, ends[place]!)) {
        while (place < ends.length - 1 && ends[place]! <= at) place++;
        places.add(place);
      }
    }
    return [...places].sort((a, b) => a - b);
  }
}

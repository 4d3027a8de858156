import { requestInvalid } from '../errors.ts';
import { clockAnchorUs, stampClock } from './stampClock.ts';
import { allocateStampRing, LaneReader, type Stamp, stampingThreads } from './stampRing.ts';

/** Stamps of one answer at most: 1 MiB of text. */
export const pageStampsMax = 16_384;

/** How many stamps are kept from the start on, and how threads learn where to. */
export interface StageDeskOptions {
  /** Stamps to keep from the start on; 0 keeps none. */
  readonly stamps: number;
  /** Added to the wall clock; 0 but in tests of clock skew. */
  readonly clockOffsetMs: number;
  /** Resolves when all threads stamp into the ring, or, with null, into none. */
  readonly tell: (ring: SharedArrayBuffer | null) => Promise<unknown>;
}

/** The ring of a node's stamps: switched on and off, and read, by the thread that answers operators. */
export interface StageDesk {
  /** What threads stamp into when they begin; null is nothing. */
  readonly ring: SharedArrayBuffer | null;
  /** @param stamps to keep, 0 to `stampsMax` of stampRing.ts; 0 frees the memory. The same number as before changes nothing @returns for people */
  keep(stamps: number): Promise<{ readonly on: boolean; readonly stamps: number }>;
  /**
   * A page of stamps as JSON: `{on, ring, stamps, rows, next, lost, more, receivedUs, answeredUs}`, or `{on: false, ...}`.
   *
   * `rows` are `[stage, height, block, item, µs since 1970]`, in the order in which a thread made them. `next` is where the next page goes on, and `lost`
   * how many went out of the ring between this page and where the reader was.
   *
   * @param query `after`: `next` of the page before; none, or of another ring, begins with the oldest that is there. `limit`: 0 to {@link pageStampsMax}
   * @throws NodeError `OPERATOR_REQUEST_INVALID`
   */
  read(query: URLSearchParams): string;
}

interface Ring {
  readonly buffer: SharedArrayBuffer;
  readonly stamps: number;
  /** Of the process and the time when it was made. */
  readonly name: string;
  readonly readers: readonly LaneReader[];
}

/** A ring of another size begins empty; the stamps of the one before are gone. */
export function createStageDesk({ stamps, clockOffsetMs, tell }: StageDeskOptions): StageDesk {
  const anchorUs = clockAnchorUs(clockOffsetMs);
  const nowUs = stampClock(anchorUs);
  const open = (wanted: number): Ring | null => (wanted === 0 ? null : openRing(wanted, anchorUs, nowUs()));
  let ring = open(stamps);
  return {
    get ring() {
      return ring?.buffer ?? null;
    },
    async keep(wanted) {
      if (wanted !== (ring?.stamps ?? 0)) {
        ring = open(wanted);
        await tell(ring?.buffer ?? null);
      }
      return { on: wanted > 0, stamps: wanted };
    },
    read(query) {
      const receivedUs = nowUs();
      const limit = limitIn(query);
      const after = afterIn(query);
      const text = ring === null ? offText : pageText(ring, after, limit);
      return `${text.slice(0, -1)},"receivedUs":${receivedUs},"answeredUs":${nowUs()}}\n`;
    },
  };
}

const offText = JSON.stringify({
  on: false,
  words:
    'stamps of stages are off: set admin.stage_stamps, or POST /stages/keep {"stamps": 262144} with the token of the node',
});

function openRing(stamps: number, anchorUs: number, nowUs: number): Ring {
  const buffer = allocateStampRing(stamps, anchorUs);
  return {
    buffer,
    stamps,
    name: `${process.pid}-${nowUs}`,
    readers: stampingThreads.map((thread) => new LaneReader(buffer, thread)),
  };
}

/** `ring.number.number.number`: how far a reader is in each lane. */
interface Cursor {
  readonly ring: string;
  readonly sequences: readonly number[];
}

const cursorPattern = /^(\d{1,10}-\d{1,17})((?:\.\d{1,15}){3})$/;

function pageText({ stamps, name, readers }: Ring, after: Cursor | null, limit: number): string {
  const begin = after?.ring === name ? after.sequences : readers.map(() => 0);
  const rows: string[] = [];
  const next: number[] = [];
  let [lost, more] = [0, false];
  for (const [lane, reader] of readers.entries()) {
    // A cursor beyond what was written is nobody's: it would wait for ever.
    const reading = reader.read(Math.min(begin[lane]!, reader.written), limit - rows.length);
    for (const stamp of reading.stamps) rows.push(rowText(stamp));
    next.push(reading.next);
    lost += reading.lost;
    more ||= reading.more;
  }
  const head = JSON.stringify({ on: true, ring: name, stamps, next: [name, ...next].join('.'), lost, more });
  return `${head.slice(0, -1)},"rows":[${rows.join(',')}]}`;
}

/** Nothing in it needs to be escaped. */
const rowText = ({ stage, height, block, item, atUs }: Stamp): string =>
  `["${stage}",${height},${quoted(block)},${quoted(item)},${atUs}]`;
const quoted = (hash: string | null): string => (hash === null ? 'null' : `"${hash}"`);

function limitIn(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(pageStampsMax);
  if (!/^\d{1,6}$/.test(text) || Number(text) > pageStampsMax)
    throw requestInvalid('limit', `a whole number from 0 to ${pageStampsMax}`);
  return Number(text);
}

function afterIn(query: URLSearchParams): Cursor | null {
  const text = query.get('after') ?? '';
  if (text === '') return null;
  const [, ring, sequences] = cursorPattern.exec(text) ?? [];
  if (ring === undefined || sequences === undefined)
    throw requestInvalid('after', 'what an earlier answer had as next');
  return { ring, sequences: sequences.slice(1).split('.').map(Number) };
}

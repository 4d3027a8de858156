import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LoadError } from '../errors.ts';
import {
  type FieldLayout,
  itchBeginBytes,
  itchLayouts,
  itchLengths,
  type ItchMessage,
  type ItchType,
} from './itchMessages.ts';

/** Which messages a reader hands over; all when nothing is said. */
export interface ItchSelection {
  /** Types that are wanted; all when left out. Others are checked, and passed over without being read. */
  readonly types?: ReadonlySet<ItchType>;
  /** Whether a stock is wanted, by its locate code; messages about none (0) always are. */
  readonly wants?: (locate: number) => boolean;
}

/** Bytes before each message that tell its length. */
const lengthBytes = 2;
const maxLength = Math.max(...Object.values(itchLengths));

const typeByCode = new Map<number, ItchType>(
  (Object.keys(itchLayouts) as ItchType[]).map((type) => [type.charCodeAt(0), type]),
);

/**
 * Reads a file of TotalView-ITCH 5.0: messages with their length in front, as the exchange publishes days; also packed with gzip, which shows in the first bytes.
 * What one read of the file brings is in memory, and nothing else.
 *
 * @throws LoadError `LOAD_ITCH_MALFORMED` for a type that there is none of, a length that its type has not, a file that ends within a message or is no gzip
 */
export async function* readItch(
  input: AsyncIterable<Uint8Array>,
  selection: ItchSelection = {},
): AsyncGenerator<ItchMessage> {
  const reader = new PieceReader(selection);
  for await (const piece of unpacked(input)) yield* reader.take(piece);
  reader.close();
}

/**
 * Ends the reading of an ITCH file.
 *
 * @param offset of the message's length in the unpacked file, bytes
 * @throws LoadError `LOAD_ITCH_MALFORMED`
 */
export function malformedItch(offset: number, reason: string, cause?: unknown): never {
  throw new LoadError(
    `ITCH at offset ${offset}: ${reason}`,
    { code: 'LOAD_ITCH_MALFORMED', offset, reason },
    { cause },
  );
}

class PieceReader {
  readonly #selection: ItchSelection;
  /** Begin of a message whose end is in the next piece. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Of the first byte of the rest. */
  #offset = 0;
  #hasEnded = false;

  constructor(selection: ItchSelection) {
    this.#selection = selection;
  }

  *take(piece: Uint8Array): Generator<ItchMessage> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at + lengthBytes <= bytes.length) {
      const offset = this.#offset + at;
      if (this.#hasEnded) malformedItch(offset, 'there is more behind the end of the session');
      const length = view.getUint16(at);
      if (length === 0) {
        this.#hasEnded = true;
        at += lengthBytes;
        continue;
      }
      if (length > maxLength) malformedItch(offset, `a message of ${length} bytes, the longest has ${maxLength}`);
      if (at + lengthBytes + length > bytes.length) break;
      const message = this.#message(view, at + lengthBytes, { offset, length });
      if (message !== null) yield message;
      at += lengthBytes + length;
    }
    this.#rest = bytes.subarray(at);
    this.#offset += at;
  }

  close(): void {
    if (this.#rest.length > 0)
      malformedItch(this.#offset, `the file ends within a message, after ${this.#rest.length} bytes of it`);
  }

  #message(
    view: DataView,
    at: number,
    { offset, length }: { readonly offset: number; readonly length: number },
  ): ItchMessage | null {
    const code = view.getUint8(at);
    const type = typeByCode.get(code) ?? malformedItch(offset, `no type of message: 0x${code.toString(16)}`);
    if (length !== itchLengths[type])
      malformedItch(offset, `a message ${type} of ${length} bytes, it has ${itchLengths[type]}`);
    const { types, wants } = this.#selection;
    if (types !== undefined && !types.has(type)) return null;
    const locate = view.getUint16(at + 1);
    if (wants !== undefined && locate !== 0 && !wants(locate)) return null;
    return {
      type,
      locate,
      tracking: view.getUint16(at + 3),
      ns: view.getUint16(at + 5) * 2 ** 32 + view.getUint32(at + 7),
      offset,
      ...fieldsOf(itchLayouts[type], view, at + itchBeginBytes),
    } as ItchMessage;
  }
}

function fieldsOf(
  layout: Readonly<Record<string, FieldLayout>>,
  view: DataView,
  begin: number,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  let at = begin;
  for (const name in layout) {
    const { kind, bytes } = layout[name]!;
    fields[name] =
      kind === 'number' ? view.getUint32(at) : kind === 'big' ? view.getBigUint64(at) : textAt(view, at, bytes);
    at += bytes;
  }
  return fields;
}

function textAt(view: DataView, at: number, bytes: number): string {
  let text = '';
  for (let index = 0; index < bytes; index++) text += String.fromCharCode(view.getUint8(at + index));
  return text.trimEnd();
}

const gzipBegin = [0x1f, 0x8b] as const;

/** A file that does not begin with the two bytes of gzip is as it is: 0x1f8b is the length of no message. */
async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = input[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < gzipBegin.length) {
    const next = await pieces.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    if (first.length > 0) yield first;
    try {
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  };
  if (gzipBegin.some((byte, index) => first[index] !== byte)) yield* whole();
  else yield* gunzip(whole());
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed);
  const unpacker = createGunzip();
  source.on('error', (error) => unpacker.destroy(error));
  let offset = 0;
  try {
    for await (const piece of source.pipe(unpacker) as AsyncIterable<Uint8Array>) {
      yield piece;
      offset += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') === true)
      malformedItch(offset, `damaged gzip: ${(error as Error).message}`, error);
    throw error;
  } finally {
    source.destroy();
  }
}

import { assert } from '@prime/primitives';

/**
 * Messages of shards on the bus. Their columns are typed arrays and maps, which msgpack does not carry: arrays travel as their bytes, maps as
 * lists of entries, both marked. Fields of plain objects are looked through, elements of arrays and values of maps are not: there are no
 * columns in them.
 */

const mark = '$';
const arrays = { Float64Array, Int32Array, Uint8Array };
type Column = Float64Array | Int32Array | Uint8Array;

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A message in the form that msgpack carries; bytes are shared with the columns, not copied. */
export function toWire(value: unknown): unknown {
  if (value instanceof Map) return { [mark]: 'Map', entries: [...value] };
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return { [mark]: value.constructor.name, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toWire(field)]));
}

/** The message that {@link toWire} was given. `T` is what the caller knows it to be; it is not checked. */
export function fromWire<T>(value: unknown): T {
  return read(value) as T;
}

function read(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const kind = value[mark];
  if (kind === 'Map') return new Map(value['entries'] as [unknown, unknown][]);
  if (typeof kind === 'string') return column(kind, value['bytes'] as Uint8Array);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, read(field)]));
}

/** Into memory of its own: bytes of a message may stand anywhere. */
function column(kind: string, bytes: Uint8Array): Column {
  assert(kind in arrays, `a shard's message has a column of kind ${kind}`);
  return new arrays[kind as keyof typeof arrays](bytes.slice().buffer as ArrayBuffer);
}

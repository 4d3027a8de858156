import { encodeRlp, type RlpValue } from '@prime/codec';
import { decodeSignRecord, encodeSignRecord, type LockState, type SignStateRecord } from '@prime/engine';
import { type Address, type Hash, utf8ToBytes } from '@prime/primitives';
import { malformedFrame, NetworkError, type SignerRefusal } from '../errors.ts';
import {
  address,
  bytes,
  decodeWith,
  type Field,
  fieldReader,
  hash,
  integer,
  listOf,
  optional,
  round,
  sized,
  tuple,
} from '../wire/fields.ts';

/**
 * What a node and its remote signer say to each other (docs/protocol/signer.md). Frame: `len u32 | type u8 | payload`, RLP inside; `len`
 * counts the type as well.
 */
export type SignerMessage =
  | {
      readonly kind: 'hello';
      readonly version: number;
      readonly chainId: number;
      readonly genesisHash: Hash;
      /** What the node knows as the newest signature. */
      readonly newest: SignStateRecord | null;
    }
  | {
      readonly kind: 'sign';
      readonly id: number;
      readonly key: Address;
      readonly signBytes: Uint8Array;
      readonly lock: LockState;
    }
  /** A native transaction of kind `gateway`, its signature zero. */
  | { readonly kind: 'signAction'; readonly id: number; readonly key: Address; readonly unsigned: Uint8Array }
  | { readonly kind: 'ping'; readonly id: number }
  | {
      readonly kind: 'welcome';
      readonly version: number;
      readonly chainId: number;
      readonly genesisHash: Hash;
      /** The newest first. */
      readonly keys: readonly SignerKey[];
      readonly newest: SignStateRecord | null;
    }
  | { readonly kind: 'signature'; readonly id: number; readonly signature: Uint8Array }
  | { readonly kind: 'refusal'; readonly id: number; readonly refusal: SignerRefusal; readonly reason: string }
  | { readonly kind: 'pong'; readonly id: number };

/** A key of a signer, and its word that a TLS key speaks for it among validators. */
export interface SignerKey {
  readonly address: Address;
  /** 65 bytes over `transportKeyDigest`. */
  readonly credential: Uint8Array;
}

/** What both ends have to agree on in ALPN (RFC 7301). */
export const signerProtocol = 'prime-signer/1';
/** Version of the messages, which the two ends tell each other first. */
export const signerVersion = 1;
/** Keys that a signer may hold: the one in use and the next one, with room. */
const signerKeysMax = 8;

const types = {
  hello: 1,
  sign: 2,
  signAction: 3,
  ping: 4,
  welcome: 16,
  signature: 17,
  refusal: 18,
  pong: 19,
} as const satisfies Record<SignerMessage['kind'], number>;
const kinds: ReadonlyMap<number, SignerMessage['kind']> = new Map(
  Object.entries(types).map(([kind, type]) => [type, kind as SignerMessage['kind']]),
);

/** Longest frames, bytes: an action and its envelope, a record of the sign state. */
const frameBytesMax: Readonly<Record<SignerMessage['kind'], number>> = {
  hello: 1_024,
  sign: 512,
  signAction: 65 * 1_024,
  ping: 16,
  welcome: 2_048,
  signature: 128,
  refusal: 1_024,
  pong: 16,
};
const refusalCodes: readonly SignerRefusal[] = [
  'conflict',
  'behind',
  'lockBehind',
  'otherNetwork',
  'unknownKey',
  'malformed',
];
/** Bytes of a reason that are sent. */
const wordsMax = 512;
const headBytes = 4;

type ContentOf<Kind extends SignerMessage['kind']> = Omit<Extract<SignerMessage, { readonly kind: Kind }>, 'kind'>;

const record = optional<SignStateRecord>({
  write: encodeSignRecord,
  read: (item, read) => decodeSignRecord(bytes.read(item, read)) ?? read.fail('not a record of a sign state'),
});
const key = tuple<SignerKey>({ address, credential: sized(65) });
const keys: Field<readonly SignerKey[]> = {
  write: (held) => listOf(key).write(held),
  read(item, read) {
    const { length } = read.list(item);
    return length > 0 && length <= signerKeysMax ? listOf(key).read(item, read) : read.fail(`${length} keys`);
  },
};
const refusal: Field<SignerRefusal> = {
  write: (value) => refusalCodes.indexOf(value) + 1,
  read: (item, read) => refusalCodes[read.integer(item, refusalCodes.length) - 1] ?? read.fail('unknown code'),
};
const reason: Field<string> = {
  write: (text) => utf8ToBytes(text).slice(0, wordsMax),
  read: (item, read) => new TextDecoder().decode(read.bytes(item)),
};

const network = { version: integer(), chainId: integer(), genesisHash: hash };
/** A lock stands among the other fields. */
const flatSign = tuple<Omit<ContentOf<'sign'>, 'lock'> & LockState>({
  id: integer(),
  key: address,
  signBytes: bytes,
  lockedRound: round,
  lockedValue: optional(hash),
  validRound: round,
  validValue: optional(hash),
});
const alive = tuple<ContentOf<'ping'>>({ id: integer() });

const formats: { readonly [Kind in SignerMessage['kind']]: Field<ContentOf<Kind>> } = {
  hello: tuple({ ...network, newest: record }),
  sign: {
    write: ({ lock, ...rest }) => flatSign.write({ ...rest, ...lock }),
    read(item, read) {
      const { id, key: signer, signBytes, ...lock } = flatSign.read(item, read);
      return { id, key: signer, signBytes, lock };
    },
  },
  signAction: tuple({ id: integer(), key: address, unsigned: bytes }),
  ping: alive,
  welcome: tuple({ ...network, keys, newest: record }),
  signature: tuple({ id: integer(), signature: sized(65) }),
  refusal: tuple({ id: integer(), refusal, reason }),
  pong: alive,
};

/** A whole frame, length and type included. */
export function encodeSignerMessage(message: SignerMessage): Uint8Array {
  const { write } = formats[message.kind] as { readonly write: (content: SignerMessage) => RlpValue };
  const payload = encodeRlp(write(message));
  const frame = new Uint8Array(headBytes + 1 + payload.length);
  new DataView(frame.buffer).setUint32(0, payload.length + 1);
  frame[headBytes] = types[message.kind];
  frame.set(payload, headBytes + 1);
  return frame;
}

/** @throws NetworkError `NETWORK_FRAME_MALFORMED`, `NETWORK_MESSAGE_MALFORMED` */
function decodeSignerMessage(type: number, payload: Uint8Array): SignerMessage {
  const kind = kindOf(type);
  const { read } = formats[kind] as Field<object>;
  return decodeWith(kind, payload, (item) => ({ kind, ...read(item, fieldReader(kind)) }) as SignerMessage);
}

function kindOf(type: number): SignerMessage['kind'] {
  const kind = kinds.get(type);
  if (kind === undefined) throw malformedFrame(`no signer message has type ${type}`);
  return kind;
}

/** Cuts a stream into frames; a length is judged before anything is kept for it. */
export class SignerFrames {
  #bytes = new Uint8Array(0);

  /** @throws NetworkError `NETWORK_FRAME_TOO_LARGE`, `NETWORK_FRAME_MALFORMED`, `NETWORK_MESSAGE_MALFORMED` */
  push(chunk: Uint8Array): SignerMessage[] {
    const bytes = new Uint8Array(this.#bytes.length + chunk.length);
    bytes.set(this.#bytes);
    bytes.set(chunk, this.#bytes.length);
    const view = new DataView(bytes.buffer);
    const messages: SignerMessage[] = [];
    let start = 0;
    while (bytes.length - start > headBytes) {
      const length = view.getUint32(start);
      const type = bytes[start + headBytes]!;
      checkLength(type, length);
      const end = start + headBytes + length;
      if (end > bytes.length) break;
      messages.push(decodeSignerMessage(type, bytes.subarray(start + headBytes + 1, end)));
      start = end;
    }
    this.#bytes = bytes.slice(start);
    return messages;
  }
}

function checkLength(type: number, length: number): void {
  const kind = kindOf(type);
  if (length < 1) throw malformedFrame('a frame without a type');
  if (length <= frameBytesMax[kind]) return;
  const detail = { code: 'NETWORK_FRAME_TOO_LARGE', frame: kind, size: length, limit: frameBytesMax[kind] } as const;
  throw new NetworkError(`${kind} of ${length} bytes, at most ${frameBytesMax[kind]}`, detail);
}

import { encodeRlp, type RlpItem, type RlpValue } from '@prime/codec';
import { decodeSignRecord, encodeSignRecord, type LockState, type SignStateRecord } from '@prime/engine';
import { type Address, bytesToAddress, type Hash, type Hex, type Round, utf8ToBytes } from '@prime/primitives';
import { malformedFrame, malformedMessage, NetworkError, type SignerRefusal } from '../errors.ts';
import { decodeWith, fieldReader } from '../wire/fields.ts';

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
const none = '0x' as Hex;

/** A whole frame, length and type included. */
export function encodeSignerMessage(message: SignerMessage): Uint8Array {
  const payload = encodeRlp(fieldsOf(message));
  const frame = new Uint8Array(headBytes + 1 + payload.length);
  new DataView(frame.buffer).setUint32(0, payload.length + 1);
  frame[headBytes] = types[message.kind];
  frame.set(payload, headBytes + 1);
  return frame;
}

const record = (value: SignStateRecord | null): Uint8Array =>
  value === null ? new Uint8Array(0) : encodeSignRecord(value);

function fieldsOf(message: SignerMessage): RlpValue[] {
  switch (message.kind) {
    case 'hello':
      return [message.version, message.chainId, message.genesisHash, record(message.newest)];
    case 'sign': {
      const { lockedRound, lockedValue, validRound, validValue } = message.lock;
      const locks = [lockedRound + 1, lockedValue ?? none, validRound + 1, validValue ?? none] as const;
      return [message.id, message.key, message.signBytes, ...locks];
    }
    case 'signAction':
      return [message.id, message.key, message.unsigned];
    case 'welcome':
      return [
        message.version,
        message.chainId,
        message.genesisHash,
        message.keys.map(({ address, credential }) => [address, credential]),
        record(message.newest),
      ];
    case 'signature':
      return [message.id, message.signature];
    case 'refusal':
      return [message.id, refusalCodes.indexOf(message.refusal) + 1, utf8ToBytes(message.reason).slice(0, wordsMax)];
    case 'ping':
    case 'pong':
      return [message.id];
  }
}

/** @throws NetworkError `NETWORK_FRAME_MALFORMED`, `NETWORK_MESSAGE_MALFORMED` */
function decodeSignerMessage(type: number, payload: Uint8Array): SignerMessage {
  const kind = kinds.get(type);
  if (kind === undefined) throw malformedFrame(`no signer message has type ${type}`);
  return decodeWith(kind, payload, (item) => read(kind, item));
}

function read(kind: SignerMessage['kind'], item: RlpItem): SignerMessage {
  const field = fieldReader(kind);
  const copy = (one: RlpItem | undefined): Uint8Array => new Uint8Array(field.bytes(one));
  const sized = (one: RlpItem | undefined, size: number): Uint8Array => {
    const bytes = copy(one);
    if (bytes.length !== size) throw malformedMessage(kind, `expected ${size} bytes, got ${bytes.length}`);
    return bytes;
  };
  const recordOf = (one: RlpItem | undefined): SignStateRecord | null => {
    const bytes = copy(one);
    const decoded = bytes.length === 0 ? null : decodeSignRecord(bytes);
    if (decoded === null && bytes.length > 0) throw malformedMessage(kind, 'not a record of a sign state');
    return decoded;
  };
  const addressOf = (one: RlpItem | undefined): Address => bytesToAddress(sized(one, 20));
  switch (kind) {
    case 'hello': {
      const [version, chainId, genesisHash, newest] = field.tuple(item, 4);
      return { kind, ...network(field, version, chainId, genesisHash), newest: recordOf(newest) };
    }
    case 'welcome': {
      const [version, chainId, genesisHash, list, newest] = field.tuple(item, 5);
      const keys = field.list(list);
      if (keys.length === 0 || keys.length > signerKeysMax) throw malformedMessage(kind, `${keys.length} keys`);
      return {
        kind,
        ...network(field, version, chainId, genesisHash),
        keys: keys.map((entry) => {
          const [address, credential] = field.tuple(entry, 2);
          return { address: addressOf(address), credential: sized(credential, 65) };
        }),
        newest: recordOf(newest),
      };
    }
    case 'sign': {
      const [id, key, signBytes, lockedRound, lockedValue, validRound, validValue] = field.tuple(item, 7);
      const valueOf = (one: RlpItem | undefined): Hash | null =>
        field.bytes(one).length === 0 ? null : field.hash(one);
      const roundOf = (one: RlpItem | undefined): Round => (field.integer(one, 2 ** 31) - 1) as Round;
      const lock = {
        lockedRound: roundOf(lockedRound),
        lockedValue: valueOf(lockedValue),
        validRound: roundOf(validRound),
        validValue: valueOf(validValue),
      };
      return { kind, id: field.integer(id), key: addressOf(key), signBytes: copy(signBytes), lock };
    }
    case 'signAction': {
      const [id, key, unsigned] = field.tuple(item, 3);
      return { kind, id: field.integer(id), key: addressOf(key), unsigned: copy(unsigned) };
    }
    case 'signature': {
      const [id, signature] = field.tuple(item, 2);
      return { kind, id: field.integer(id), signature: sized(signature, 65) };
    }
    case 'refusal': {
      const [id, code, reason] = field.tuple(item, 3);
      const refusal = refusalCodes[field.integer(code, refusalCodes.length) - 1];
      if (refusal === undefined) throw malformedMessage(kind, 'unknown code');
      return { kind, id: field.integer(id), refusal, reason: new TextDecoder().decode(field.bytes(reason)) };
    }
    case 'ping':
    case 'pong':
      return { kind, id: field.integer(field.tuple(item, 1)[0]) };
  }
}

const network = (
  field: ReturnType<typeof fieldReader>,
  version: RlpItem | undefined,
  chainId: RlpItem | undefined,
  genesisHash: RlpItem | undefined,
) => ({ version: field.integer(version), chainId: field.integer(chainId), genesisHash: field.hash(genesisHash) });

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
  const kind = kinds.get(type);
  if (kind === undefined) throw malformedFrame(`no signer message has type ${type}`);
  if (length < 1) throw malformedFrame('a frame without a type');
  if (length <= frameBytesMax[kind]) return;
  const detail = { code: 'NETWORK_FRAME_TOO_LARGE', frame: kind, size: length, limit: frameBytesMax[kind] } as const;
  throw new NetworkError(`${kind} of ${length} bytes, at most ${frameBytesMax[kind]}`, detail);
}

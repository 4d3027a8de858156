import { keccak256 } from '@prime/crypto';

/** What two processes of the bare network say to each other. */
export interface BareMessage {
  readonly kind: 'proposal' | 'prevote' | 'precommit';
  readonly height: number;
  /** Index of the validator that signed it. */
  readonly from: number;
  /** Of a proposal: the proposer's wall clock, ms; 0 in a vote. */
  readonly timestampMs: number;
  /** 32 bytes: the block that is proposed or voted for. */
  readonly hash: Uint8Array;
  /** 65 bytes: r | s | yParity of {@link signedDigest}. */
  readonly signature: Uint8Array;
  /** Of a proposal. */
  readonly body: Uint8Array;
}

const kinds = ['proposal', 'prevote', 'precommit'] as const;
/** Length of all, kind, height, validator, timestamp. */
const fixedBytes = 4 + 1 + 4 + 1 + 8;
const hashBytes = 32;
const signatureBytes = 65;

/** Length (u32, of what follows), kind (u8), height (u32), validator (u8), timestamp (f64), hash, signature, body. */
export function encodeMessage(message: BareMessage): Buffer {
  const bytes = Buffer.allocUnsafe(fixedBytes + hashBytes + signatureBytes + message.body.length);
  bytes.writeUInt32BE(bytes.length - 4, 0);
  bytes.writeUInt8(kinds.indexOf(message.kind), 4);
  bytes.writeUInt32BE(message.height, 5);
  bytes.writeUInt8(message.from, 9);
  bytes.writeDoubleBE(message.timestampMs, 10);
  bytes.set(message.hash, fixedBytes);
  bytes.set(message.signature, fixedBytes + hashBytes);
  bytes.set(message.body, fixedBytes + hashBytes + signatureBytes);
  return bytes;
}

/** Splits a stream of encoded messages, in pieces as they come, into messages. */
export function createMessageReader(onMessage: (message: BareMessage) => void): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32BE(0);
      if (rest.length < end) return;
      onMessage(decodeMessage(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
  };
}

function decodeMessage(bytes: Buffer): BareMessage {
  const signatureStart = fixedBytes + hashBytes;
  return {
    kind: kinds[bytes.readUInt8(4)]!,
    height: bytes.readUInt32BE(5),
    from: bytes.readUInt8(9),
    timestampMs: bytes.readDoubleBE(10),
    hash: bytes.subarray(fixedBytes, signatureStart),
    signature: bytes.subarray(signatureStart, signatureStart + signatureBytes),
    body: bytes.subarray(signatureStart + signatureBytes),
  };
}

/** What is signed: kind, height and block. */
export function signedDigest(kind: BareMessage['kind'], height: number, hash: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(5 + hashBytes);
  bytes.writeUInt8(kinds.indexOf(kind), 0);
  bytes.writeUInt32BE(height, 1);
  bytes.set(hash, 5);
  return keccak256(bytes);
}

/** Hash of a block: parent, height, timestamp and body. */
export function blockHash(parent: Uint8Array, height: number, timestampMs: number, body: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(hashBytes + 12 + body.length);
  bytes.set(parent, 0);
  bytes.writeUInt32BE(height, hashBytes);
  bytes.writeDoubleBE(timestampMs, hashBytes + 4);
  bytes.set(body, hashBytes + 12);
  return keccak256(bytes);
}

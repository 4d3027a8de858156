import type { Prng } from '@prime/primitives';

/** WebSocket on the wire (RFC 6455), as far as a fuzzer needs it: frames with and without faults, and reading a node's frames. */

export const handshake = Buffer.from(
  [
    'GET / HTTP/1.1',
    'Host: fuzz',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n'),
);

const textOpcode = 1;

interface FrameParts {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly isMasked: boolean;
  readonly payload: Buffer;
}

function frame({ opcode, isFinal, isMasked, payload }: FrameParts): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const maskBit = isMasked ? 0x80 : 0;
  const head =
    payload.length < 126
      ? Buffer.from([first, maskBit | payload.length])
      : payload.length < 65_536
        ? Buffer.from([first, maskBit | 126, payload.length >> 8, payload.length & 0xff])
        : Buffer.from([first, maskBit | 127, 0, 0, 0, 0, ...uint32(payload.length)]);
  // A mask of zeros is a mask.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const uint32 = (value: number): number[] => [value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];

export const textFrame = (payload: Buffer): Buffer =>
  frame({ opcode: textOpcode, isFinal: true, isMasked: true, payload });

/** A message whose frames a node must not take for granted. */
export function oddFrames(random: Prng, payload: Buffer): Buffer {
  const half = payload.length >> 1;
  const text = { opcode: textOpcode, isFinal: true, isMasked: true, payload };
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([
        frame({ ...text, isFinal: false, payload: payload.subarray(0, half) }),
        frame({ ...text, opcode: 0, payload: payload.subarray(half) }),
      ]);
    case 1:
      return frame({ ...text, isMasked: false });
    case 2:
      return frame({ ...text, opcode: random.below(16) });
    case 3:
      return Buffer.concat([frame({ ...text, opcode: 9, payload: Buffer.from('ping') }), textFrame(payload)]);
    case 4:
      // Announces 2^62 bytes.
      return Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    default:
      return textFrame(Buffer.concat([payload, Buffer.from([0xc3, 0x28])]));
  }
}

/** Texts of the whole messages in what a node sent after its handshake; a node does not split them. */
export function messagesIn(bytes: Buffer): string[] {
  const messages: string[] = [];
  let at = bytes.indexOf('\r\n\r\n') + 4;
  while (at + 2 <= bytes.length) {
    const opcode = bytes[at]! & 0x0f;
    let length = bytes[at + 1]! & 0x7f;
    let start = at + 2;
    if (length === 126) {
      if (start + 2 > bytes.length) break;
      length = bytes.readUInt16BE(start);
      start += 2;
    } else if (length === 127) {
      if (start + 8 > bytes.length) break;
      length = Number(bytes.readBigUInt64BE(start));
      start += 8;
    }
    if (start + length > bytes.length) break;
    if (opcode === textOpcode) messages.push(bytes.toString('utf8', start, start + length));
    at = start + length;
  }
  return messages;
}

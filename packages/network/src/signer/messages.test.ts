import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { bytesToHex, concatBytes, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { signerMessages as messages } from '../testing/signerMessages.ts';
import { encodeSignerMessage, SignerFrames, type SignerMessage } from './messages.ts';

const vectors = JSON.parse(readFileSync(new URL('../../testdata/signer.json', import.meta.url), 'utf8')) as readonly {
  readonly kind: string;
  readonly frame: string;
}[];

describe('messages of a remote signer', () => {
  it('are encoded as published, and read back as they were', () => {
    expect(
      messages.map((message) => ({ kind: message.kind, frame: bytesToHex(encodeSignerMessage(message)) })),
    ).toEqual(vectors);
    for (const [index, { frame }] of vectors.entries())
      expect(new SignerFrames().push(hexToBytes(frame))).toEqual([messages[index]]);
  });

  it('come out of a stream however it is cut', () => {
    const stream = concatBytes(...messages.map(encodeSignerMessage));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const frames = new SignerFrames();
        const read: SignerMessage[] = [];
        for (let start = 0, turn = 0; start < stream.length; turn++) {
          const end = start + sizes[turn % sizes.length]!;
          read.push(...frames.push(stream.subarray(start, end)));
          start = end;
        }
        expect(read).toEqual(messages);
      }),
      { numRuns: 30 },
    );
  });

  it('a reason of any letters and length fits into its frame', () => {
    const frame = encodeSignerMessage({ kind: 'refusal', id: 1, refusal: 'malformed', reason: '\u20ac'.repeat(2_000) });
    expect(new SignerFrames().push(frame)).toMatchObject([{ kind: 'refusal', refusal: 'malformed' }]);
  });

  it('a length beyond the limit of its kind is refused by its head alone, before anything is kept', () => {
    const head = (length: number, type: number): Uint8Array => {
      const bytes = new Uint8Array(5);
      new DataView(bytes.buffer).setUint32(0, length);
      bytes[4] = type;
      return bytes;
    };
    expect(() => new SignerFrames().push(head(513, 2))).toThrow(
      expect.objectContaining({ code: 'NETWORK_FRAME_TOO_LARGE', detail: expect.objectContaining({ limit: 512 }) }),
    );
    expect(() => new SignerFrames().push(head(1, 5))).toThrow(
      expect.objectContaining({ code: 'NETWORK_FRAME_MALFORMED' }),
    );
  });

  it('damaged bytes are read as some message or refused with an error of the network, and nothing else', () => {
    const frames = messages.map(encodeSignerMessage);
    const index = fc.integer({ min: 0, max: frames.length - 1 });
    fc.assert(
      fc.property(index, fc.nat(), fc.integer({ min: 1, max: 255 }), (which, at, flip) => {
        const bytes = frames[which]!.slice();
        bytes[at % bytes.length]! ^= flip;
        try {
          new SignerFrames().push(bytes);
        } catch (error) {
          expect((error as { code?: unknown }).code).toMatch(/^NETWORK_/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

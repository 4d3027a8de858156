import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { voteSignBytes } from '@prime/codec';
import type { LockState, SignStateRecord } from '@prime/engine';
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type Round,
} from '@prime/primitives';
import fc from 'fast-check';
import { encodeSignerMessage, SignerFrames, type SignerMessage } from './messages.ts';

const hash = (byte: string): Hash => `0x${byte.repeat(32)}` as Hash;
const key = `0x${'1b'.repeat(20)}` as Address;
const [chainId, genesisHash] = [7919, hash('99')];
const lock: LockState = {
  lockedRound: 0 as Round,
  lockedValue: hash('01'),
  validRound: -1 as Round,
  validValue: null,
};
const place = { height: 5 as Height, round: 1 as Round };
const signBytes = voteSignBytes(chainId, genesisHash, { ...place, type: 'precommit', blockHash: hash('01') });
const record: SignStateRecord = { ...place, step: 3, signBytes, signature: new Uint8Array(65).fill(7), ...lock };

/** One of each kind, in the order of the vectors. */
const messages: readonly SignerMessage[] = [
  { kind: 'hello', version: 1, chainId, genesisHash, newest: null },
  { kind: 'hello', version: 1, chainId, genesisHash, newest: record },
  { kind: 'sign', id: 1, key, signBytes, lock },
  { kind: 'signAction', id: 2, key, unsigned: Uint8Array.of(0x50, 0xc0) },
  { kind: 'ping', id: 0 },
  {
    kind: 'welcome',
    version: 1,
    chainId,
    genesisHash,
    keys: [{ address: key, credential: new Uint8Array(65).fill(9) }],
    newest: record,
  },
  { kind: 'signature', id: 1, signature: new Uint8Array(65).fill(8) },
  { kind: 'refusal', id: 3, refusal: 'conflict', reason: 'another message was signed there' },
  { kind: 'pong', id: 0 },
];
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

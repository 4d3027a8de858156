import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NetworkError } from '../errors.ts';
import { encodeFrame, frameKinds, type FrameName, FrameReader } from './frame.ts';

const names = Object.keys(frameKinds) as FrameName[];

const readAll = (chunks: readonly Uint8Array[]): { name: FrameName; payload: Uint8Array }[] => {
  const reader = new FrameReader();
  const frames: { name: FrameName; payload: Uint8Array }[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let frame = reader.next(); frame !== null; frame = reader.next())
      frames.push({ name: frame.name, payload: new Uint8Array(frame.payload) });
  }
  return frames;
};

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof NetworkError) return error.code;
    throw error;
  }
  return 'none';
};

describe('frames', () => {
  it('number, channel and limit of each message stay what docs/protocol/p2p.md says', () => {
    expect(Object.fromEntries(names.map((name) => [name, Object.values(frameKinds[name]).slice(1).join(' ')]))).toEqual(
      {
        hello: 'control 1 1024 0',
        ping: 'control 2 4 0',
        pong: 'control 3 4 0',
        bye: 'control 4 1 0',
        vote: 'consensus 1 65536 0',
        voteCertificate: 'consensus 2 65536 0',
        pooledHashes: 'transactions 5 81920 2',
        pooledRequest: 'transactions 6 81920 2',
        proposal: 'consensus 3 1048576 0',
        status: 'consensus 4 64 0',
        evidence: 'consensus 5 32768 1',
        bodiesRequest: 'bodies 1 81920 1',
        bodies: 'bodies 2 132096 1',
        transactions: 'transactions 1 132096 2',
        actions: 'transactions 2 132096 2',
        actionRequest: 'transactions 3 132096 1',
        actionAnswer: 'transactions 4 2048 1',
        blocksRequest: 'sync 1 64 1',
        blocks: 'sync 2 2097152 1',
        snapshotsRequest: 'sync 3 64 1',
        snapshots: 'sync 4 2097152 1',
        chunkRequest: 'sync 5 64 1',
        chunk: 'sync 6 1049600 1',
        headersRequest: 'sync 7 64 1',
        headers: 'sync 8 262144 1',
      },
    );
  });

  it('are the same however the stream is cut into chunks', () => {
    const frame = fc
      .constantFrom(...names)
      .chain((name) =>
        fc
          .uint8Array({ maxLength: Math.min(200, frameKinds[name].payloadBytesMax) })
          .map((payload) => ({ name, payload })),
      );
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 90 })), (frames, sizes) => {
        const stream = Buffer.concat(frames.map(({ name, payload }) => encodeFrame(name, payload).bytes));
        const chunks: Uint8Array[] = [];
        for (let offset = 0, index = 0; offset < stream.length; index++) {
          const size = sizes.length === 0 ? 1 : sizes[index % sizes.length]!;
          chunks.push(new Uint8Array(stream.subarray(offset, offset + size)));
          offset += size;
        }
        expect(readAll(chunks)).toEqual(frames);
      }),
    );
  });

  it.each(names)('%s: the limit passes, a byte more is refused by both ends', (name) => {
    const limit = frameKinds[name].payloadBytesMax;
    expect(readAll([encodeFrame(name, new Uint8Array(limit)).bytes])[0]?.payload.length).toBe(limit);
    expect(codeOf(() => encodeFrame(name, new Uint8Array(limit + 1)))).toBe('NETWORK_FRAME_TOO_LARGE');
    const header = encodeFrame(name, new Uint8Array(0)).bytes;
    new DataView(header.buffer).setUint32(0, limit + 3);
    expect(codeOf(() => readAll([header]))).toBe('NETWORK_FRAME_TOO_LARGE');
  });

  it('an announced length of 4 GiB is refused after four bytes', () => {
    expect(codeOf(() => readAll([new Uint8Array([255, 255, 255, 255])]))).toBe('NETWORK_FRAME_TOO_LARGE');
  });

  it('an allowed length takes memory only for the bytes that came', () => {
    const reader = new FrameReader();
    const header = encodeFrame('blocks', new Uint8Array(0)).bytes;
    new DataView(header.buffer).setUint32(0, 2 * 1024 * 1024);
    reader.push(header);
    expect(reader.next()).toBeNull();
    expect(reader.bufferedBytes).toBe(6);
  });

  it('two megabytes in single bytes are joined without a quadratic cost', () => {
    const reader = new FrameReader();
    const { bytes } = encodeFrame('blocks', new Uint8Array(2 * 1024 * 1024).fill(5));
    for (let offset = 0; offset < bytes.length; offset++) {
      reader.push(bytes.subarray(offset, offset + 1));
      if (offset < bytes.length - 1 && offset % 4_096 === 0) expect(reader.next()).toBeNull();
    }
    expect(reader.next()?.payload.length).toBe(2 * 1024 * 1024);
  });

  it('arbitrary bytes give frames or a NetworkError', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 8 }), (chunks) => {
        expect(['none', 'NETWORK_FRAME_TOO_LARGE', 'NETWORK_FRAME_MALFORMED']).toContain(codeOf(() => readAll(chunks)));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { allocateLinkMemory, ringMemory } from './layout.ts';
import { frameFlag, frameKind, framePayloadMax, RingReader, RingWriter } from './ring.ts';

const capacity = 4096;
const payloadMax = framePayloadMax(capacity);

function ring() {
  const memory = ringMemory(allocateLinkMemory({ a: capacity, b: capacity }), 'a');
  const [writer, reader] = [new RingWriter(memory), new RingReader(memory)];
  const write = (length: number, flags = 0, fill = 1): boolean => {
    const payload = new Uint8Array(length).fill(fill);
    const head = { kind: frameKind.stream, flags, nameId: 513, correlation: 0xffff_ffff, messageBytes: length };
    return writer.tryWrite(head, flags, payload, 0, length);
  };
  const poll = (framesMax = 1_000) => {
    const frames: { head: object; payload: Uint8Array }[] = [];
    reader.poll(framesMax, (head, bytes, start, length) => {
      frames.push({ head: { ...head }, payload: bytes.slice(start, start + length) });
    });
    return frames;
  };
  return { memory, writer, reader, write, poll };
}

describe('a ring', () => {
  it.each([0, 1, 15, 16, 17, payloadMax - 1, payloadMax])('carries a frame of %d bytes as it is', (length) => {
    const { write, poll } = ring();
    expect(write(length, frameFlag.raw, 7)).toBe(true);
    const head = { kind: frameKind.stream, flags: frameFlag.raw, nameId: 513, correlation: 0xffff_ffff };
    expect(poll()).toEqual([{ head: { ...head, messageBytes: length }, payload: new Uint8Array(length).fill(7) }]);
    expect(poll()).toEqual([]);
  });

  it('takes four of the largest frames and nothing more, until one was read', () => {
    const { write, poll, writer } = ring();
    expect([1, 2, 3, 4].map(() => write(payloadMax))).toEqual([true, true, true, true]);
    expect(writer.depthBytes).toBe(capacity);
    expect(write(0)).toBe(false);
    expect(poll(1)).toHaveLength(1);
    expect(write(payloadMax)).toBe(true);
    expect(write(0)).toBe(false);
  });

  it.each([1, 2, 3])('hands on at most %d frames at a time, the oldest first', (framesMax) => {
    const { write, poll } = ring();
    for (const fill of [1, 2, 3]) write(8, 0, fill);
    const order = (frames: ReturnType<typeof poll>): number[] => frames.map(({ payload }) => payload[0]!);
    expect([...order(poll(framesMax)), ...order(poll())]).toEqual([1, 2, 3]);
  });

  it('pads its end: a frame that does not fit there begins anew, and order and bytes hold for many rounds', () => {
    const { write, poll } = ring();
    for (let turn = 0; turn < 200; turn++) {
      const length = (turn * 37) % payloadMax;
      expect(write(length, 0, turn % 251)).toBe(true);
      expect(poll()).toEqual([expect.objectContaining({ payload: new Uint8Array(length).fill(turn % 251) })]);
    }
  });

  it('counts whole messages on both sides, at the places that others read', () => {
    const { write, poll, writer, reader, memory } = ring();
    write(8, frameFlag.more);
    write(8);
    poll();
    writer.publishCounters();
    reader.publishCounters();
    const { counters, places } = memory;
    const read = (name: keyof typeof places): number => counters[places[name]]!;
    expect([read('messages'), read('messagesRead'), read('bytes'), read('depthBytesMax')]).toEqual([1, 1, 64, 64]);
    expect(new Set(Object.values(places)).size).toBe(7);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeFrame, type FrameName, frameKinds, type OutgoingFrame } from '../wire/frame.ts';
import { SendQueue } from './sendQueue.ts';

const frame = (name: FrameName, size: number): OutgoingFrame => encodeFrame(name, new Uint8Array(size));
const drain = (queue: SendQueue): OutgoingFrame[] => {
  const frames: OutgoingFrame[] = [];
  for (let next = queue.shift(); next !== null; next = queue.shift()) frames.push(next);
  return frames;
};
const ignore = (): void => undefined;

describe('send queue', () => {
  it('consensus leaves before blocks and bodies, these before gossip, each in order', () => {
    const queue = new SendQueue(1 << 20);
    const order: FrameName[] = ['transactions', 'blocks', 'vote', 'actions', 'bodies', 'proposal', 'ping'];
    for (const name of order) queue.push(frame(name, 1), ignore);
    expect(drain(queue).map(({ name }) => name)).toEqual([
      'vote',
      'proposal',
      'ping',
      'blocks',
      'bodies',
      'transactions',
      'actions',
    ]);
  });

  it('full of gossip: more gossip is dropped, a vote pushes the oldest gossip out', () => {
    const queue = new SendQueue(300);
    const evicted: OutgoingFrame[] = [];
    const gossip = [1, 2, 3].map(() => frame('transactions', 94));
    for (const next of gossip) expect(queue.push(next, ignore)).toBe('queued');
    expect(queue.push(frame('actions', 0), ignore)).toBe('dropped');
    expect(queue.push(frame('vote', 144), (victim) => evicted.push(victim))).toBe('queued');
    expect(evicted).toEqual(gossip.slice(0, 2));
    expect(drain(queue).map(({ name }) => name)).toEqual(['vote', 'transactions']);
  });

  it('full of votes: the next one overflows and nothing is lost', () => {
    const queue = new SendQueue(300);
    for (let index = 0; index < 3; index++) expect(queue.push(frame('vote', 94), ignore)).toBe('queued');
    expect(queue.push(frame('vote', 0), ignore)).toBe('overflow');
    expect(drain(queue)).toHaveLength(3);
  });

  it('random use: bounded, stable within a priority, and only gossip gives way', () => {
    const name = fc.constantFrom<FrameName>('vote', 'bodies', 'transactions');
    const command = fc.oneof(
      { weight: 3, arbitrary: fc.record({ name, size: fc.nat(64) }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const queue = new SendQueue(512);
        // The obviously right model: one list, searched for the lowest priority number.
        let model: OutgoingFrame[] = [];
        for (const next of commands) {
          if (next === null) {
            const lowest = Math.min(...model.map((entry) => frameKinds[entry.name].priority));
            const expected = model.find((entry) => frameKinds[entry.name].priority === lowest) ?? null;
            expect(queue.shift()).toBe(expected);
            model = model.filter((entry) => entry !== expected);
          } else {
            const pushed = frame(next.name, next.size);
            const outcome = queue.push(pushed, (victim) => {
              expect(frameKinds[victim.name].priority).toBe(2);
              model = model.filter((entry) => entry !== victim);
            });
            if (outcome === 'queued') model.push(pushed);
            if (outcome === 'dropped') expect(next.name).toBe('transactions');
          }
          expect(queue.bytes).toBe(model.reduce((sum, entry) => sum + entry.bytes.length, 0));
          expect(queue.bytes).toBeLessThanOrEqual(512);
        }
      }),
    );
  });
});

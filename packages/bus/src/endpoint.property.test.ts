import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLink, linkTransferList, readLinkCounters } from './link.ts';
import type { PeerJob } from './testing/peer.worker.ts';
import { runTraffic, type TrafficPlan, type TrafficResult } from './testing/traffic.ts';

/** Keeps the suite within seconds on two cores; fast-check draws another seed in each run and prints it on failure. */
const runs = 12;

const plans = fc.record({
  ringBytes: fc.constantFrom(4096, 8192, 65_536),
  outboxMessagesMax: fc.constantFrom(1, 64, 4096),
  messages: fc.integer({ min: 1, max: 1500 }),
  payloadBytesMax: fc.constantFrom(300, 3000, 20_000),
  pausesPerMille: fc.constantFrom(0, 0, 20),
  seeds: fc.tuple(fc.nat(), fc.nat()),
});

describe('a link between two threads', () => {
  it('carries every message exactly once, in order and unchanged, in both directions', async () => {
    const property = fc.asyncProperty(plans, async ({ ringBytes, outboxMessagesMax, seeds, ...rest }) => {
      const link = createLink({ name: 'property', ringBytes, outboxMessagesMax });
      const plan = (sendSeed: number, receiveSeed: number): TrafficPlan => ({ ...rest, sendSeed, receiveSeed });
      const job: PeerJob = { kind: 'traffic', descriptor: link.b, plan: plan(seeds[1], seeds[0]) };
      const worker = new Worker(new URL('./testing/peer.worker.js', import.meta.url), {
        workerData: job,
        transferList: linkTransferList(link.b),
      });
      const theirs = once(worker, 'message') as Promise<[TrafficResult]>;
      const { result, close } = await runTraffic(link.a, plan(seeds[0], seeds[1]));
      const [theirResult] = await theirs;
      close();
      const [exitCode] = (await once(worker, 'exit')) as [number];
      const complete = { received: rest.messages, failure: null };
      expect({ ours: result, theirs: theirResult, exitCode }).toEqual({
        ours: complete,
        theirs: complete,
        exitCode: 0,
      });
      const counters = readLinkCounters(link);
      // The announced names count as messages too.
      for (const direction of [counters.a, counters.b]) {
        expect(direction.messages).toBe(direction.messagesRead);
        expect(direction.messages - rest.messages).toBeLessThanOrEqual(2);
        expect(direction.depthBytes).toBe(0);
        expect(direction.depthBytesMax).toBeLessThanOrEqual(ringBytes);
      }
    });
    await fc.assert(property, { numRuns: runs, endOnFailure: true });
  });
});

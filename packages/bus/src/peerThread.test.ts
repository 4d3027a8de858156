import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import type { CloseReason } from './errors.ts';
import { createLink, type LinkOptions, linkTransferList, readLinkCounters } from './link.ts';
import type { PeerJob, PeerProtocol, TestProtocol } from './testing/peer.worker.ts';
import { closedAfterwards } from './testing/closing.ts';

const track = closedAfterwards();

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('another thread', () => {
  function start(options: Partial<LinkOptions> = {}) {
    const link = createLink({ name: 'thread', ...options });
    const job: PeerJob = { kind: 'serve', descriptor: link.b };
    const worker = new Worker(new URL('./testing/peer.worker.js', import.meta.url), {
      workerData: job,
      transferList: linkTransferList(link.b),
    });
    const counts: number[] = [];
    const closed: CloseReason[] = [];
    const endpoint: Endpoint<PeerProtocol> = track(
      openEndpoint<PeerProtocol, TestProtocol>(link.a, {
        handlers: { count: (value) => void counts.push(value) },
        onClose: (reason) => void closed.push(reason),
      }),
    );
    return { link, worker, endpoint, counts, closed };
  }

  it('ends: what it sent before arrives, then BUS_CLOSED with peerLost', async () => {
    const { worker, endpoint, counts, closed } = start();
    const waiting = endpoint.request('never', null);
    const exit = once(worker, 'exit');
    const asked = endpoint.request('exit', 3);
    await expect(waiting).rejects.toMatchObject({ code: 'BUS_CLOSED', detail: { reason: 'peerLost' } });
    await expect(asked).rejects.toMatchObject({ code: 'BUS_CLOSED' });
    expect(await exit).toEqual([3]);
    expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(closed).toEqual(['peerLost']);
  });

  it('crashes or is terminated: BUS_CLOSED with peerLost', async () => {
    const crashing = start();
    const error = once(crashing.worker, 'error');
    await expect(crashing.endpoint.request('crash', null)).rejects.toMatchObject({
      code: 'BUS_CLOSED',
      detail: { reason: 'peerLost' },
    });
    expect(await error).toMatchObject([{ message: 'uncaught on purpose' }]);
    const terminated = start();
    expect(await terminated.endpoint.request('echo', 'up')).toBe('up');
    const waiting = terminated.endpoint.request('never', null);
    await Promise.all([terminated.worker.terminate(), expect(waiting).rejects.toMatchObject({ code: 'BUS_CLOSED' })]);
  });

  it('lives as long as its only endpoint is open', async () => {
    const { worker, endpoint, closed } = start();
    let exited = false;
    const exit = once(worker, 'exit').then(() => {
      exited = true;
    });
    for (let index = 0; index < 50; index++) {
      expect(await endpoint.request('echo', index)).toBe(index);
      await turn();
    }
    expect(exited).toBe(false);
    // The request that closes is not answered: its endpoint is gone.
    await expect(endpoint.request('close', null)).rejects.toMatchObject({
      code: 'BUS_CLOSED',
      detail: { reason: 'peerClosed' },
    });
    await exit;
    expect(closed).toEqual(['peerClosed']);
  });

  it('blocked: the ring fills up with BUS_FULL and loses nothing; both outboxes drain when it is back', async () => {
    const { link, endpoint, counts } = start({ ringBytes: 8192, outboxMessagesMax: 2000 });
    expect(await endpoint.request('echo', 1)).toBe(1);
    const blocked = endpoint.request('block', 50);
    await turn();
    let accepted = 0;
    const fill = () => {
      for (;;) {
        endpoint.sendReliable('fill', new Uint8Array(100));
        accepted++;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'BUS_FULL' }));
    await blocked;
    while (counts.length < accepted) await turn();
    expect(counts).toEqual(Array.from({ length: accepted }, (_, index) => index + 1));
    expect(readLinkCounters(link)).toMatchObject({ a: { fullRejections: 1, depthBytes: 0 }, b: { depthBytes: 0 } });
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createNonceManager,
  NonceLaneError,
  type NonceLease,
  nonceWindow,
  sharedNonceManager,
} from './nonceManager.ts';

const start = 1_750_000_000_000;

describe('nonces', () => {
  it('are the time, and count on within a millisecond', async () => {
    let time = start;
    const manager = createNonceManager({ now: () => time });
    const taken = [await manager.take(), await manager.take()];
    time += 10;
    taken.push(await manager.take());
    expect(taken.map(({ nonce }) => nonce)).toEqual([start, start + 1, start + 10]);
  });

  it('never go back with the clock', async () => {
    let time = start;
    const manager = createNonceManager({ now: () => time });
    await manager.take();
    time -= 60_000;
    expect((await manager.take()).nonce).toBe(start + 1);
  });

  it('64 are out at once; the next waits until the oldest is back, in the order of asking', async () => {
    const manager = createNonceManager({ now: () => start });
    const out = await Promise.all(Array.from({ length: nonceWindow }, () => manager.take()));
    const later: number[] = [];
    const waiting = [manager.take(), manager.take()].map((lease) => lease.then(({ nonce }) => later.push(nonce)));
    // The newest of them does not help: the chain forgets from the oldest on.
    out[63]!.release();
    out[1]!.release();
    await Promise.resolve();
    expect([later, manager.outstanding]).toEqual([[], nonceWindow]);
    out[0]!.release();
    await Promise.all(waiting);
    expect(later).toEqual([start + 64, start + 65]);
  });

  it('a lease that is given back twice counts once', async () => {
    const manager = createNonceManager({ now: () => start });
    const [first] = [await manager.take(), await manager.take()];
    first.release();
    first.release();
    expect(manager.outstanding).toBe(1);
  });

  it('whatever the order in which outcomes come, none is behind 64 newer ones that were used', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 400 }), async (draws) => {
        const manager = createNonceManager({ now: () => start });
        const out: NonceLease[] = [];
        const used: number[] = [];
        const settle = async (draw: number): Promise<void> => {
          const [lease] = out.splice(draw % out.length, 1);
          // What the chain does: 64 are kept, and what is below the lowest is lost.
          expect(used.length >= nonceWindow && lease!.nonce < used.toSorted((a, b) => b - a)[nonceWindow - 1]!).toBe(
            false,
          );
          used.push(lease!.nonce);
          lease!.release();
        };
        for (const draw of draws) {
          if (manager.outstanding < nonceWindow) out.push(await manager.take());
          else await settle(draw);
        }
        while (out.length > 0) await settle(draws[0]!);
        expect(new Set(used).size).toBe(used.length);
      }),
      { numRuns: 40 },
    );
  });

  it('processes in lanes of their own never take the same', async () => {
    const managers = [0, 1, 2].map((lane) => createNonceManager({ lane, lanes: 3, now: () => start + lane }));
    const share = Math.floor(nonceWindow / 3);
    const taken = await Promise.all(managers.flatMap((manager) => Array.from({ length: share }, () => manager.take())));
    const nonces = taken.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(3 * share);
    expect(nonces.map((nonce, index) => nonce % 3 === Math.floor(index / share))).not.toContain(false);
    expect(Math.min(...nonces)).toBeGreaterThanOrEqual(start);
    expect(managers.map(({ outstanding }) => outstanding)).toEqual([share, share, share]);
  });

  it.each([
    [0, 0],
    [1, 1],
    [-1, 2],
    [0, 65],
    [0.5, 2],
    [0, 1.5],
  ])('lane %d of %d is none', (lane, lanes) => {
    expect(() => createNonceManager({ lane, lanes })).toThrow(NonceLaneError);
  });

  it('lanes of 64 processes are allowed, each with one at a time', async () => {
    const manager = createNonceManager({ lane: 63, lanes: 64, now: () => start });
    const { nonce, release } = await manager.take();
    expect(nonce % 64).toBe(63);
    const next = manager.take();
    release();
    expect((await next).nonce).toBe(nonce + 64);
  });

  it('all clients of a process share the manager of a key, by chain', () => {
    const key = `0x${'aB'.repeat(20)}`;
    expect(sharedNonceManager(1, key)).toBe(sharedNonceManager(1, key.toLowerCase()));
    expect(sharedNonceManager(2, key)).not.toBe(sharedNonceManager(1, key));
  });
});

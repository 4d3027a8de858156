import { describe, expect, it } from '@jest/globals';
import { Outlet } from './outlet.ts';

const outletOf = (handle: (entry: string) => unknown, failed: unknown[] = []): Outlet<string> =>
  new Outlet({ max: 3, weigh: (entry) => entry.length, handle, onFailed: (error) => failed.push(error) });

describe('an outlet', () => {
  it('hands on at once to a reader that is idle', () => {
    const seen: string[] = [];
    const outlet = outletOf((entry) => seen.push(entry));
    outlet.push('a');
    outlet.push('b');
    expect([seen, outlet.hasRoom]).toEqual([['a', 'b'], true]);
  });

  it('hands on one at a time, and says when it has room and when it is empty', async () => {
    const seen: string[] = [];
    const releases: (() => void)[] = [];
    const outlet = outletOf((entry) => {
      seen.push(entry);
      return new Promise<void>((resolve) => releases.push(resolve));
    });
    outlet.push('a');
    outlet.push('b');
    expect([seen, outlet.hasRoom]).toEqual([['a'], true]);
    outlet.push('c');
    expect(outlet.hasRoom).toBe(false);
    const idle = outlet.whenIdle().then(() => seen.push('idle'));
    for (const count of [1, 2, 3]) {
      expect(seen.length).toBe(count);
      releases[count - 1]!();
      // The promise of the reader, what follows it, and the drain.
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    }
    await idle;
    expect([seen, outlet.hasRoom]).toEqual([['a', 'b', 'c', 'idle'], true]);
  });

  it('takes an entry that is larger than its room while there is some', () => {
    const outlet = outletOf(() => new Promise(() => undefined));
    outlet.push('more than three');
    expect(outlet.hasRoom).toBe(false);
  });

  it('goes on when the reader throws or rejects', async () => {
    const failed: unknown[] = [];
    const seen: string[] = [];
    const outlet = outletOf((entry) => {
      seen.push(entry);
      if (entry === 'a') throw new Error('thrown');
      return entry === 'b' ? Promise.reject(new Error('rejected')) : undefined;
    }, failed);
    for (const entry of ['a', 'b', 'c']) outlet.push(entry);
    await outlet.whenIdle();
    expect([seen, failed]).toEqual([
      ['a', 'b', 'c'],
      [new Error('thrown'), new Error('rejected')],
    ]);
  });

  it('takes entries that the reader itself causes, behind those that wait', () => {
    const seen: string[] = [];
    const outlet: Outlet<string> = outletOf((entry) => {
      seen.push(entry);
      if (entry === 'a') outlet.push('b');
    });
    outlet.push('a');
    expect(seen).toEqual(['a', 'b']);
  });

  it('hands on nothing after it was closed', async () => {
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const outlet = outletOf((entry) => {
      seen.push(entry);
      return new Promise<void>((resolve) => void (release = resolve));
    });
    outlet.push('a');
    outlet.push('b');
    outlet.close();
    release();
    await outlet.whenIdle();
    outlet.push('c');
    expect(seen).toEqual(['a']);
  });
});

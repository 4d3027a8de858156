import { describe, expect, it } from '@jest/globals';
import { SerialQueue } from './serialQueue.ts';

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('SerialQueue', () => {
  it('a piece begins only when the one before has ended', async () => {
    const queue = new SerialQueue();
    const first = gate();
    const log: string[] = [];
    const done = [
      queue.run(async () => {
        log.push('first begins');
        await first.opened;
        log.push('first ends');
      }),
      queue.run(async () => {
        log.push('second begins');
      }),
    ];
    await Promise.resolve();
    expect({ log, size: queue.size }).toEqual({ log: ['first begins'], size: 2 });
    first.open();
    await Promise.all(done);
    expect({ log, size: queue.size }).toEqual({ log: ['first begins', 'first ends', 'second begins'], size: 0 });
  });

  it('a failure reaches its caller and nobody else', async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => Promise.reject(new Error('broken')));
    const next = queue.run(async () => 7);
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe(7);
  });

  it('work that throws before it returns a promise is a failure like any other', async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => {
      throw new Error('at once');
    });
    await expect(failing).rejects.toThrow('at once');
    expect(queue.size).toBe(0);
  });

  it('idle waits for what was given before, also when it fails', async () => {
    const queue = new SerialQueue();
    const only = gate();
    let ended = false;
    const failing = queue.run(async () => {
      await only.opened;
      ended = true;
      throw new Error('broken');
    });
    failing.catch(() => undefined);
    const idle = queue.idle();
    only.open();
    await idle;
    expect(ended).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  checkOpenFilesLimit,
  countOpenFiles,
  createFilesReserve,
  createOpenFilesGuard,
  filesHeldBack,
  isOutOfFiles,
  openFilesMin,
} from './openFiles.ts';

describe('the limit of open files', () => {
  it('one below the least: refused with both numbers; the least and none at all are enough', () => {
    expect(() => checkOpenFilesLimit(openFilesMin - 1)).toThrow(
      expect.objectContaining({
        code: 'OPEN_FILES_LIMIT_TOO_LOW',
        detail: { code: 'OPEN_FILES_LIMIT_TOO_LOW', limit: openFilesMin - 1, minimum: openFilesMin },
      }),
    );
    for (const enough of [openFilesMin, openFilesMin + 1, null])
      expect(() => checkOpenFilesLimit(enough)).not.toThrow();
  });

  it('is what an error is about that says so, however deep', () => {
    const database = new Error('IO error: state/000007.log: Too many open files');
    const system = Object.assign(new Error('open failed'), { code: 'EMFILE' });
    for (const error of [database, system, new Error('can not write', { cause: new Error('x', { cause: system }) })])
      expect(isOutOfFiles(error)).toBe(true);
    for (const error of [
      new Error('No space left on device'),
      Object.assign(new Error(), { code: 'EIO' }),
      null,
      'text',
    ])
      expect(isOutOfFiles(error)).toBe(false);
  });

  it('what is open is counted', () => {
    expect(countOpenFiles()).toBeGreaterThan(2);
  });

  it('what is held back is open, and given back as a whole', () => {
    const reserve = createFilesReserve(100);
    const before = countOpenFiles()!;
    for (const round of [1, 2]) {
      reserve.take();
      reserve.take();
      // Others of this process may open or close one meanwhile.
      const taken = countOpenFiles()! - before;
      expect([round, reserve.held, taken > 90, taken < 110]).toEqual([round, 100, true, true]);
      reserve.giveBack();
      reserve.giveBack();
      const left = countOpenFiles()! - before;
      expect([round, reserve.held, left > -10, left < 10]).toEqual([round, 0, true, true]);
    }
    expect(filesHeldBack).toBeLessThan(openFilesMin / 2);
  });
});

describe('the door to callers', () => {
  function watched(limit: number | null) {
    const told: string[] = [];
    let open: number | null = 0;
    let isPortTaken = false;
    const reserve = { held: 0, take: () => (reserve.held = 30), giveBack: () => (reserve.held = 0) };
    const guard = createOpenFilesGuard({
      limit,
      count: () => open && open + reserve.held,
      reserve,
      door: {
        shut: () => void told.push(`shut, ${reserve.held} held`),
        letIn: async () => {
          if (isPortTaken) throw new Error('the port is taken');
          told.push(`open, ${reserve.held} held`);
        },
      },
      onChange: (isFull, count) => told.push(`${isFull ? 'full' : 'free'} ${count}`),
    });
    return {
      told,
      reserve,
      end: () => guard.end(),
      look: async (count: number | null, portTaken = false) => {
        open = count;
        isPortTaken = portTaken;
        const wait = guard.look();
        // The door has moved.
        await Promise.resolve();
        return wait;
      },
    };
  }

  it('is shut above a quarter of the limit, and opens again below a little less', async () => {
    const { told, reserve, look, end } = watched(1000);
    expect(reserve.held).toBe(30);
    for (const count of [249, 250]) await look(count);
    expect(told).toEqual([]);
    for (const count of [251, 900, 250, 201]) await look(count);
    expect(told).toEqual(['shut, 30 held', 'full 251']);
    expect(reserve.held).toBe(0);
    for (const count of [200, 250]) await look(count);
    expect(told.slice(2)).toEqual(['open, 30 held', 'free 200']);
    end();
    expect(reserve.held).toBe(0);
  });

  it('is tried again while somebody else has the port', async () => {
    const { told, look } = watched(1000);
    await look(501);
    await look(100, true);
    await look(100);
    expect(told).toEqual(['shut, 30 held', 'full 501', 'open, 30 held', 'free 100']);
  });

  it('stays open without a limit, and where nothing is known', async () => {
    const none = watched(null);
    await none.look(100_000);
    const unknown = watched(1000);
    await unknown.look(null);
    expect(none.reserve.held).toBe(0);
    expect([...none.told, ...unknown.told]).toEqual([]);
  });

  it('is looked at more often while more than a few files are open', async () => {
    const { look } = watched(65_536);
    for (const [open, wait] of [
      [3_276, 294],
      [3_277, 10],
      [60_000, 10],
      [3_276, 294],
    ] as const)
      expect(await look(open)).toBe(wait);
  });

  it('is looked at the sooner the fewer files are allowed: a hundred arrivals a millisecond leave half of them', async () => {
    const waits = await Promise.all([4_096, 222_222, 222_223, 1 << 20].map((limit) => watched(limit).look(1)));
    expect(waits).toEqual([18, 999, 1_000, 1_000]);
    // Fewer than a node starts with: as soon as it can be.
    expect(await watched(1_000).look(1)).toBe(10);
    expect(await watched(null).look(900)).toBe(1_000);
  });
});

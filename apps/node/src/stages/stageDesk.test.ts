import { describe, expect, it } from '@jest/globals';
import type { Hash, Height } from '@prime/primitives';
import { createEngineStages } from './engineStages.ts';
import { createStageDesk, pageStampsMax } from './stageDesk.ts';
import { Stamper } from './stamper.ts';

const hash = (index: number): Hash => `0x${index.toString(16).padStart(16, '0')}${'ee'.repeat(24)}` as Hash;
const stored = (index: number): string => hash(index).slice(0, 18);

interface Page {
  readonly on: boolean;
  readonly ring: string;
  readonly stamps: number;
  readonly rows: readonly (readonly [string, number, string | null, string | null, number])[];
  readonly next: string;
  readonly lost: number;
  readonly more: boolean;
  readonly receivedUs: number;
  readonly answeredUs: number;
}

/** A desk, and the three threads that stamp for it. */
function open(stamps: number) {
  const threads = () => [consensus, evm, gateway];
  let told = 0;
  const desk = createStageDesk({
    stamps,
    clockOffsetMs: 0,
    tell: async (ring) => {
      told++;
      for (const stamper of threads()) stamper.use(ring);
    },
  });
  const consensus = new Stamper('consensus', desk.ring);
  const evm = new Stamper('evm', desk.ring);
  const gateway = new Stamper('gateway', desk.ring);
  const read = (query = ''): Page => JSON.parse(desk.read(new URLSearchParams(query))) as Page;
  return { desk, consensus, evm, gateway, read, told: () => told };
}

describe('stamps as an operator asks for them', () => {
  it('off: says so and what to do, keeps no memory, and threads stamp nothing', () => {
    const { desk, consensus, read } = open(0);
    consensus.item('pooled', hash(1));
    expect(desk.ring).toBeNull();
    const { receivedUs, answeredUs, ...rest } = read();
    expect(rest).toEqual({ on: false, words: expect.stringContaining('admin.stage_stamps') });
    expect(answeredUs).toBeGreaterThanOrEqual(receivedUs);
  });

  it('what all threads stamped, with the time of this node when it was asked and when it answered', () => {
    const { consensus, evm, gateway, read } = open(100);
    const [height, block] = [7 as Height, hash(0xb10c)];
    const stages = createEngineStages(consensus);
    stages.pooled(hash(1));
    stages.pooled(hash(2));
    const executable = {
      hash: block,
      block: { header: { height } },
      transactions: [{ hash: hash(1) }],
      actions: [{ hash: hash(2) }],
    };
    stages.proposed(executable as unknown as Parameters<typeof stages.proposed>[0]);
    stages.polka(height, block);
    stages.decided(height, block);
    stages.durable(executable as unknown as Parameters<typeof stages.durable>[0]);
    evm.block('executed', height, block);
    gateway.block('visible', height, block);
    gateway.block('delivered', height, block);
    stages.received({ ...executable, hash: hash(9) } as unknown as Parameters<typeof stages.received>[0]);
    const page = read();
    const b = stored(0xb10c);
    expect(page.rows.map((row) => row.slice(0, 4))).toEqual([
      ['pooled', 0, null, stored(1)],
      ['pooled', 0, null, stored(2)],
      ['proposed', 7, b, null],
      ['taken', 7, b, stored(2)],
      ['taken', 7, b, stored(1)],
      ['polka', 7, b, null],
      ['decided', 7, b, null],
      ['durable', 7, b, null],
      ['received', 7, stored(9), null],
      ['executed', 7, b, null],
      ['visible', 7, b, null],
      ['delivered', 7, b, null],
    ]);
    expect(page).toMatchObject({ on: true, stamps: 100, lost: 0, more: false });
    const times = page.rows.map((row) => row[4]);
    for (const atUs of times) expect(Number.isSafeInteger(atUs)).toBe(true);
    // Three stampers found the place of their thread's clock by themselves.
    expect(Math.max(...times)).toBeLessThanOrEqual(page.receivedUs + 50);
    expect(page.receivedUs).toBeLessThanOrEqual(page.answeredUs);
    expect(read(`after=${page.next}`)).toMatchObject({ rows: [], lost: 0, next: page.next });
  });

  it('pages go on where the one before ended, over all threads, and tell what went out of the ring', () => {
    const { consensus, gateway, read } = open(10);
    const pooled = (from: number, to: number): void => {
      for (let index = from; index <= to; index++) consensus.item('pooled', hash(index));
    };
    pooled(1, 8);
    for (let height = 1; height <= 3; height++) gateway.block('visible', height as Height, hash(height));
    const items = (page: Page): unknown[] => page.rows.map((row) => row[3] ?? row[1]);
    const first = read('limit=5');
    expect([items(first), first.more, first.lost]).toEqual([[1, 2, 3, 4, 5].map(stored), true, 0]);
    // 6 to 10 are overwritten before they are read.
    pooled(9, 20);
    const second = read(`limit=11&after=${first.next}`);
    expect([items(second), second.more, second.lost]).toEqual([
      [11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(stored).concat(1 as never),
      true,
      5,
    ]);
    const third = read(`after=${second.next}`);
    expect([items(third), third.more, third.lost]).toEqual([[2, 3], false, 0]);
  });

  it('a page has no more than its bound', () => {
    const { consensus, read } = open(pageStampsMax + 1);
    for (let index = 1; index <= pageStampsMax + 1; index++) consensus.item('pooled', hash(index));
    const page = read();
    expect([page.rows.length, page.more]).toEqual([pageStampsMax, true]);
    expect(read(`after=${page.next}`).rows).toHaveLength(1);
    expect(read(`limit=${pageStampsMax}`).rows).toHaveLength(pageStampsMax);
  });

  it('switched on, again with the same number, with another one, and off', async () => {
    const { desk, consensus, read, told } = open(0);
    expect(await desk.keep(4)).toEqual({ on: true, stamps: 4 });
    consensus.item('pooled', hash(1));
    const before = read();
    expect(before.rows).toHaveLength(1);
    expect(await desk.keep(4)).toEqual({ on: true, stamps: 4 });
    expect([read().rows.length, told()]).toEqual([1, 1]);
    expect(await desk.keep(8)).toEqual({ on: true, stamps: 8 });
    consensus.item('pooled', hash(2));
    // A cursor of the ring before means nothing in this one: it is read from its begin.
    const after = read(`after=${before.next}`);
    expect([after.ring === before.ring, after.rows.map((row) => row[3])]).toEqual([false, [stored(2)]]);
    expect(await desk.keep(0)).toEqual({ on: false, stamps: 0 });
    consensus.item('pooled', hash(3));
    expect([desk.ring, read().on]).toEqual([null, false]);
  });

  it('a cursor beyond what was written is brought back', () => {
    const { consensus, read } = open(4);
    consensus.item('pooled', hash(1));
    const { ring } = read();
    const page = read(`after=${ring}.999.999.999`);
    expect(page).toMatchObject({ rows: [], lost: 0, next: `${ring}.1.0.0` });
  });

  it.each([
    ['limit', 'limit=-1'],
    ['limit', 'limit=1.5'],
    ['limit', `limit=${pageStampsMax + 1}`],
    ['limit', 'limit='],
    ['after', 'after=7'],
    ['after', 'after=1-1.2.3'],
    ['after', 'after=1-1.2.3.4.5'],
    ['after', 'after=1-1.2.3.x'],
  ])('%s that is none: OPERATOR_REQUEST_INVALID for %s', (field, query) => {
    for (const stamps of [0, 4]) {
      const { read } = open(stamps);
      expect(() => read(query)).toThrow(
        expect.objectContaining({ detail: { code: 'OPERATOR_REQUEST_INVALID', field } }),
      );
    }
  });

  it('the longest limit and shortest that there are: taken', () => {
    const { consensus, read } = open(4);
    consensus.item('pooled', hash(1));
    expect([read('limit=0').rows.length, read('limit=0').more, read('limit=1').rows.length]).toEqual([0, true, 1]);
  });
});

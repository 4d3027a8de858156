import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { type BanRecord, createBanList, operatorBanMsMax } from './banList.ts';
import { defaultLimits } from '../limits.ts';

const address = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const second = 1_000;
const hour = 3_600 * second;

function setup(stored: readonly BanRecord[] = []) {
  const time = { nowMs: 1_700_000_000_000 };
  const saves: (readonly BanRecord[])[] = [];
  const errors: unknown[] = [];
  const store = {
    broken: false,
    load: async () => (store.broken ? Promise.reject(new Error('disk')) : stored),
    save: async (records: readonly BanRecord[]) => {
      if (store.broken) throw new Error('disk');
      saves.push(records);
    },
  };
  const clock: Clock = { nowMs: () => time.nowMs, monotonicMs: () => 0, after: () => () => undefined };
  const bans = createBanList({ clock, limits: defaultLimits, store, onStoreError: (error) => errors.push(error) });
  return { bans, time, saves, errors, store };
}

describe('ban list', () => {
  it('a follower is banned for an hour', () => {
    const { bans, time } = setup();
    const start = time.nowMs;
    expect(bans.ban(address(1), 'flood', false)).toBe(start + hour);
    time.nowMs = start + hour - 1;
    expect(bans.bannedUntil(address(1))).toBe(start + hour);
    time.nowMs = start + hour;
    expect(bans.bannedUntil(address(1))).toBeNull();
    expect(bans.list()).toEqual([]);
  });

  it('a validator is banned for 30 s, twice as long each time, 15 minutes at most, and starts over after a good hour', () => {
    const { bans, time } = setup();
    const durations: number[] = [];
    for (let offence = 0; offence < 7; offence++) {
      durations.push((bans.ban(address(1), 'bad vote', true) - time.nowMs) / second);
      time.nowMs = bans.bannedUntil(address(1))!;
    }
    expect(durations).toEqual([30, 60, 120, 240, 480, 900, 900]);
    time.nowMs += hour + 1;
    expect(bans.ban(address(1), 'bad vote', true) - time.nowMs).toBe(30 * second);
  });

  it('bans are stored, and in force again after a restart', async () => {
    const { bans, saves } = setup();
    bans.ban(address(1), 'a', false);
    bans.ban(address(2), 'b', true);
    bans.lift(address(1));
    await bans.saved();
    const next = setup(saves.at(-1));
    await next.bans.load();
    expect(next.bans.list().map(({ address: banned, reason }) => [banned, reason])).toEqual([[address(2), 'b']]);
  });

  it('a ban that would outlast any possible one is void: the clock was set back', async () => {
    const record = { address: address(1), untilMs: 1_700_000_000_000 + 2 * hour, reason: 'x', offences: 1 };
    const { bans } = setup([record]);
    await bans.load();
    expect(bans.bannedUntil(address(1))).toBeNull();
  });

  it("the operator's ban lasts as long as it says, also after a restart, and no offence shortens it", async () => {
    const { bans, time, saves } = setup();
    bans.ban(address(1), 'bad vote', true);
    const record = bans.banByOperator(address(1), 'by phone', operatorBanMsMax);
    expect(record).toMatchObject({ untilMs: time.nowMs + operatorBanMsMax, reason: 'by phone', byOperator: true });
    expect(bans.ban(address(1), 'bad vote again', true)).toBe(record.untilMs);
    expect(bans.list()).toEqual([{ ...record, offences: 2 }]);
    await bans.saved();
    const next = setup(saves.at(-1));
    await next.bans.load();
    expect(next.bans.list()).toEqual([{ ...record, offences: 2 }]);
    expect(next.bans.offences(address(1))).toBe(2);
    next.bans.lift(address(1));
    expect(next.bans.bannedUntil(address(1))).toBeNull();
  });

  it("an offence that lasts longer than what is left of the operator's ban takes its place", () => {
    const { bans, time } = setup();
    bans.banByOperator(address(1), 'a minute', 60 * second);
    expect(bans.ban(address(1), 'flood', false)).toBe(time.nowMs + hour);
    expect(bans.list()).toMatchObject([{ reason: 'flood' }]);
  });

  it('who offends again in a full list takes the place of nobody, and is not taken for a newcomer', () => {
    const { bans, time } = setup();
    // The one whose ban ends first, and as many others as there is room for.
    bans.ban(address(0), 'bad vote', true);
    for (let index = 1; index < 1_024; index++) bans.ban(address(index), 'flood', false);
    expect(bans.ban(address(0), 'bad vote', true) - time.nowMs).toBe(60 * second);
    expect(bans.ban(address(1), 'flood', false) - time.nowMs).toBe(hour);
    expect([bans.offences(address(0)), bans.offences(address(1)), bans.list().length]).toEqual([2, 2, 1_024]);
    bans.banByOperator(address(0), 'asked to', hour);
    expect([bans.offences(address(0)), bans.list().length]).toEqual([2, 1_024]);
    bans.ban(address(1_024), 'flood', false);
    expect(bans.list()).toHaveLength(1_024);
  });

  it("this node's own bans make room, and not the operator's", () => {
    const { bans, time } = setup();
    bans.banByOperator(address(0), 'by phone', second * 10);
    for (let index = 1; index < 1_100; index++) bans.ban(address(index), 'x', false);
    expect(bans.bannedUntil(address(0))).toBe(time.nowMs + 10 * second);
    expect(bans.list()).toHaveLength(1_024);
  });

  it('what is no ban in the store is passed over', async () => {
    const good = { address: address(3), untilMs: 1_700_000_000_000 + hour, reason: 'x', offences: 1 };
    const bad = [null, {}, { ...good, address: address(4), untilMs: 'soon' }] as unknown as BanRecord[];
    const { bans } = setup([...bad, good]);
    await bans.load();
    expect(bans.list()).toEqual([good]);
    const damaged = setup({ not: 'a list' } as unknown as BanRecord[]);
    await damaged.bans.load();
    expect(damaged.bans.list()).toEqual([]);
  });

  it('a store that fails is reported and does not matter', async () => {
    const { bans, store, errors } = setup();
    store.broken = true;
    await bans.load();
    bans.ban(address(1), 'a', false);
    expect(await bans.saved()).toBe(false);
    expect(bans.bannedUntil(address(1))).not.toBeNull();
    expect(errors).toHaveLength(2);
    store.broken = false;
    bans.ban(address(2), 'a', false);
    expect(await bans.saved()).toBe(true);
  });

  it('keeps a bounded number of records, the longest lasting ones', () => {
    const { bans, time } = setup();
    for (let index = 0; index < 1_100; index++) {
      time.nowMs += 1;
      bans.ban(address(index), 'x', false);
    }
    expect(bans.list()).toHaveLength(1_024);
    expect(bans.bannedUntil(address(0))).toBeNull();
    expect(bans.bannedUntil(address(1_099))).not.toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { defaultOracle } from '@prime/codec';
import type { Address, TimestampMs } from '@prime/primitives';
import type { OracleSet } from '../ports.ts';
import {
  addressOf,
  createHarness,
  defaultMarkets,
  type Harness,
  type HarnessOptions,
  marketId,
  startMs,
  type Step,
} from '../testing/harness.ts';

const params = { ...defaultOracle, eventBps: 0 };
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** The day after the harness's genesis. */
const day = (Math.floor(startMs / dayMs) + 1) * dayMs;
const [alice, bob] = [addressOf(0xab1), addressOf(0xab2)];
const setOf = (...validators: readonly Address[]): OracleSet => ({
  precisionMs: 500,
  reporters: validators.map((validator) => ({ validator, keys: [validator], power: 1n })),
});
const markets = defaultMarkets.map((market, index) => (index === 1 ? { ...market, oracle: true } : market));
/** Who is active in the next blocks. */
const active = { oracle: setOf(alice, bob) };
const create = (own: HarnessOptions['markets'] = markets, validators: OracleSet = setOf(alice, bob)): Harness => {
  active.oracle = validators;
  return createHarness(Object.assign(active, { params: { oracle: params }, markets: own }));
};

const report = (validator: Address, atMs: number): Step => ({
  account: validator,
  payload: {
    type: 'oracleReport',
    observedAtMs: atMs as TimestampMs,
    prices: [{ marketId: marketId(2), price: 100n }],
  },
  signer: validator,
  signatureKind: 'raw',
});

/** Blocks in each of the first minutes of a day, the first of which have reports. */
function minutes(harness: Harness, from: number, count: number, reports: (minute: number) => readonly Address[]): void {
  for (let minute = 0; minute < count; minute++) {
    const atMs = from + minute * minuteMs;
    harness.block(
      reports(minute).map((validator) => report(validator, atMs)),
      atMs,
    );
  }
}

/** What the first block of the next day tells. */
function missing(harness: Harness, atMs: number): unknown[] {
  harness.block([], atMs);
  return harness.events().flatMap(({ kind, data }) => (kind === 'oracle_missing' ? [data] : []));
}

describe('minutes with a report', () => {
  it.each([
    [9, 5, []],
    [10, 5, []],
    [11, 5, [{ validator: alice, reported_minutes: 5, minutes: 11 }]],
    [11, 0, [{ validator: alice, reported_minutes: 0, minutes: 11 }]],
  ])('%d minutes with blocks, %d with a report: %j', (count, told, events) => {
    const harness = create();
    minutes(harness, day, count - 1, (minute) => (minute < told ? [alice, bob] : [bob]));
    expect(missing(harness, day + dayMs - 1)).toEqual([]);
    expect(missing(harness, day + dayMs)).toEqual(events);
    expect(missing(harness, day + dayMs + 1)).toEqual([]);
  });

  it('count once, however many reports and blocks they have', () => {
    const harness = create(markets, setOf(alice));
    minutes(harness, day, 5, () => []);
    const last = day + 6 * minuteMs;
    for (const ms of [0, 1_000, 2_000]) harness.block([report(alice, last + ms)], last + ms);
    expect(missing(harness, day + dayMs)).toEqual([{ validator: alice, reported_minutes: 1, minutes: 6 }]);
  });

  it('are asked for from the minute on in which a validator is active', () => {
    const harness = create(markets, setOf(alice));
    minutes(harness, day, 8, () => [alice]);
    active.oracle = setOf(bob, alice);
    minutes(harness, day + 10 * minuteMs, 2, (minute) => (minute === 0 ? [alice, bob] : []));
    expect(missing(harness, day + dayMs)).toEqual([]);
    expect(harness.state.reporters.get(bob)).toMatchObject({ minutes: 1, reportedMinutes: 0 });
  });

  it('are told of in the order of addresses, and only for those who are active', () => {
    const harness = create(markets, setOf(bob, alice));
    minutes(harness, day, 3, () => []);
    active.oracle = setOf(bob);
    expect(missing(harness, day + dayMs).length).toBe(1);
    active.oracle = setOf(bob, alice);
    // Of its last day, whenever that was.
    expect(missing(harness, day + dayMs + minuteMs)).toEqual([{ validator: alice, reported_minutes: 0, minutes: 3 }]);
  });

  it('are counted on after a restart and not by a block that was taken back', () => {
    const harness = create();
    minutes(harness, day, 4, () => [bob]);
    harness.drop([report(alice, day + 4 * minuteMs)], day + 4 * minuteMs);
    harness.restart();
    minutes(harness, day + 4 * minuteMs, 1, () => [bob]);
    expect(missing(harness, day + dayMs)).toEqual([{ validator: alice, reported_minutes: 0, minutes: 5 }]);
  });

  it('are nobody’s where no market has an oracle', () => {
    const harness = create(defaultMarkets);
    minutes(harness, day, 3, () => []);
    expect(harness.state.reporters.size).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import fc from 'fast-check';
import {
  createProtocolSchedule,
  protocolVersionMax,
  type Upgrade,
  upgradesMax,
  upgradesProblem,
} from './protocolRules.ts';

const at = (height: number): Height => height as Height;
const upgrade = (version: number, height: number): Upgrade => ({ version, height: at(height) });

describe('the schedule of protocol versions', () => {
  it('without upgrades: version 1 at every height', () => {
    const schedule = createProtocolSchedule([]);
    expect([0, 1, 1_000_000].map((height) => schedule.versionAt(at(height)))).toEqual([1, 1, 1]);
    expect(schedule.nextAfter(at(0))).toBeNull();
  });

  it('a version is in force from its height on, and not a block earlier', () => {
    const schedule = createProtocolSchedule([upgrade(2, 10)]);
    expect([9, 10, 11].map((height) => schedule.rulesAt(at(height))?.version)).toEqual([1, 2, 2]);
    expect([9, 10].map((height) => schedule.rulesAt(at(height))?.evidenceBytesMax)).toEqual([16_384, 65_536]);
    expect(schedule.nextAfter(at(9))).toEqual(upgrade(2, 10));
    expect(schedule.nextAfter(at(10))).toBeNull();
  });

  it('of a version that is not known there are no rules, and those of the heights before it stay', () => {
    const schedule = createProtocolSchedule([upgrade(2, 10), upgrade(protocolVersionMax + 1, 20)]);
    expect(schedule.rulesAt(at(19))?.version).toBe(2);
    expect(schedule.rulesAt(at(20))).toBeNull();
    expect(schedule.versionAt(at(20))).toBe(protocolVersionMax + 1);
  });

  it('a node can be told to know less than its program, and not more', () => {
    const upgrades = [upgrade(2, 10), upgrade(99, 20)];
    expect(createProtocolSchedule(upgrades, 1).rulesAt(at(10))).toBeNull();
    expect(createProtocolSchedule(upgrades, 1).knownMax).toBe(1);
    expect(createProtocolSchedule(upgrades, 99).rulesAt(at(20))).toBeNull();
    expect(createProtocolSchedule(upgrades, 99).knownMax).toBe(protocolVersionMax);
  });

  it('refused: versions or heights that do not grow, and too many', () => {
    expect(upgradesProblem([])).toBeNull();
    expect(upgradesProblem([upgrade(2, 1), upgrade(4, 2)])).toBeNull();
    expect(upgradesProblem([upgrade(1, 5)])).toEqual({ index: 0, allowed: 'a version above 1' });
    expect(upgradesProblem([upgrade(2, 0)])).toEqual({ index: 0, allowed: 'a height above 0' });
    expect(upgradesProblem([upgrade(2, 5), upgrade(2, 6)])).toEqual({ index: 1, allowed: 'a version above 2' });
    expect(upgradesProblem([upgrade(2, 5), upgrade(3, 5)])).toEqual({ index: 1, allowed: 'a height above 5' });
    const many = Array.from({ length: upgradesMax + 1 }, (_, index) => upgrade(index + 2, index + 1));
    expect(upgradesProblem(many)?.index).toBe(upgradesMax);
  });

  it('versions never go back with the height', () => {
    const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 50 })), { maxLength: 6 });
    fc.assert(
      fc.property(gaps, fc.nat(400), (steps, height) => {
        let [version, first] = [1, 0];
        const upgrades = steps.map(([more, later]) => upgrade((version += more), (first += later)));
        const schedule = createProtocolSchedule(upgrades);
        expect(upgradesProblem(upgrades)).toBeNull();
        expect(schedule.versionAt(at(height + 1))).toBeGreaterThanOrEqual(schedule.versionAt(at(height)));
        const next = schedule.nextAfter(at(height));
        if (next !== null) expect(schedule.versionAt(next.height)).toBeGreaterThan(schedule.versionAt(at(height)));
      }),
    );
  });
});

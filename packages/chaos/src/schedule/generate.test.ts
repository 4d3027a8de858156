import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attacks, faultSchema } from './faults.ts';
import { randomManifest } from './generate.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { affectedValidators, largestConnected, limitsOf } from './power.ts';

const options = fc.record({
  seed: fc.nat(0xffffffff),
  validators: fc.integer({ min: 4, max: 16 }),
  followers: fc.integer({ min: 0, max: 5 }),
  minutes: fc.integer({ min: 1, max: 10 }),
});
interface Given {
  readonly seed: number;
  readonly validators: number;
  readonly minutes: number;
  readonly followers?: number;
  readonly blockIntervalMs?: number;
}
const make = (given: Given): Manifest => randomManifest({ followers: 2, blockIntervalMs: null, ...given, patience: 1 });

describe('a random manifest', () => {
  it('is a function of its options', () => {
    fc.assert(
      fc.property(options, (given) => {
        expect(make(given)).toEqual(make(given));
      }),
    );
  });

  it('is one that the program takes', () => {
    fc.assert(
      fc.property(options, (given) => {
        const manifest = make(given);
        expect(parseManifest(JSON.stringify(manifest), 'random')).toEqual(manifest);
      }),
    );
  });

  it('has the pace of one machine for up to six nodes, and that of several machines for more', () => {
    const intervalOf = (validators: number, followers: number, blockIntervalMs?: number): number | undefined =>
      make({
        seed: 1,
        minutes: 1,
        validators,
        followers,
        ...(blockIntervalMs === undefined ? {} : { blockIntervalMs }),
      }).block_interval_ms;
    expect([intervalOf(4, 0), intervalOf(4, 2), intervalOf(6, 0)]).toEqual([50, 50, 50]);
    expect([intervalOf(4, 3), intervalOf(7, 0), intervalOf(7, 2)]).toEqual([250, 250, 250]);
    expect([intervalOf(7, 2, 50), intervalOf(4, 0, 0)]).toEqual([50, 0]);
  });

  it('has the same phases at every pace', () => {
    fc.assert(
      fc.property(options, fc.integer({ min: 0, max: 1_000 }), (given, blockIntervalMs) => {
        expect(make({ ...given, blockIntervalMs })).toEqual({ ...make(given), block_interval_ms: blockIntervalMs });
      }),
    );
  });

  it('is long enough for its minutes even where nodes are back at once, and a longer one begins with it', () => {
    fc.assert(
      fc.property(options, (given) => {
        const { phases, minutes } = make(given);
        expect(minutes).toBe(given.minutes);
        const leastMs = phases.reduce((sum, { hold_ms }) => sum + hold_ms + 1_000, 0);
        expect(leastMs).toBeGreaterThanOrEqual(given.minutes * 60_000);
        const longer = make({ ...given, minutes: given.minutes + 1 });
        expect(longer.phases.slice(0, phases.length)).toEqual(phases);
      }),
    );
  });

  it('never affects more than f validators where it promises liveness, and never leaves a quorum where it promises a halt', () => {
    const broken = (given: Parameters<typeof make>[0]): string[] => {
      const { faultyMax, quorum } = limitsOf(given.validators);
      return make(given)
        .phases.filter((phase) =>
          phase.promise === 'live'
            ? affectedValidators(phase, given).length > faultyMax
            : phase.promise === 'halt' && largestConnected(phase, given) >= quorum,
        )
        .map(({ name }) => name);
    };
    fc.assert(
      fc.property(options, (given) => {
        expect(broken(given)).toEqual([]);
      }),
    );
  });

  it('another seed: another schedule', () => {
    expect(make({ seed: 1, validators: 4, minutes: 5 }).phases).not.toEqual(
      make({ seed: 2, validators: 4, minutes: 5 }).phases,
    );
  });

  it('fifteen minutes hold every kind of fault, and every kind of damage', () => {
    const { phases } = make({ seed: 7, validators: 4, minutes: 15 });
    const faults = phases.flatMap((phase) => phase.faults);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(
      new Set(faultSchema.anyOf.map(({ properties }) => properties.kind.const)),
    );
    expect(new Set(faults.flatMap((fault) => (fault.kind === 'attack' ? [fault.how] : [])))).toEqual(new Set(attacks));
    expect(new Set(faults.flatMap((fault) => (fault.kind === 'damage' ? [fault.what] : []))).size).toBe(6);
    expect(new Set(phases.map(({ promise }) => promise))).toEqual(new Set(['live', 'halt', 'safe']));
  });
});

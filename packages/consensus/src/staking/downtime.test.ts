import { describe, expect, it } from '@jest/globals';
import { openStaking, unjail } from '../testing/stakingActs.ts';
import { codeOf, ether, owner } from '../testing/stakingHarness.ts';

describe('downtime', () => {
  const quick = { downtimeWindowMs: 10_000, downtimeMinSignedBps: 5_000, downtimeJailMs: 30_000, downtimeSlashBps: 10 };

  it('who signs less than the least part of a whole window is slashed a little and jailed for a while', () => {
    const harness = openStaking(5, quick);
    harness.blocks(30);
    harness.blocks(4, { absent: [owner(3)] });
    expect(harness.active()).toContain(owner(3));
    const seen: string[] = [];
    for (let count = 0; count < 8; count++) {
      harness.block({ absent: [owner(3)] });
      seen.push(...harness.events());
    }
    expect(seen).toEqual(['slashed a3', 'jailed a3']);
    expect(harness.validator(3)).toMatchObject({
      status: 'jailed',
      stake: 99_900_000_000_000_000_000n,
      tombstoned: false,
    });
    expect(harness.paid.get(harness.rules.params.slashedTo)).toBe(ether / 10n);
    expect(harness.block({ acts: [unjail(3)] }).map(codeOf)).toEqual(['STAKING_STILL_JAILED']);
    expect(harness.block({ acts: [unjail(3)], afterMs: 30_000 }).map(codeOf)).toEqual(['ok']);
  });

  it('who signs just enough stays', () => {
    const harness = openStaking(5, quick);
    for (let count = 0; count < 100; count++) harness.block({ absent: count % 2 === 0 ? [owner(3)] : [] });
    expect(harness.active()).toHaveLength(5);
  });

  it('a window that the chain did not live through is not judged', () => {
    const harness = openStaking(5, quick);
    harness.blocks(5, { absent: [owner(3)] });
    harness.block({ afterMs: 3_600_000, absent: [owner(3)] });
    harness.blocks(4, { absent: [owner(3)] });
    expect(harness.active()).toHaveLength(5);
  });

  it('who has just come is judged only after a whole window', () => {
    const harness = openStaking(5, quick);
    harness.blocks(20);
    harness.block({ acts: [harness.join(5, 50n * ether)] });
    harness.block({ acts: [unjail(5)] });
    harness.blocks(9, { absent: [owner(5)] });
    expect(harness.active()).toContain(owner(5));
    harness.blocks(6, { absent: [owner(5)] });
    expect(harness.active()).not.toContain(owner(5));
  });

  it('a wave of it takes at most 1/3 of the power in a window, and never below the least number', () => {
    const many = openStaking(10, quick);
    many.blocks(20);
    const absent = [0, 1, 2, 3, 4, 5].map(owner);
    for (let count = 0; count < 9; count++) {
      many.block({ absent });
      expect(many.active().length).toBeGreaterThanOrEqual(7);
    }
    const few = openStaking(5, quick);
    few.blocks(20);
    few.blocks(60, { absent: [owner(0), owner(1), owner(2)] });
    expect(few.active()).toHaveLength(4);
  });

  it('a block that everyone signed changes nothing but at the edges of time', () => {
    const harness = openStaking(5);
    harness.blocks(3);
    const { state } = harness;
    harness.block();
    expect(harness.state).toEqual(state);
    expect(harness.state.validators).toBe(state.validators);
    expect(harness.state.clock).toBe(state.clock);
  });
});

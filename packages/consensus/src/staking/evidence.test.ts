import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { leave, openStaking, unbond, unjail } from '../testing/stakingActs.ts';
import { codeOf, ether, owner } from '../testing/stakingHarness.ts';
import { judgeEvidence } from './evidence.ts';

describe('evidence', () => {
  it('of two votes costs 5 % of the stake and the place in the set, for ever', () => {
    const harness = openStaking(5);
    harness.blocks(3);
    harness.block({ evidence: [harness.doubleVote(1, 2)] });
    expect(harness.validator(1)).toMatchObject({ status: 'jailed', tombstoned: true, stake: 95n * ether });
    expect(harness.paid.get(harness.rules.params.slashedTo)).toBe(5n * ether);
    expect(harness.events()).toEqual(['slashed a1', 'jailed a1']);
    expect(harness.block({ acts: [unjail(1)], afterMs: 1e12 }).map(codeOf)).toEqual(['STAKING_TOMBSTONED']);
    expect(harness.block({ acts: [leave(1)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [harness.join(1, ether)] }).map(codeOf)).toEqual(['STAKING_TOMBSTONED']);
  });

  it('of two proposals too', () => {
    const harness = openStaking(5);
    harness.blocks(3);
    harness.block({ evidence: [harness.doubleProposal(1, 2)] });
    expect(harness.validator(1)).toMatchObject({ status: 'jailed', tombstoned: true });
  });

  it('convicts once: the same again, or another piece, is refused', () => {
    const harness = openStaking(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    expect(harness.refusal([evidence, harness.doubleProposal(1, 2)])).toBe(`two pieces against ${owner(1)}`);
    harness.block({ evidence: [evidence] });
    expect(harness.refusal([evidence])).toBe(`${owner(1)} is convicted already`);
    expect(harness.refusal([harness.doubleProposal(1, 3)])).toBe(`${owner(1)} is convicted already`);
  });

  it('reaches stake that is on its way out, and who has left', () => {
    const harness = openStaking(6);
    harness.blocks(2);
    harness.block({ acts: [unbond(1, 20n * ether)] });
    harness.block({ acts: [leave(1)] });
    harness.block({ evidence: [harness.doubleVote(1, 2)] });
    expect(harness.paid.get(harness.rules.params.slashedTo)).toBe(5n * ether);
    harness.block({ afterMs: 8 * 86_400_000 });
    expect(harness.paid.get(owner(1))).toBe(95n * ether);
  });

  it('where the set can not do without the validator: slashed at once, out as soon as somebody else is in', () => {
    const harness = openStaking(4);
    harness.blocks(3);
    harness.block({ evidence: [harness.doubleVote(1, 2)] });
    expect(harness.validator(1)).toMatchObject({ status: 'active', tombstoned: true, stake: 95n * ether });
    harness.block({ acts: [harness.join(4, 90n * ether)] });
    harness.block({ acts: [unjail(4)] });
    harness.block();
    expect(harness.validator(1)).toMatchObject({ status: 'jailed', tombstoned: true });
    expect(harness.active()).toHaveLength(4);
  });

  it('is refused when it is too old in blocks, or in time, or not decided yet', () => {
    const harness = openStaking(5, { evidenceMaxAgeBlocks: 10 });
    harness.blocks(5);
    expect(harness.refusal([harness.doubleVote(1, 6)])).toBe('height 6 is not decided yet');
    harness.blocks(6);
    expect(harness.refusal([harness.doubleVote(1, 2)])).toBeNull();
    expect(harness.refusal([harness.doubleVote(1, 1)])).toBe('it is 11 blocks old');
    expect(harness.refusal([harness.doubleVote(1, 5)], 2 * 86_400_000)).toBe('it is too old');
    expect(harness.refusal([harness.doubleVote(1, 5)], 46 * 3_600_000)).toBeNull();
  });

  it.each([
    ['of different rounds', { round: 1 }, 'the two messages are not of one place'],
    ['of different heights', { height: 3 }, 'the two messages are not of one place'],
    ['of different kinds', { type: 'prevote' }, 'the two messages are not of one kind'],
    ['of different validators', { validator: owner(2) }, 'the two messages are not of one validator'],
    ['with a wrong signature', { signature: new Uint8Array(65) }, 'a signature is wrong'],
  ])('%s is refused as forged', (_, change, reason) => {
    const harness = openStaking(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    const forged = { ...evidence, second: { ...evidence.second, ...change } } as typeof evidence;
    expect(harness.refusal([forged])).toBe(reason);
    const place = { height: 4 as Height, timestampMs: harness.timestampMs };
    expect(judgeEvidence(harness.state, forged, place, harness.rules)).toEqual({ ok: false, reason, forged: true });
  });

  it('that is only late, or of somebody who is convicted already, is no forgery: honest peers tell it too', () => {
    const harness = openStaking(5, { evidenceMaxAgeBlocks: 10 });
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    harness.block({ evidence: [evidence] });
    const place = { height: 5 as Height, timestampMs: harness.timestampMs };
    const verdicts = [
      judgeEvidence(harness.state, evidence, place, harness.rules),
      judgeEvidence(harness.state, harness.doubleVote(2, 2), { ...place, height: 13 as Height }, harness.rules),
      judgeEvidence(harness.state, harness.doubleVote(2, 5), place, harness.rules),
    ];
    expect(verdicts).toMatchObject(Array(3).fill({ ok: false, forged: false }));
  });

  it('two votes that a validator rightly signed, in two heights or two rounds, are no evidence', () => {
    const harness = openStaking(5);
    harness.blocks(4);
    const [one, other] = [harness.doubleVote(1, 2), harness.doubleVote(1, 3)];
    const both = { kind: 'duplicateVote', first: one.first, second: other.second } as typeof one;
    expect(harness.refusal([both])).toBe('the two messages are not of one place');
  });

  it('for one block, or in the other order, is refused', () => {
    const harness = openStaking(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    const same = { ...evidence, second: evidence.first } as typeof evidence;
    expect(harness.refusal([same])).toBe('the two messages are for one block');
    const turned = { ...evidence, first: evidence.second, second: evidence.first } as typeof evidence;
    expect(harness.refusal([turned])).toBe('the two messages are not in order');
  });

  it('against somebody who was no validator at that height is refused', () => {
    const harness = openStaking(4);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    harness.block({ acts: [unjail(4)] });
    harness.blocks(4);
    expect(harness.refusal([harness.doubleVote(4, 3)])).toBe(`${owner(4)} was no validator at height 3`);
    expect(harness.refusal([harness.doubleVote(4, 4)])).toBeNull();
    expect(harness.refusal([harness.doubleVote(9, 4)])).toBe(`${owner(9)} is no validator`);
  });
});

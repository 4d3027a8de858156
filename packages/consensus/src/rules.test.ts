import { describe, expect, it } from '@jest/globals';
import { type Hash, type Height, noRound, type Round } from '@prime/primitives';
import { applyRule, initialRoundState, type RoundEvent, type RoundState, tendermintRules } from './rules.ts';

const height = 7 as Height;
const round = (value: number): Round => value as Round;
const [ours, other] = ['aa', 'bb'].map((byte) => `0x${byte.repeat(32)}` as Hash) as [Hash, Hash];
const at = (step: RoundState['step'], fields: Partial<RoundState> = {}): RoundState => ({
  ...initialRoundState(height),
  round: round(3),
  step,
  ...fields,
});
const apply = (state: RoundState, event: RoundEvent) => applyRule(tendermintRules, state, event);
const steps = ['newRound', 'propose', 'prevote', 'precommit', 'decided'] as const;

describe('clauses of the paper', () => {
  it.each<readonly [RoundEvent, readonly RoundState['step'][]]>([
    [{ kind: 'newRound', round: round(4), isProposer: false }, ['newRound']],
    [{ kind: 'ownValue', blockHash: ours }, ['propose']],
    [{ kind: 'proposal', blockHash: ours }, ['propose']],
    [{ kind: 'invalidProposal' }, ['propose']],
    [{ kind: 'proposalWithPriorPolka', blockHash: ours, polRound: round(1) }, ['propose']],
    [{ kind: 'invalidProposalWithPriorPolka' }, ['propose']],
    [{ kind: 'polkaAny' }, ['prevote']],
    [{ kind: 'polkaNil' }, ['prevote']],
    [{ kind: 'proposalWithPolka', blockHash: ours }, ['prevote', 'precommit']],
    [{ kind: 'proposalWithCommit', round: round(0), blockHash: ours }, ['newRound', 'propose', 'prevote', 'precommit']],
    [{ kind: 'timeoutPropose', height, round: round(3) }, ['propose']],
    [{ kind: 'timeoutPrevote', height, round: round(3) }, ['prevote']],
  ])('%j is refused in every step but %j, and changes nothing then', (event, allowed) => {
    for (const step of steps) {
      const state = at(step);
      const next = apply(state, event);
      expect([step, next.output.kind === 'refused']).toEqual([step, !allowed.includes(step)]);
      if (next.output.kind === 'refused') expect(next.state).toBe(state);
    }
  });

  it.each([
    [2, false],
    [3, false],
    [4, true],
  ])('a round that is skipped to is later than round 3: %d', (to, isTaken) => {
    expect(apply(at('prevote'), { kind: 'skipRound', round: round(to) }).output.kind).toBe(
      isTaken ? 'skip' : 'refused',
    );
    const begun = apply(at('newRound'), { kind: 'newRound', round: round(to), isProposer: false });
    expect(begun.output.kind).toBe(isTaken ? 'timeout' : 'refused');
  });

  it.each(['timeoutPropose', 'timeoutPrevote', 'timeoutPrecommit'] as const)(
    '%s of another height or round is refused',
    (kind) => {
      const state = at(kind === 'timeoutPropose' ? 'propose' : kind === 'timeoutPrevote' ? 'prevote' : 'precommit');
      for (const [ofHeight, ofRound] of [
        [6, 3],
        [8, 3],
        [7, 2],
        [7, 4],
      ] as const)
        expect(apply(state, { kind, height: ofHeight as Height, round: round(ofRound) }).output.kind).toBe('refused');
      expect(apply(state, { kind, height, round: round(3) }).output.kind).not.toBe('refused');
    },
  );
});

describe('a lock', () => {
  it('lets a validator prevote its own value, and nil for another one (23)', () => {
    const locked = at('propose', { lockedRound: round(1), lockedValue: ours });
    expect(apply(locked, { kind: 'proposal', blockHash: ours }).output).toMatchObject({ blockHash: ours });
    expect(apply(locked, { kind: 'proposal', blockHash: other }).output).toMatchObject({ blockHash: null });
    expect(apply(at('propose'), { kind: 'proposal', blockHash: other }).output).toMatchObject({ blockHash: other });
  });

  it.each([
    [0, null],
    [1, other],
    [2, other],
  ])('of round 1 gives way to a polka of round %d for another value or not (29)', (polRound, blockHash) => {
    const locked = at('propose', { lockedRound: round(1), lockedValue: ours });
    const event = { kind: 'proposalWithPriorPolka', blockHash: other, polRound: round(polRound) } as const;
    expect(apply(locked, event).output).toMatchObject({ kind: 'vote', type: 'prevote', blockHash });
  });

  it.each([-1, 3, 4])('a prior polka of round %d is none of round 3 (28)', (polRound) => {
    const event = { kind: 'proposalWithPriorPolka', blockHash: ours, polRound: round(polRound) } as const;
    expect(apply(at('propose'), event).output.kind).toBe('refused');
  });

  it('comes with the own precommit; a polka after it makes the value valid only (36-43)', () => {
    const event = { kind: 'proposalWithPolka', blockHash: ours } as const;
    const fresh = apply(at('prevote'), event);
    expect(fresh.output).toMatchObject({ kind: 'vote', type: 'precommit', blockHash: ours });
    expect(fresh.state).toMatchObject({ lockedRound: 3, lockedValue: ours, validRound: 3, validValue: ours });
    const late = apply(at('precommit', { lockedValue: other, lockedRound: round(1) }), event);
    expect(late.output.kind).toBe('none');
    expect(late.state).toMatchObject({ lockedRound: 1, lockedValue: other, validRound: 3, validValue: ours });
  });
});

it('a proposer proposes its valid value again with its round, and asks for a value where it has none (14-18)', () => {
  const event = { kind: 'newRound', round: round(4), isProposer: true } as const;
  expect(apply(at('newRound'), event).output).toEqual({ kind: 'getValue', round: 4 });
  const valid = at('newRound', { validValue: ours, validRound: round(2) });
  expect(apply(valid, event).output).toEqual({ kind: 'proposal', round: 4, polRound: 2, blockHash: ours });
  const own = apply(at('propose'), { kind: 'ownValue', blockHash: other });
  expect(own.output).toEqual({ kind: 'proposal', round: 3, polRound: noRound, blockHash: other });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StakingParams } from '@prime/codec';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { type Height, utf8ToBytes } from '@prime/primitives';
import { codeOf, endpoint, ether, owner, StakingHarness } from '../testing/stakingHarness.ts';
import { judgeEvidence } from './evidence.ts';
import { escrowOf, signerAt } from './state.ts';

let keys: Uint8Array[];
beforeAll(async () => {
  const provider = await createCryptoProvider();
  keys = Array.from({ length: 20 }, (_, index) => provider.publicKey(keccak256(utf8ToBytes(`staker ${index}`))));
});

const stakes = (count: number, stake = 100n * ether): bigint[] => Array.from({ length: count }, () => stake);
const open = (count = 5, params: Partial<StakingParams> = {}): StakingHarness =>
  new StakingHarness(keys, stakes(count), params);
const leave = (index: number) => ({ account: owner(index), payload: { type: 'validatorLeave' } as const });
const unjail = (index: number) => ({ account: owner(index), payload: { type: 'validatorUnjail' } as const });
const jailSelf = (index: number) => ({ account: owner(index), payload: { type: 'validatorJail' } as const });
const bond = (index: number, amount: bigint, funded = true) => ({
  account: owner(index),
  payload: { type: 'validatorBond', amount } as const,
  funded,
});
const unbond = (index: number, amount: bigint) => ({
  account: owner(index),
  payload: { type: 'validatorUnbond', amount } as const,
});

describe('joining', () => {
  it('registers, jailed; in the set only after unjail', () => {
    const harness = open(4);
    expect(harness.block({ acts: [harness.join(4, 50n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.validator(4)).toMatchObject({ status: 'jailed', stake: 50n * ether, endpoint });
    expect(harness.events()).toEqual(['joined a4']);
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.active()).toContain(owner(4));
    expect(harness.events()).toEqual(['unjailed a4']);
  });

  it('its key counts from the second block after the one of the action', () => {
    const harness = open(4);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    harness.block({ acts: [unjail(4)] });
    const validator = harness.validator(4);
    expect([2, 3, 4, 5].map((height) => signerAt(validator, height) !== null)).toEqual([false, false, true, true]);
  });

  it.each([
    ['twice', () => ({}), 'STAKING_ALREADY_REGISTERED', 3],
    ['without the wei', () => ({ funded: false }), 'STAKING_INSUFFICIENT_FUNDS', 4],
  ])('%s: refused', (_, change, code, index) => {
    const harness = open(4);
    expect(harness.block({ acts: [{ ...harness.join(index, 50n * ether, 7), ...change() }] }).map(codeOf)).toEqual([
      code,
    ]);
    expect(escrowOf(harness.state)).toBe(400n * ether);
  });

  it.each([
    ['too little stake', { stake: ether - 1n }, 'STAKING_STAKE_TOO_SMALL'],
    ['no name', { moniker: '' }, 'STAKING_BAD_MONIKER'],
    ['a name that moves the cursor', { moniker: 'a\nb' }, 'STAKING_BAD_MONIKER'],
    ['a host with a path', { host: 'node/../x' }, 'STAKING_BAD_ENDPOINT'],
    ['a proof by another key', { proof: new Uint8Array(65) }, 'STAKING_BAD_SIGNER'],
    ['a key that is no point', { publicKey: new Uint8Array(33) }, 'STAKING_BAD_SIGNER'],
  ])('with %s: refused', (_, change, code) => {
    const harness = open(4);
    const { account, payload } = harness.join(4, 50n * ether);
    expect(harness.block({ acts: [{ account, payload: { ...payload, ...change } as never }] }).map(codeOf)).toEqual([
      code,
    ]);
    expect(harness.state.validators.has(owner(4))).toBe(false);
  });

  it('with the key of another validator, or one that it had a moment ago: refused', () => {
    const harness = open(4);
    expect(harness.block({ acts: [harness.join(4, ether, 2)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
    const rotate = { type: 'validatorRotateSigner', ...harness.claim(owner(2), 9) } as const;
    expect(harness.block({ acts: [{ account: owner(2), payload: rotate }] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [harness.join(4, ether, 2)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
  });

  it('without the wei: no signature is verified and no key compared', () => {
    const harness = open(4);
    const { account, payload } = harness.join(4, 50n * ether);
    const acts = [{ account, payload: { ...payload, proof: new Uint8Array(65) } as never, funded: false }];
    expect(harness.block({ acts }).map(codeOf)).toEqual(['STAKING_INSUFFICIENT_FUNDS']);
  });

  it('a set that is full takes nobody', () => {
    const harness = open(4, { maxValidators: 4 });
    harness.block({ acts: [harness.join(4, ether)] });
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_VALIDATORS']);
  });
});

describe('power in one block', () => {
  it('1/3 of all or more is refused, and one unit less is taken', () => {
    const harness = open(4);
    expect(harness.block({ acts: [bond(0, 134n * ether)] }).map(codeOf)).toEqual(['STAKING_TOO_MUCH_POWER']);
    expect(harness.block({ acts: [bond(0, 133n * ether)] }).map(codeOf)).toEqual(['ok']);
  });

  it('adds up over the actions of the block, whichever way they go', () => {
    const harness = open(6);
    const acts = [bond(0, 90n * ether), unbond(1, 90n * ether), bond(2, 19n * ether), bond(3, ether), bond(4, ether)];
    expect(harness.block({ acts }).map(codeOf)).toEqual([
      'ok',
      'ok',
      'ok',
      'STAKING_TOO_MUCH_POWER',
      'STAKING_TOO_MUCH_POWER',
    ]);
    expect(harness.block({ acts: [bond(3, ether)] }).map(codeOf)).toEqual(['ok']);
  });

  it('stake of who is not in the set does not count', () => {
    const harness = open(4);
    harness.block({ acts: [harness.join(4, 10_000n * ether)] });
    expect(harness.block({ acts: [bond(4, 10_000n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_TOO_MUCH_POWER']);
  });
});

describe('leaving', () => {
  it('ends the membership; all stake returns after the unbonding period and not before', () => {
    const harness = open(5, { unbondingMs: 200_000_000 });
    expect(harness.block({ acts: [leave(2)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.active()).not.toContain(owner(2));
    expect(harness.events()).toEqual(['left a2']);
    harness.block({ afterMs: 199_999_999 });
    expect(harness.paid.get(owner(2))).toBeUndefined();
    harness.block({ afterMs: 1 });
    expect(harness.paid.get(owner(2))).toBe(100n * ether);
    expect(escrowOf(harness.state)).toBe(400n * ether);
  });

  it('would leave too few: refused', () => {
    const harness = open(4);
    expect(harness.block({ acts: [leave(2)] }).map(codeOf)).toEqual(['STAKING_TOO_FEW_VALIDATORS']);
    expect(harness.block({ acts: [jailSelf(2)] }).map(codeOf)).toEqual(['STAKING_TOO_FEW_VALIDATORS']);
  });

  it('once: after it there is no validator any more, but one may join again', () => {
    const harness = open(5);
    harness.block({ acts: [leave(2)] });
    expect(harness.block({ acts: [leave(2)] }).map(codeOf)).toEqual(['STAKING_UNKNOWN_VALIDATOR']);
    expect(harness.block({ acts: [harness.join(2, 30n * ether, 9)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.validator(2)).toMatchObject({ status: 'jailed', stake: 30n * ether });
  });

  it('does not shorten a jail: who leaves it and joins again waits as long as who stays', () => {
    const params = { downtimeWindowMs: 10_000, downtimeMinSignedBps: 5_000, downtimeJailMs: 600_000 };
    const harness = open(5, params);
    for (let index = 0; index < 15; index++) harness.block({ absent: [owner(4)] });
    const { status, jailedUntilMs } = harness.validator(4);
    expect(status).toBe('jailed');
    expect(harness.block({ acts: [leave(4), harness.join(4, 50n * ether)] }).map(codeOf)).toEqual(['ok', 'ok']);
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_STILL_JAILED']);
    expect(harness.validator(4).jailedUntilMs).toBe(jailedUntilMs);
    const afterMs = jailedUntilMs - harness.timestampMs;
    expect(harness.block({ acts: [unjail(4)], afterMs }).map(codeOf)).toEqual(['ok']);
  });

  it('is not forgotten before the jail ends', () => {
    const times = { unbondingMs: 1_000, evidenceMaxAgeMs: 1_000, evidenceMaxAgeBlocks: 2 };
    const params = { downtimeWindowMs: 10_000, downtimeMinSignedBps: 5_000, downtimeJailMs: 600_000, ...times };
    const harness = open(5, params);
    for (let index = 0; index < 15; index++) harness.block({ absent: [owner(4)] });
    harness.block({ acts: [leave(4)] });
    harness.blocks(20);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_STILL_JAILED']);
  });

  it('is forgotten when no evidence can be about it any more', () => {
    const harness = open(5);
    harness.block({ acts: [leave(2)] });
    harness.blocks(3);
    harness.block({ afterMs: 8 * 86_400_000 });
    expect(harness.state.validators.has(owner(2))).toBe(false);
    expect(escrowOf(harness.state)).toBe(400n * ether);
  });
});

describe('stake', () => {
  it('taken out leaves at least the least stake', () => {
    const harness = open(5);
    expect(harness.block({ acts: [unbond(0, 99n * ether + 1n)] }).map(codeOf)).toEqual(['STAKING_STAKE_TOO_SMALL']);
    expect(harness.block({ acts: [unbond(0, 0n)] }).map(codeOf)).toEqual(['STAKING_BAD_AMOUNT']);
    expect(harness.block({ acts: [unbond(0, 99n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.events()).toEqual(['stake_changed a0']);
    expect(escrowOf(harness.state)).toBe(500n * ether);
  });

  it('at most 16 returns wait for one owner, and leaving is possible all the same', () => {
    const harness = open(5);
    for (let count = 0; count < 16; count++)
      expect(harness.block({ acts: [unbond(0, 1n)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [unbond(0, 1n)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_CHANGES']);
    expect(harness.block({ acts: [leave(0)] }).map(codeOf)).toEqual(['ok']);
  });

  it('nothing bonded is told as such, though nothing was paid either', () => {
    expect(
      open(4)
        .block({ acts: [bond(0, 0n, false)] })
        .map(codeOf),
    ).toEqual(['STAKING_BAD_AMOUNT']);
  });

  it('nothing bonded, or nothing paid: refused', () => {
    const harness = open(5);
    expect(harness.block({ acts: [bond(0, 0n)] }).map(codeOf)).toEqual(['STAKING_BAD_AMOUNT']);
    expect(harness.block({ acts: [bond(0, ether, false)] }).map(codeOf)).toEqual(['STAKING_INSUFFICIENT_FUNDS']);
    expect(harness.block({ acts: [bond(9, ether)] }).map(codeOf)).toEqual(['STAKING_UNKNOWN_VALIDATOR']);
  });
});

describe('a new signer', () => {
  const rotate = (harness: StakingHarness, index: number, key: number) => ({
    account: owner(index),
    payload: { type: 'validatorRotateSigner', ...harness.claim(owner(index), key) } as const,
  });

  it('signs from the second block on; the old one until then, and it is known for as long as evidence is good', () => {
    const harness = open(5);
    harness.blocks(2);
    expect(harness.block({ acts: [rotate(harness, 1, 9)] }).map(codeOf)).toEqual(['ok']);
    const validator = harness.validator(1);
    expect([3, 4].map((height) => signerAt(validator, height))).toEqual([keys[1], keys[1]]);
    expect([5, 6].map((height) => signerAt(validator, height))).toEqual([keys[9], keys[9]]);
    expect(harness.events()).toEqual(['signer_rotated a1']);
    harness.blocks(4);
    expect(harness.refusal([harness.doubleVote(1, 4)])).toBeNull();
    expect(harness.refusal([harness.doubleVote(1, 5)])).toBe('a signature is wrong');
    expect(harness.refusal([harness.doubleVote(1, 5, 9)])).toBeNull();
  });

  it('that is the present one, or is not proven: refused', () => {
    const harness = open(5);
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
    const stolen = { type: 'validatorRotateSigner', ...harness.claim(owner(3), 9) } as const;
    expect(harness.block({ acts: [{ account: owner(1), payload: stolen }] }).map(codeOf)).toEqual([
      'STAKING_BAD_SIGNER',
    ]);
  });

  it('so often that the state would grow: refused until evidence is too old', () => {
    const harness = open(5, { evidenceMaxAgeBlocks: 100 });
    for (let count = 0; count < 63; count++)
      expect(harness.block({ acts: [rotate(harness, 1, count % 2 === 0 ? 9 : 1)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_CHANGES']);
    harness.blocks(110);
    harness.block({ afterMs: 3_600_000 });
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['ok']);
  });
});

describe('evidence', () => {
  it('of two votes costs 5 % of the stake and the place in the set, for ever', () => {
    const harness = open(5);
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
    const harness = open(5);
    harness.blocks(3);
    harness.block({ evidence: [harness.doubleProposal(1, 2)] });
    expect(harness.validator(1)).toMatchObject({ status: 'jailed', tombstoned: true });
  });

  it('convicts once: the same again, or another piece, is refused', () => {
    const harness = open(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    expect(harness.refusal([evidence, harness.doubleProposal(1, 2)])).toBe(`two pieces against ${owner(1)}`);
    harness.block({ evidence: [evidence] });
    expect(harness.refusal([evidence])).toBe(`${owner(1)} is convicted already`);
    expect(harness.refusal([harness.doubleProposal(1, 3)])).toBe(`${owner(1)} is convicted already`);
  });

  it('reaches stake that is on its way out, and who has left', () => {
    const harness = open(6);
    harness.blocks(2);
    harness.block({ acts: [unbond(1, 20n * ether)] });
    harness.block({ acts: [leave(1)] });
    harness.block({ evidence: [harness.doubleVote(1, 2)] });
    expect(harness.paid.get(harness.rules.params.slashedTo)).toBe(5n * ether);
    harness.block({ afterMs: 8 * 86_400_000 });
    expect(harness.paid.get(owner(1))).toBe(95n * ether);
  });

  it('where the set can not do without the validator: slashed at once, out as soon as somebody else is in', () => {
    const harness = open(4);
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
    const harness = open(5, { evidenceMaxAgeBlocks: 10 });
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
    const harness = open(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    const forged = { ...evidence, second: { ...evidence.second, ...change } } as typeof evidence;
    expect(harness.refusal([forged])).toBe(reason);
    const place = { height: 4 as Height, timestampMs: harness.timestampMs };
    expect(judgeEvidence(harness.state, forged, place, harness.rules)).toEqual({ ok: false, reason, forged: true });
  });

  it('that is only late, or of somebody who is convicted already, is no forgery: honest peers tell it too', () => {
    const harness = open(5, { evidenceMaxAgeBlocks: 10 });
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
    const harness = open(5);
    harness.blocks(4);
    const [one, other] = [harness.doubleVote(1, 2), harness.doubleVote(1, 3)];
    const both = { kind: 'duplicateVote', first: one.first, second: other.second } as typeof one;
    expect(harness.refusal([both])).toBe('the two messages are not of one place');
  });

  it('for one block, or in the other order, is refused', () => {
    const harness = open(5);
    harness.blocks(3);
    const evidence = harness.doubleVote(1, 2);
    const same = { ...evidence, second: evidence.first } as typeof evidence;
    expect(harness.refusal([same])).toBe('the two messages are for one block');
    const turned = { ...evidence, first: evidence.second, second: evidence.first } as typeof evidence;
    expect(harness.refusal([turned])).toBe('the two messages are not in order');
  });

  it('against somebody who was no validator at that height is refused', () => {
    const harness = open(4);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    harness.block({ acts: [unjail(4)] });
    harness.blocks(4);
    expect(harness.refusal([harness.doubleVote(4, 3)])).toBe(`${owner(4)} was no validator at height 3`);
    expect(harness.refusal([harness.doubleVote(4, 4)])).toBeNull();
    expect(harness.refusal([harness.doubleVote(9, 4)])).toBe(`${owner(9)} is no validator`);
  });
});

describe('downtime', () => {
  const quick = { downtimeWindowMs: 10_000, downtimeMinSignedBps: 5_000, downtimeJailMs: 30_000, downtimeSlashBps: 10 };

  it('who signs less than the least part of a whole window is slashed a little and jailed for a while', () => {
    const harness = open(5, quick);
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
    const harness = open(5, quick);
    for (let count = 0; count < 100; count++) harness.block({ absent: count % 2 === 0 ? [owner(3)] : [] });
    expect(harness.active()).toHaveLength(5);
  });

  it('a window that the chain did not live through is not judged', () => {
    const harness = open(5, quick);
    harness.blocks(5, { absent: [owner(3)] });
    harness.block({ afterMs: 3_600_000, absent: [owner(3)] });
    harness.blocks(4, { absent: [owner(3)] });
    expect(harness.active()).toHaveLength(5);
  });

  it('who has just come is judged only after a whole window', () => {
    const harness = open(5, quick);
    harness.blocks(20);
    harness.block({ acts: [harness.join(5, 50n * ether)] });
    harness.block({ acts: [unjail(5)] });
    harness.blocks(9, { absent: [owner(5)] });
    expect(harness.active()).toContain(owner(5));
    harness.blocks(6, { absent: [owner(5)] });
    expect(harness.active()).not.toContain(owner(5));
  });

  it('a wave of it takes at most 1/3 of the power in a window, and never below the least number', () => {
    const many = open(10, quick);
    many.blocks(20);
    const absent = [0, 1, 2, 3, 4, 5].map(owner);
    for (let count = 0; count < 9; count++) {
      many.block({ absent });
      expect(many.active().length).toBeGreaterThanOrEqual(7);
    }
    const few = open(5, quick);
    few.blocks(20);
    few.blocks(60, { absent: [owner(0), owner(1), owner(2)] });
    expect(few.active()).toHaveLength(4);
  });

  it('a block that everyone signed changes nothing but at the edges of time', () => {
    const harness = open(5);
    harness.blocks(3);
    const { state } = harness;
    harness.block();
    expect(harness.state).toEqual(state);
    expect(harness.state.validators).toBe(state.validators);
    expect(harness.state.clock).toBe(state.clock);
  });
});

describe('an endpoint', () => {
  it('may be changed by its owner', () => {
    const harness = open(5);
    const payload = { type: 'validatorSetEndpoint', ...endpoint, port: 7 } as const;
    expect(harness.block({ acts: [{ account: owner(0), payload }] }).map(codeOf)).toEqual(['ok']);
    expect(harness.validator(0).endpoint).toEqual({ ...endpoint, port: 7 });
    const bad = { ...payload, host: 'a b' };
    expect(harness.block({ acts: [{ account: owner(0), payload: bad }] }).map(codeOf)).toEqual([
      'STAKING_BAD_ENDPOINT',
    ]);
    expect(harness.height).toBe(2 as Height);
  });
});

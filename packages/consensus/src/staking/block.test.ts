import { describe, expect, it } from '@jest/globals';
import type { Address, Height } from '@prime/primitives';
import { bond, jailSelf, leave, openStaking, stakerKeys, unbond, unjail } from '../testing/stakingActs.ts';
import { codeOf, endpoint, ether, owner, type StakingHarness } from '../testing/stakingHarness.ts';
import { signerAddress } from '../signerAddress.ts';
import { escrowOf, signerAt } from './state.ts';

describe('joining', () => {
  it('registers, jailed; in the set only after unjail', () => {
    const harness = openStaking(4);
    expect(harness.block({ acts: [harness.join(4, 50n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.validator(4)).toMatchObject({ status: 'jailed', stake: 50n * ether, endpoint });
    expect(harness.events()).toEqual(['joined a4']);
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.active()).toContain(owner(4));
    expect(harness.events()).toEqual(['unjailed a4']);
  });

  it('its key counts from the second block after the one of the action', () => {
    const harness = openStaking(4);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    harness.block({ acts: [unjail(4)] });
    const validator = harness.validator(4);
    expect([2, 3, 4, 5].map((height) => signerAt(validator, height) !== null)).toEqual([false, false, true, true]);
  });

  it.each([
    ['twice', () => ({}), 'STAKING_ALREADY_REGISTERED', 3],
    ['without the wei', () => ({ funded: false }), 'STAKING_INSUFFICIENT_FUNDS', 4],
  ])('%s: refused', (_, change, code, index) => {
    const harness = openStaking(4);
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
    const harness = openStaking(4);
    const { account, payload } = harness.join(4, 50n * ether);
    expect(harness.block({ acts: [{ account, payload: { ...payload, ...change } as never }] }).map(codeOf)).toEqual([
      code,
    ]);
    expect(harness.state.validators.has(owner(4))).toBe(false);
  });

  it('with the key of another validator, or one that it had a moment ago: refused', () => {
    const harness = openStaking(4);
    expect(harness.block({ acts: [harness.join(4, ether, 2)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
    const rotate = { type: 'validatorRotateSigner', ...harness.claim(owner(2), 9) } as const;
    expect(harness.block({ acts: [{ account: owner(2), payload: rotate }] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [harness.join(4, ether, 2)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
  });

  it('without the wei: no signature is verified and no key compared', () => {
    const harness = openStaking(4);
    const { account, payload } = harness.join(4, 50n * ether);
    const acts = [{ account, payload: { ...payload, proof: new Uint8Array(65) } as never, funded: false }];
    expect(harness.block({ acts }).map(codeOf)).toEqual(['STAKING_INSUFFICIENT_FUNDS']);
  });

  it('a set that is full takes nobody', () => {
    const harness = openStaking(4, { maxValidators: 4 });
    harness.block({ acts: [harness.join(4, ether)] });
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_VALIDATORS']);
  });
});

describe('power in one block', () => {
  it('1/3 of all or more is refused, and one unit less is taken', () => {
    const harness = openStaking(4);
    expect(harness.block({ acts: [bond(0, 134n * ether)] }).map(codeOf)).toEqual(['STAKING_TOO_MUCH_POWER']);
    expect(harness.block({ acts: [bond(0, 133n * ether)] }).map(codeOf)).toEqual(['ok']);
  });

  it('adds up over the actions of the block, whichever way they go', () => {
    const harness = openStaking(6);
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
    const harness = openStaking(4);
    harness.block({ acts: [harness.join(4, 10_000n * ether)] });
    expect(harness.block({ acts: [bond(4, 10_000n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_TOO_MUCH_POWER']);
  });
});

describe('leaving', () => {
  it('ends the membership; all stake returns after the unbonding period and not before', () => {
    const harness = openStaking(5, { unbondingMs: 200_000_000 });
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
    const harness = openStaking(4);
    expect(harness.block({ acts: [leave(2)] }).map(codeOf)).toEqual(['STAKING_TOO_FEW_VALIDATORS']);
    expect(harness.block({ acts: [jailSelf(2)] }).map(codeOf)).toEqual(['STAKING_TOO_FEW_VALIDATORS']);
  });

  it('once: after it there is no validator any more, but one may join again', () => {
    const harness = openStaking(5);
    harness.block({ acts: [leave(2)] });
    expect(harness.block({ acts: [leave(2)] }).map(codeOf)).toEqual(['STAKING_UNKNOWN_VALIDATOR']);
    expect(harness.block({ acts: [harness.join(2, 30n * ether, 9)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.validator(2)).toMatchObject({ status: 'jailed', stake: 30n * ether });
  });

  it('does not shorten a jail: who leaves it and joins again waits as long as who stays', () => {
    const params = { downtimeWindowMs: 10_000, downtimeMinSignedBps: 5_000, downtimeJailMs: 600_000 };
    const harness = openStaking(5, params);
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
    const harness = openStaking(5, params);
    for (let index = 0; index < 15; index++) harness.block({ absent: [owner(4)] });
    harness.block({ acts: [leave(4)] });
    harness.blocks(20);
    harness.block({ acts: [harness.join(4, 50n * ether)] });
    expect(harness.block({ acts: [unjail(4)] }).map(codeOf)).toEqual(['STAKING_STILL_JAILED']);
  });

  it('is forgotten when no evidence can be about it any more', () => {
    const harness = openStaking(5);
    harness.block({ acts: [leave(2)] });
    harness.blocks(3);
    harness.block({ afterMs: 8 * 86_400_000 });
    expect(harness.state.validators.has(owner(2))).toBe(false);
    expect(escrowOf(harness.state)).toBe(400n * ether);
  });
});

describe('stake', () => {
  it('taken out leaves at least the least stake', () => {
    const harness = openStaking(5);
    expect(harness.block({ acts: [unbond(0, 99n * ether + 1n)] }).map(codeOf)).toEqual(['STAKING_STAKE_TOO_SMALL']);
    expect(harness.block({ acts: [unbond(0, 0n)] }).map(codeOf)).toEqual(['STAKING_BAD_AMOUNT']);
    expect(harness.block({ acts: [unbond(0, 99n * ether)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.events()).toEqual(['stake_changed a0']);
    expect(escrowOf(harness.state)).toBe(500n * ether);
  });

  it('at most 16 returns wait for one owner, and leaving is possible all the same', () => {
    const harness = openStaking(5);
    for (let count = 0; count < 16; count++)
      expect(harness.block({ acts: [unbond(0, 1n)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [unbond(0, 1n)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_CHANGES']);
    expect(harness.block({ acts: [leave(0)] }).map(codeOf)).toEqual(['ok']);
  });

  it('nothing bonded is told as such, though nothing was paid either', () => {
    expect(
      openStaking(4)
        .block({ acts: [bond(0, 0n, false)] })
        .map(codeOf),
    ).toEqual(['STAKING_BAD_AMOUNT']);
  });

  it('nothing bonded, or nothing paid: refused', () => {
    const harness = openStaking(5);
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
    const harness = openStaking(5);
    harness.blocks(2);
    expect(harness.block({ acts: [rotate(harness, 1, 9)] }).map(codeOf)).toEqual(['ok']);
    const validator = harness.validator(1);
    expect([3, 4].map((height) => signerAt(validator, height))).toEqual([stakerKeys[1], stakerKeys[1]]);
    expect([5, 6].map((height) => signerAt(validator, height))).toEqual([stakerKeys[9], stakerKeys[9]]);
    expect(harness.events()).toEqual(['signer_rotated a1']);
    harness.blocks(4);
    expect(harness.refusal([harness.doubleVote(1, 4)])).toBeNull();
    expect(harness.refusal([harness.doubleVote(1, 5)])).toBe('a signature is wrong');
    expect(harness.refusal([harness.doubleVote(1, 5, 9)])).toBeNull();
  });

  it('that is the present one, or is not proven: refused', () => {
    const harness = openStaking(5);
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['STAKING_SIGNER_IN_USE']);
    const stolen = { type: 'validatorRotateSigner', ...harness.claim(owner(3), 9) } as const;
    expect(harness.block({ acts: [{ account: owner(1), payload: stolen }] }).map(codeOf)).toEqual([
      'STAKING_BAD_SIGNER',
    ]);
  });

  it('so often that the state would grow: refused until evidence is too old', () => {
    const harness = openStaking(5, { evidenceMaxAgeBlocks: 100 });
    for (let count = 0; count < 63; count++)
      expect(harness.block({ acts: [rotate(harness, 1, count % 2 === 0 ? 9 : 1)] }).map(codeOf)).toEqual(['ok']);
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['STAKING_TOO_MANY_CHANGES']);
    harness.blocks(110);
    harness.block({ afterMs: 3_600_000 });
    expect(harness.block({ acts: [rotate(harness, 1, 1)] }).map(codeOf)).toEqual(['ok']);
  });
});

describe('an endpoint', () => {
  it('may be changed by its owner', () => {
    const harness = openStaking(5);
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

describe('an oracle key', () => {
  it('is set and taken back by its owner, and is nobody else’s', () => {
    const harness = openStaking(5);
    const set = (of: number, key: Address | null) =>
      harness
        .block({ acts: [{ account: owner(of), payload: { type: 'validatorSetOracleKey', key } as const }] })
        .map(codeOf);
    const key = owner(77);
    expect(set(0, key)).toEqual(['ok']);
    expect(harness.validator(0).oracleKey).toBe(key);
    expect(set(1, key)).toEqual(['STAKING_SIGNER_IN_USE']);
    expect(set(1, owner(0))).toEqual(['STAKING_SIGNER_IN_USE']);
    expect(set(1, signerAddress(harness.validator(0).publicKey))).toEqual(['STAKING_SIGNER_IN_USE']);
    expect(set(0, key)).toEqual(['ok']);
    expect(set(0, null)).toEqual(['ok']);
    expect(harness.validator(0).oracleKey).toBeNull();
    expect(set(1, key)).toEqual(['ok']);
  });
});

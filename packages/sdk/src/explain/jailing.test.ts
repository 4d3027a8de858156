import { describe, expect, it } from '@jest/globals';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import type { BlockEvidence, RegisteredValidator } from '../types/chain.ts';
import { evidenceAgainst, explainJailing, type Jailing, type JailingFacts, jailingMarks } from './jailing.ts';

const address = `0x${'11'.repeat(20)}` as const;
const hash = `0x${'ab'.repeat(32)}` as const;
const coins = (count: bigint): bigint => count * 10n ** 18n;
const event = (kind: string, blockNumber: bigint, stake = 100n, transactionHash: string | null = null) =>
  ({ kind, blockNumber, transactionHash, data: { validator: address, stake, power: 1n } }) as unknown as DomainEventOf;

describe('where a validator was taken out', () => {
  it('is the newest jailing, or joining, that nothing undid', () => {
    expect(jailingMarks([])).toBeNull();
    expect(jailingMarks([event('joined', 1n), event('unjailed', 2n)])).toBeNull();
    expect(jailingMarks([event('joined', 1n)])?.event.kind).toBe('joined');
    const again = [event('jailed', 3n), event('unjailed', 4n), event('jailed', 9n)];
    expect(jailingMarks(again)?.event.blockNumber).toBe(9n);
  });

  it('has what was slashed for it, and not what came later', () => {
    const events = [
      event('stake_changed', 1n, 200n),
      event('slashed', 5n, 190n),
      event('jailed', 5n, 190n),
      event('slashed', 7n, 180n),
    ];
    expect(jailingMarks(events)).toMatchObject({ slashed: { blockNumber: 5n }, stakeBefore: 200n });
    expect(jailingMarks([event('slashed', 5n, 190n), event('jailed', 5n, 190n)])).toMatchObject({ stakeBefore: null });
  });
});

const evidence: BlockEvidence = {
  validator: address,
  signed: 'precommit',
  height: 40n,
  round: 1,
  first: { blockHash: null, polRound: null, signature: '0x' },
  second: { blockHash: hash, polRound: null, signature: '0x' },
};
const validator: RegisteredValidator = {
  address,
  signer: address,
  publicKey: '0x',
  stake: coins(95n),
  votingPower: 95n,
  status: 'jailed',
  jailedUntilMs: 61_000,
  tombstoned: false,
  moniker: 'south',
  endpoint: null,
};
const jailing = (cause: Jailing['cause'], slashed = 0n): Jailing => ({
  cause,
  block: 50n,
  timestampMs: 1_000,
  slashed,
});
const why = (more: Partial<JailingFacts>, of: Partial<RegisteredValidator> = {}) =>
  explainJailing({ validator: { ...validator, ...of }, jailing: null, oldestBlock: 1n, headMs: 1_000, ...more });

describe('why a validator is jailed', () => {
  it('is that it signed twice: what, where, the block with the evidence, and for ever', () => {
    const cause = { kind: 'double_sign', evidence, convictedBlock: 44n } as const;
    expect(why({ jailing: jailing(cause, coins(5n)) }, { tombstoned: true, jailedUntilMs: null })).toEqual({
      tone: 'bad',
      title: 'south is out for ever: it signed twice',
      text:
        'Its key signed two precommits at height 40, round 1: one for no block and one for block 0xabab…abab. Block 44 holds both as evidence. ' +
        '5 PRIME of its stake were taken. Its key ran in two processes, or its sign state was replaced by an older one. It can never come back; another owner key can join anew.',
    });
    expect(why({ jailing: jailing(cause) }, { tombstoned: true, status: 'active' }).title).toContain(
      'as soon as the set can do without it',
    );
  });

  it('is that it was away: how many blocks it signed, and from when on it may come back', () => {
    const cause = {
      kind: 'downtime',
      signed: { blocks: 412, signed: 3 },
      windowMs: 600_000,
      minSignedBps: 500,
    } as const;
    const { title, text } = why({ jailing: jailing(cause, 1n) });
    expect(title).toBe('south is jailed: it was away');
    expect(text).toBe(
      'It signed 3 of the 412 blocks of 10.0 min (0.7 %), where at least 5 % have to be: block 50 (1970-01-01 00:00:01.000 UTC) took it out of the set. 1 wei of its stake were taken. ' +
        'From 1970-01-01 00:01:01.000 UTC on, in 1.0 min, prime validator unjail of its owner brings it back.',
    );
    expect(why({ jailing: jailing({ ...cause, signed: null }) }).text).toContain(
      'less than 5 % of the blocks of 10.0 min',
    );
    expect(why({ jailing: jailing(cause), headMs: 61_000 }).text).toContain('From now on prime validator unjail');
  });

  it('is that its owner asked, that it only joined, or what a node that deleted it can not tell', () => {
    expect(why({ jailing: jailing({ kind: 'own', transactionHash: hash }) }).text).toContain(hash);
    expect(why({ jailing: jailing({ kind: 'joined', transactionHash: null }) }).title).toBe(
      'south is not in the set yet',
    );
    expect(why({ oldestBlock: 900n }).text).toContain('from block 900 on');
  });

  it('is no question where it votes or left', () => {
    expect(why({}, { status: 'active' })).toMatchObject({ tone: 'good', title: 'south is not jailed' });
    expect(why({}, { status: 'left' }).title).toBe('south left');
  });
});

describe('evidence of a block', () => {
  it('is that against the validator', () => {
    expect(evidenceAgainst([evidence], address)).toBe(evidence);
    expect(evidenceAgainst([evidence], hash)).toBeNull();
  });
});

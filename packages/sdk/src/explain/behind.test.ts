import { describe, expect, it } from '@jest/globals';
import type { NetworkNodes } from '../types/consensus.ts';
import { type BehindFacts, explainBehind, lagOf } from './behind.ts';

describe('how far a node is behind', () => {
  it('counts from where what it told may just be old', () => {
    expect(lagOf(100n, 100n, 200)).toEqual({ tone: 'good', text: 'at the head' });
    expect(lagOf(101n, 100n, 200).tone).toBe('good');
    expect(lagOf(90n, 100n, 200).tone).toBe('good');
    expect(lagOf(84n, 100n, 200)).toEqual({ tone: 'warn', text: '16 blocks behind' });
    expect(lagOf(98n, 100n, 10_000).tone).toBe('warn');
    expect(lagOf(1n, 1_000n, 200).tone).toBe('bad');
    expect(lagOf(99n, 100n, null).tone).toBe('good');
  });
});

const validator = (moniker: string, head: bigint | null, isPresent = true) => ({
  address: `0x${moniker}` as const,
  moniker,
  votingPower: 1n,
  isPresent,
  head,
  knownVersion: 1,
});
const network = (...validators: NetworkNodes['validators'][number][]): NetworkNodes => ({
  protocol: { version: 1, knownVersion: 1, next: null },
  validators,
  others: [],
});
const all = network(validator('a', 10n), validator('b', 400n), validator('c', 400n), validator('d', null, false));
const why = (more: Partial<BehindFacts>) =>
  explainBehind({
    moniker: null,
    head: 10n,
    waitsFor: 'blocks',
    network: all,
    intervalMs: 200,
    gain: null,
    lastSigned: null,
    ...more,
  });

describe('why a node is behind', () => {
  it('is told with its head, those who have more, what it does and how long it takes', () => {
    expect(why({ gain: 39 })).toEqual({
      tone: 'bad',
      title: 'This node is 390 blocks behind',
      text:
        'Its newest block is 10; b and c told of block 400. It fetches blocks from its peers and carries them out one after the other. ' +
        'It gains 39.0 blocks a second on them: about 10.0 s to go.',
    });
    expect(why({ gain: 0 }).text).toContain('does not get nearer');
    expect(why({ waitsFor: 'work' }).text).toContain('has not begun to fetch');
    expect(why({ waitsFor: 'execution' }).text).toContain('carrying out a block');
  });

  it('is no question where nobody has more', () => {
    expect(why({ head: 400n })).toMatchObject({ tone: 'good', title: 'This node is not behind' });
    expect(why({ head: 401n }).tone).toBe('good');
  });

  it('is that it is connected to nobody, or does not know the next rules', () => {
    const alone = network(validator('a', 10n), validator('b', null, false));
    expect(why({ network: alone })).toMatchObject({ tone: 'bad', title: 'This node is connected to nobody' });
    const follower = { role: 'full', head: 400n, knownVersion: 1 } as const;
    expect(why({ network: { ...alone, others: [follower] } }).text).toContain('a node that follows (full)');
    const next = { version: 2, height: 11n, isKnown: false, readyPower: 3n, totalPower: 4n };
    const old = { ...all, protocol: { ...all.protocol, next } };
    expect(why({ network: old }).title).toContain('does not know the rules');
    expect(why({ network: old, head: 9n }).title).not.toContain('does not know the rules');
  });

  it('of another node is what it told last, and which block it signed last', () => {
    const stopped = network(validator('a', 400n), validator('b', 400n), validator('c', 380n));
    const told = why({ moniker: 'c', network: stopped, head: 400n, lastSigned: 381n });
    expect(told).toMatchObject({ tone: 'warn', title: 'c is 20 blocks behind' });
    expect(told.text).toMatch(
      /^The last block that it told of is 380, and a and b told of block 400\. The newest block that it signed is 381\./,
    );
    expect(why({ moniker: 'b', network: stopped }).tone).toBe('good');
    expect(why({ moniker: 'd' })).toMatchObject({ tone: 'bad', title: 'd is away' });
    expect(why({ moniker: 'd' }).text).toContain('It signed none of the blocks');
    const hidden = network(validator('a', 400n), validator('c', null));
    expect(why({ moniker: 'c', network: hidden }).title).toContain('tells the asked node nothing');
  });
});

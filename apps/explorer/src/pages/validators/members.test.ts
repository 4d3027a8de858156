import { describe, expect, it } from '@jest/globals';
import type { RegisteredValidator, Validator } from '@prime/sdk';
import { membersOf, standingOf } from './members.ts';

describe('how a validator does', () => {
  it.each([
    [{ status: 'active' }, true, 'signing'],
    [{ status: 'active' }, false, 'missing'],
    [{ status: 'active' }, null, null],
    [{ status: 'jailed' }, null, 'jailed'],
    [{ status: 'jailed', tombstoned: true }, null, 'banned'],
    [{ status: 'left' }, null, 'left'],
    [{ status: 'something new' }, null, 'waiting'],
  ] as const)('%j that is up: %s is %s', (validator, isUp, word) => {
    expect(standingOf(validator, isUp)).toBe(word);
  });
});

describe('everybody with stake', () => {
  const active = (address: string, votingPower: bigint) =>
    ({ address, votingPower, status: 'active' }) as unknown as Validator;
  const registered = (address: string, status: string) =>
    ({ address, status, votingPower: 9n }) as unknown as RegisteredValidator;

  it('is listed by power, and after them who is not in the set, who has none', () => {
    const members = membersOf(
      [active('a', 1n), active('b', 3n)],
      [registered('a', 'active'), registered('b', 'active'), registered('c', 'jailed')],
      (address) => address === 'a',
    );
    expect(members.map(({ address, votingPower, standing }) => [address, votingPower, standing])).toEqual([
      ['b', 3n, 'missing'],
      ['a', 1n, 'signing'],
      ['c', 0n, 'jailed'],
    ]);
  });
});

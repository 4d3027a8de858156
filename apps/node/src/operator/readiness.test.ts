import { expect, it } from '@jest/globals';
import { type ReadinessFacts, readiness } from './readiness.ts';

const well: ReadinessFacts = { isCurrent: true, lag: 0, obstacle: null, connectedPower: '3', totalPower: '4' };
const reasonOf = (changes: Partial<ReadinessFacts>): string | null => {
  const { ready, reason } = readiness({ ...well, ...changes });
  expect(ready).toBe(reason === null);
  return reason;
};

it('a node at the head with more than 2/3 of the power is ready, also a moment after peers have a new block', () => {
  expect([reasonOf({}), reasonOf({ lag: 1 })]).toEqual([null, null]);
  expect(reasonOf({ connectedPower: '1', totalPower: '1' })).toBeNull();
  expect(reasonOf({ connectedPower: '2', totalPower: '3' })).toBe('connected to 2 of 3 voting power');
});

it('one without peers is not, at height 0 as anywhere, nor one that has not heard enough, is behind, or can not go on', () => {
  expect(reasonOf({ isCurrent: false, connectedPower: '1' })).toBe('connected to 1 of 4 voting power');
  expect(reasonOf({ isCurrent: false })).toBe('too few validators have said where they stand');
  expect(reasonOf({ isCurrent: false, lag: 5 })).toBe('catching up');
  const obstacle = 'peers keep blocks from 9: start from a snapshot';
  expect(reasonOf({ isCurrent: false, lag: 5, obstacle })).toBe(obstacle);
});

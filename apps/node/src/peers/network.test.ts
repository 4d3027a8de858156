import { expect, it } from '@jest/globals';
import { shownRole, takesFollowers } from './network.ts';

it('a validator that its own state does not know yet comes as a full node', () => {
  expect(shownRole('validator', true)).toBe('validator');
  expect(shownRole('validator', false)).toBe('full');
  expect(shownRole('full', false)).toBe('full');
  expect(shownRole('archive', false)).toBe('archive');
  // Jailed or not, whoever is registered votes with that key.
  expect(shownRole('full', true)).toBe('validator');
});

it('unlisted followers are taken on test networks, or where the operator says so', () => {
  const taken = (['auto', 'all', 'listed'] as const).map((followers) =>
    [true, false].map((isTestNetwork) => takesFollowers(followers, isTestNetwork)),
  );
  expect(taken).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

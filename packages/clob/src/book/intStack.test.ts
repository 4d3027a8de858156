import { expect, it } from '@jest/globals';
import { IntStack } from './intStack.ts';

it('gives back what was pushed, last first, also beyond the room it had', () => {
  const stack = new IntStack();
  expect(stack.pop()).toBe(-1);
  const pushed = Array.from({ length: 1_000 }, (_, index) => index * 7 - 3_000);
  for (const value of pushed) stack.push(value);
  expect(Array.from(pushed, (__, index) => stack.at(index))).toEqual(pushed);
  expect(Array.from(pushed, () => stack.pop())).toEqual([...pushed].reverse());
  expect(stack.pop()).toBe(-1);
  stack.push(5);
  stack.clear();
  expect(stack.pop()).toBe(-1);
});

import { expect, it } from '@jest/globals';
import { portOver } from './links.ts';

interface Port {
  balance(of: string): Promise<number>;
  height(): Promise<number>;
}

it('a port over a link asks with what its methods are given, and with null where that is nothing', async () => {
  const asked: unknown[] = [];
  const request = async (...question: unknown[]) => asked.push(question);
  const port = portOver<Port>({ request: request as never });
  expect([await port.balance('a'), await port.height()]).toEqual([1, 2]);
  expect(asked).toEqual([
    ['balance', 'a'],
    ['height', null],
  ]);
});

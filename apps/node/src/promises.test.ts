import { expect, it } from '@jest/globals';
import { orLate, withResolvers } from './promises.ts';

const never = new Promise<never>(() => undefined);
const refuse = (): never => {
  throw new Error('late');
};

it('work that ends in time: its value or its error, and no timer keeps the process', async () => {
  await expect(orLate(Promise.resolve(7), 60_000, refuse)).resolves.toBe(7);
  await expect(orLate(Promise.reject(new Error('own')), 60_000, refuse)).rejects.toThrow('own');
});

it('work that takes longer: what is made in its place, or thrown', async () => {
  await expect(orLate(never, 1, () => null)).resolves.toBeNull();
  await expect(orLate(never, 1, refuse)).rejects.toThrow('late');
});

it('a promise that somebody else settles', async () => {
  const { promise, resolve } = withResolvers<number>();
  resolve(7);
  await expect(promise).resolves.toBe(7);
});

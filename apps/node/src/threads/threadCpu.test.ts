import { platform } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { nativeThreadId, readThreadCpu } from './threadCpu.ts';

const spin = (): number => {
  let sum = 0;
  for (let index = 0; index < 3e7; index++) sum += index % 7;
  return sum;
};
const secondsIn = (values: ReturnType<typeof readThreadCpu>, thread: string): number | undefined =>
  values.find(({ labels }) => labels['thread'] === thread)?.value;

describe('processor time of threads', () => {
  it('grows with what a thread does, on Linux', () => {
    if (platform() !== 'linux') return;
    const id = nativeThreadId();
    expect(id).not.toBeNull();
    const before = secondsIn(readThreadCpu([['own', id]]), 'own')!;
    spin();
    expect(secondsIn(readThreadCpu([['own', id]]), 'own')).toBeGreaterThan(before);
  });

  it('leaves out threads that are gone or unknown, and tells the rest of the process', () => {
    const values = readThreadCpu([
      ['gone', 0x7fffffff],
      ['unknown', null],
    ]);
    expect(values.map(({ labels }) => labels['thread'])).toEqual(['other']);
    expect(values[0]?.value).toBeGreaterThan(0);
  });
});

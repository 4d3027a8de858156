import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { compileAsUsual, compileLater, startBudget, usualBudget } from './compiler.ts';

describe('what V8 compiles for speed', () => {
  it('is less while a node starts where processors are few, and as usual where they are not', () => {
    const flags: string[] = [];
    const set = (flag: string): void => void flags.push(flag);
    for (const processors of [2, 4, 5, 64]) compileLater(processors, set, '11.3.244.8-node.38');
    expect(flags).toEqual([`--interrupt-budget=${startBudget}`, `--interrupt-budget=${startBudget}`]);
    flags.length = 0;
    for (const processors of [2, 4, 5, 64]) compileAsUsual(processors, set, '11.3.244.8-node.38');
    expect(flags).toEqual([`--interrupt-budget=${usualBudget}`, `--interrupt-budget=${usualBudget}`]);
  });

  it('is as usual in a V8 that does not know the flag', () => {
    const flags: string[] = [];
    for (const v8 of ['12.4.254.21-node.57', '13.6.233.17-node.53']) {
      compileLater(2, (flag) => flags.push(flag), v8);
      compileAsUsual(2, (flag) => flags.push(flag), v8);
    }
    expect(flags).toEqual([]);
  });

  it('what is usual is what this V8 says where it knows the flag, and nothing is set where it does not', () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 });
    const [, told] = /--interrupt-budget \(.*\n.*default: --interrupt-budget=(\d+)/.exec(options) ?? [];
    const flags: string[] = [];
    compileLater(2, (flag) => flags.push(flag));
    expect(flags).toEqual(told === undefined ? [] : [`--interrupt-budget=${startBudget}`]);
    if (told !== undefined) expect(Number(told)).toBe(usualBudget);
    expect(startBudget).toBeGreaterThan(usualBudget);
  });
});

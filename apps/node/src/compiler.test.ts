import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { compileAsUsual, compileLater, startBudget, usualBudget } from './compiler.ts';

describe('what V8 compiles for speed', () => {
  it('is less while a node starts where processors are few, and as usual where they are not', () => {
    const flags: string[] = [];
    const set = (flag: string): void => void flags.push(flag);
    for (const processors of [2, 4, 5, 64]) compileLater(processors, set);
    expect(flags).toEqual([`--interrupt-budget=${startBudget}`, `--interrupt-budget=${startBudget}`]);
    flags.length = 0;
    for (const processors of [2, 4, 5, 64]) compileAsUsual(processors, set);
    expect(flags).toEqual([`--interrupt-budget=${usualBudget}`, `--interrupt-budget=${usualBudget}`]);
  });

  it('what is usual is what this V8 says, and it knows the flag: set late, an unknown one would change nothing and say nothing', () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 });
    const [, told] = /--interrupt-budget \(.*\n.*default: --interrupt-budget=(\d+)/.exec(options) ?? [];
    expect(Number(told)).toBe(usualBudget);
    expect(startBudget).toBeGreaterThan(usualBudget);
  });
});

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

/** Without what npm told the tests about their own start. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const npm = (...args: readonly string[]): { readonly status: number | null; readonly stderr: string } =>
  spawnSync('npm', args, { cwd: root, env: environment, encoding: 'utf8' });

describe('options that npm takes for its own', () => {
  it('npm start --validators 7, without the two dashes: refused with what to type, before anything starts', () => {
    const { status, stderr } = npm('start', '--validators', '7');
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/prime: npm took --validators N for itself.*Type: npm start -- --validators N/);
  });

  it('of a benchmark: the same', () => {
    const { status, stderr } = npm('run', 'bench:consensus', '--blocks=5');
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/Type: npm run bench:consensus -- --blocks 5/);
  });
});

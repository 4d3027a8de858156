import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readText, root } from './repository.ts';

/** Benchmarks and soaks take their options by one rule: a mistake is told before anything is measured. */

const { scripts } = JSON.parse(readText('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const names = Object.keys(scripts).filter((name) => /^(?:bench|soak):/.test(name));
const fileOf = (name: string): string => scripts[name]!.replace(/^node /, '');
const sourceOf = (name: string): string => {
  const built = fileOf(name);
  if (built.endsWith('.mjs')) return built;
  const folder = built.startsWith('test/') ? 'test/' : `${built.split('/dist/')[0]}/src/`;
  return `${folder}${built.split('/dist/')[1]!.replace(/js$/, 'ts')}`;
};

describe('benchmarks and soaks', () => {
  it('are those that exist', () => {
    expect(names.length).toBeGreaterThan(10);
  });

  // The soak of a network has usage of its own.
  it.each(names.filter((name) => name !== 'soak:network'))('%s reads its options by the rule of all', (name) => {
    const text = readText(sourceOf(name));
    expect(text).toContain(`benchArguments('${name}', {`);
    // What processes of its own are told is no option.
    if (!text.includes("=== 'serve'")) expect(text).not.toMatch(/process\.argv|parseArgs/);
  });

  it.each(['bench:bus', 'soak:clob'])('%s refuses what it has not with 64 and its usage', (name) => {
    const { status, stderr } = spawnSync(process.execPath, [fileOf(name), '--nonsense', '1'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([64, expect.stringContaining('--nonsense')]);
    expect(stderr).toContain(`usage: npm run ${name} -- `);
  });
});

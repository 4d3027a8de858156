import { describe, expect, it } from '@jest/globals';
import { configKeys, loadConfig } from '@prime/config';
import { type TimeoutStep, timeoutMs } from '@prime/consensus';
import type { Round } from '@prime/primitives';
import { filesBelow, readText } from './repository.ts';

const camelCase = (text: string): string => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `config.section.key`, `const { key } = config.section`, or a parameter `{ key }: …['section']`. */
function isRead(source: string, section: string, key: string): boolean {
  const name = camelCase(key);
  const patterns = [
    `\\b${section}\\.${name}\\b`,
    `\\{[^{}]*\\b${name}\\b[^{}]*\\}\\s*=\\s*(?:\\w+\\.)*${section}\\b`,
    `\\{[^{}]*\\b${name}\\b[^{}]*\\}:\\s*\\w+(?:\\['\\w+'\\])*\\['${section}'\\]`,
  ];
  return patterns.some((pattern) => new RegExp(pattern).test(source));
}

describe('configuration', () => {
  const programs = [...filesBelow('apps/node/src'), ...filesBelow('apps/cli/src')]
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(readText)
    .join('\n');

  it('every key is read by a program', () => {
    const ignored = configKeys
      // Handed on as a whole, see below.
      .filter(({ section }) => section !== 'consensus')
      .filter(({ section, key }) => !isRead(programs, section, key));
    expect(ignored.map(({ path }) => path)).toEqual([]);
  });

  it('a key that nobody reads would be noticed', () => {
    expect(isRead(programs, 'storage', 'no_such_key')).toBe(false);
  });

  it('every timeout changes how long some step of a round takes', () => {
    const { consensus } = loadConfig().config;
    const steps: readonly TimeoutStep[] = ['propose', 'prevote', 'precommit', 'rebroadcast'];
    const durations = (config: typeof consensus): number[] => steps.map((step) => timeoutMs(config, step, 2 as Round));
    const timeouts = (Object.keys(consensus) as (keyof typeof consensus)[]).filter((key) => key.endsWith('Ms'));
    expect(timeouts.length).toBeGreaterThan(5);
    for (const key of timeouts)
      expect([key, durations({ ...consensus, [key]: 7 })]).not.toEqual([key, durations(consensus)]);
    expect(programs).toMatch(/timeouts: (?:config\.)?consensus\b/);
  });
});

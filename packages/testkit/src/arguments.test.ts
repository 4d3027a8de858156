import { describe, expect, it } from '@jest/globals';
import { BenchUsageError, benchHelp, parseBenchArguments } from './arguments.ts';

const options = {
  rounds: { meaning: 'rounds of each side', usual: 5 },
  seconds: { meaning: 'length of a round', usual: 1.5 },
  bytes: { meaning: 'bytes of a block', usual: 0, least: 0 },
  only: { meaning: 'what to measure', usual: '' },
  shards: { meaning: 'numbers of shards', usual: [] },
  seed: { meaning: 'the same seed draws the same', usual: null, least: 0 },
  trace: { meaning: 'print each step', usual: false },
} as const;

/** What options without a number of their own are where nothing is said. */
const unsaid = { seed: null, trace: false };

describe('arguments of a benchmark', () => {
  it('are numbers and texts, with what is usual where nothing is given', () => {
    expect(parseBenchArguments(options, [])).toEqual({
      rounds: 5,
      seconds: 1.5,
      bytes: 0,
      only: '',
      shards: [],
      ...unsaid,
    });
    expect(parseBenchArguments(options, ['--rounds=1', '--seconds', '0.8', '--bytes', '0', '--only=read'])).toEqual({
      rounds: 1,
      seconds: 0.8,
      bytes: 0,
      only: 'read',
      shards: [],
      ...unsaid,
    });
    expect(parseBenchArguments(options, ['--shards', '8'])?.shards).toEqual([8]);
    expect(parseBenchArguments(options, ['--shards=2,4,8'])?.shards).toEqual([2, 4, 8]);
    expect(parseBenchArguments(options, ['--seed=0', '--trace'])).toMatchObject({ seed: 0, trace: true });
  });

  it('may ask for help, which names each option, its meaning and its usual value', () => {
    expect(parseBenchArguments(options, ['--rounds', '0', '--help'])).toBeNull();
    const help = benchHelp('bench:rpc', options);
    expect(help).toContain('usage: npm run bench:rpc -- [options]');
    expect(help).toMatch(/--rounds +rounds of each side \(5\)\n/);
    expect(help).toMatch(/--only +what to measure\n/);
    expect(help).toMatch(/--shards +numbers of shards\n/);
    expect(help).toMatch(/--seed +the same seed draws the same\n/);
    expect(help).toMatch(/--trace +print each step\n/);
  });

  it.each([
    [['--round', '1'], /--round/],
    [['7'], /7/],
    [['--rounds'], /--rounds/],
    [['--rounds', 'many'], "--rounds takes a whole number from 1, not 'many'"],
    [['--rounds', '0'], "--rounds takes a whole number from 1, not '0'"],
    [['--rounds=-1'], "--rounds takes a whole number from 1, not '-1'"],
    [['--bytes=-1'], "--bytes takes a whole number from 0, not '-1'"],
    [['--bytes='], "--bytes takes a whole number from 0, not ''"],
    [['--rounds='], "--rounds takes a whole number from 1, not ''"],
    [['--rounds=1.5'], "--rounds takes a whole number from 1, not '1.5'"],
    [['--seed=1.5'], "--seed takes a whole number from 0, not '1.5'"],
    [['--trace=yes'], /--trace/],
    [['--shards=2,0'], "--shards takes whole numbers from 1 with commas between them, not '2,0'"],
    [['--shards=2,'], "--shards takes whole numbers from 1 with commas between them, not '2,'"],
    [['--seconds=0'], "--seconds takes a number above 0, not '0'"],
    [['--seconds=Infinity'], "--seconds takes a number above 0, not 'Infinity'"],
  ])('%j is refused by name', (args, words) => {
    const parse = () => parseBenchArguments(options, args);
    expect(parse).toThrow(BenchUsageError);
    expect(parse).toThrow(words);
  });
});

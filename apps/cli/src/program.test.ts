import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { commandGroups } from './commandGroups.ts';
import { commandExamples } from './examples.ts';
import { createProgram } from './program.ts';

const names = async (...args: readonly string[]): Promise<string[]> =>
  (await createProgram(args)).commands.map((command) => command.name());
const groups = Object.keys(commandGroups);

describe('what prime loads', () => {
  it.each(groups.filter((group) => group !== 'completion'))(
    '%s: that group alone, by the name under which it is listed',
    async (group) => {
      expect(await names(group, '--help')).toEqual([group]);
    },
  );

  // completion speaks of all of them.
  it.each([[[]], [['--help']], [['help', 'node']], [['nosuch', 'node']], [['constructor']], [['completion', 'bash']]])(
    '%j names no group: all of them, in the order of the list',
    async (args) => {
      expect(await names(...args)).toEqual(groups);
    },
  );

  it('node start: that command alone, which the group has as well', async () => {
    const [alone] = (await createProgram(['node', 'start'])).commands;
    const [group] = (await createProgram(['node'])).commands;
    expect(alone?.commands.map((command) => command.name())).toEqual(['start']);
    const inGroup = group?.commands.find((command) => command.name() === 'start');
    expect(alone?.commands[0]?.helpInformation()).toBe(inGroup?.helpInformation());
  });
});

/** Commands that do something, by their words. */
function leaves(command: Command, path: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((each) => {
    const words = [...path, each.name()];
    return each.commands.length > 0 ? leaves(each, words) : ([[words.join(' '), each]] as [string, Command][]);
  });
}

/** What `--help` prints. */
async function helpOf(...args: readonly string[]): Promise<string> {
  const program = await createProgram(args);
  let text = '';
  const capture = (command: Command): void => {
    command.configureOutput({ writeOut: (part) => void (text += part) });
    command.commands.forEach(capture);
  };
  capture(program);
  await expect(program.parseAsync([...args, '--help'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  return text;
}

describe('the README of the package', () => {
  it('names every command', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('| `prime '));
    const missing = leaves(await createProgram([])).filter(([words]) => {
      const [group = '', name = ''] = words.split(' ');
      return !rows.some((row) => row.includes(`prime ${group}`) && new RegExp(`[ \`]${name}\``).test(row));
    });
    expect(missing.map(([words]) => words)).toEqual([]);
  });
});

describe('help', () => {
  it('has examples for every command, and for no other', async () => {
    const commands = leaves(await createProgram([])).map(([words]) => words);
    expect(Object.keys(commandExamples).sort()).toEqual(commands.sort());
  });

  it.each(Object.entries(commandExamples).flatMap(([words, examples]) => examples.map((rest) => [words, rest])))(
    'prime %s %s: is what the command takes',
    async (words, rest) => {
      // A shell takes away quotes, and keeps what goes to a file.
      const args = `${words} ${rest!.replace(/ >>? .*$/, '')}`.trim().replaceAll('"', '').split(' ');
      const program = await createProgram(args);
      let ran = false;
      leaves(program)
        .find(([each]) => each === words)![1]
        .action(() => void (ran = true));
      await program.parseAsync(args, { from: 'user' });
      expect(ran).toBe(true);
    },
  );

  it('says which options are required, of the others nothing, and shows examples', async () => {
    const text = await helpOf('testnet', 'export');
    expect(text).toMatch(/--manifest <file>\s+what the network is: [^]*\(required\)/);
    expect(text).toMatch(/--to <target>\s+compose, helm, systemd \(required\)/);
    expect(text.match(/\(required\)/g)).toHaveLength(2);
    expect(text).toContain('Examples:\n  prime testnet export net --manifest net.toml --to compose\n');
    expect(await helpOf('node', 'start')).toMatch(/\(required\)[^]*Examples:\n {2}prime node start --home /);
  });
});

import { describe, expect, it } from '@jest/globals';
import { commandGroups, createProgram } from './program.ts';

const names = async (...args: readonly string[]): Promise<string[]> =>
  (await createProgram(args)).commands.map((command) => command.name());
const groups = Object.keys(commandGroups);

describe('what prime loads', () => {
  it.each(groups)('%s: that group alone, by the name under which it is listed', async (group) => {
    expect(await names(group, '--help')).toEqual([group]);
  });

  it.each([[[]], [['--help']], [['help', 'node']], [['nosuch', 'node']], [['constructor']]])(
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

import { describe, expect, it } from '@jest/globals';
import { confirm } from './confirm.ts';

describe('a command that asks first', () => {
  const asked: string[] = [];
  const answering = (answer: string) => ({
    isTerminal: true,
    ask: async (question: string) => {
      asked.push(question);
      return answer;
    },
  });

  it.each(['yes', ' YES\n'])('goes on at %j, after it said what it means', async (answer) => {
    await confirm('It goes away.', false, answering(answer));
    expect(asked.at(-1)).toBe('It goes away.\nType yes to go on: ');
  });

  it.each(['', 'y', 'no', 'yes please'])('does nothing at %j', async (answer) => {
    await expect(confirm('It goes away.', false, answering(answer))).rejects.toMatchObject({
      code: 'CLI_NOT_CONFIRMED',
    });
  });

  it('asks nobody with --yes, and without it refuses where nobody can be asked, with what it means', async () => {
    const nobody = {
      isTerminal: false,
      ask: async () => {
        throw new Error('nobody is there');
      },
    };
    await confirm('It goes away.', true, nobody);
    await expect(confirm('It goes away.', false, nobody)).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--yes' },
      message: expect.stringMatching(/^It goes away\. .*--yes/),
    });
  });
});

import { createInterface } from 'node:readline/promises';
import { CliError, usageError } from '../errors.ts';

/** Whom a question is put to. */
export interface Asker {
  /** Whether somebody sits there. */
  readonly isTerminal: boolean;
  ask(question: string): Promise<string>;
}

const person: Asker = {
  isTerminal: process.stdin.isTTY === true,
  async ask(question) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  },
};

/**
 * Lets a person agree to what a command is about to do. Scripts say it beforehand, with --yes.
 *
 * @param meaning what will happen, as sentences
 * @throws CliError `CLI_USAGE` where nobody can be asked and --yes is missing, `CLI_NOT_CONFIRMED` for any answer but yes
 */
export async function confirm(meaning: string, yes: boolean, asker: Asker = person): Promise<void> {
  if (yes) return;
  if (!asker.isTerminal) throw usageError(`${meaning} Nobody can be asked here: give --yes if that is meant`, '--yes');
  const answer = await asker.ask(`${meaning}\nType yes to go on: `);
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new CliError('not done: the answer was not yes', { code: 'CLI_NOT_CONFIRMED' });
}

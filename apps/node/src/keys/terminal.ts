import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { NodeError } from '../errors.ts';

/** Where nothing that is typed is shown. */
const unseen = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks whoever sits at the terminal for a secret, and shows nothing of it.
 *
 * @throws NodeError `CONFIG_KEY_PASSWORD_INVALID` when it is broken off
 */
function askUnseen(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: unseen(), terminal: true, historySize: 0 });
  // Only now: until then the terminal itself shows what is typed.
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    const brokenOff = (): void =>
      reject(
        new NodeError('no password was typed', {
          code: 'CONFIG_KEY_PASSWORD_INVALID',
          source: 'what was typed',
          allowed: 'one line',
        }),
      );
    terminal.once('line', resolve);
    terminal.once('SIGINT', brokenOff);
    // Also behind a line, when it is too late to matter.
    terminal.once('close', brokenOff);
  }).finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}

/** Null where nobody sits there. */
export const askAtTerminal = process.stdin.isTTY === true ? askUnseen : null;

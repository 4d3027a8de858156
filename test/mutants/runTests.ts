import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { builtOf } from './mutant.ts';

/** A planted error may make a loop that never ends: what takes so long was noticed. */
const longestMs = 15 * 60_000;

/** @returns whether all tests of these files pass in a copy of the repository @param root of the copy */
export function pass(root: string, files: readonly string[]): Promise<boolean> {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const options = ['--config', join(root, 'jest.config.mjs'), '--runInBand', '--bail', '--silent', '--runTestsByPath'];
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...flags, jest, ...options, ...files.map((file) => join(root, builtOf(file)))],
      {
        cwd: root,
        stdio: 'ignore',
      },
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

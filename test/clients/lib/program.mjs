/** Programs of the Foundry suite as a client's checks run them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { foundryBinary } from '../../../scripts/lib/clients.mjs';
import { readTask } from './report.mjs';

const execute = promisify(execFile);
const outputBytesMax = 64 * 1024 * 1024;

/**
 * A function that runs the program with arguments and answers what it prints.
 * Its home is the task's folder, so that nobody's settings and caches take part.
 *
 * @param {Record<string, string>} settings further environment variables, read at each run
 * @returns {(...args: string[]) => Promise<string>} rejects with what the program complained about
 */
export function foundry(tool, settings = {}) {
  const path = foundryBinary(tool);
  const { directory } = readTask();
  const env = { PATH: process.env.PATH, HOME: directory, FOUNDRY_DISABLE_NIGHTLY_WARNING: 'true', NO_COLOR: '1' };
  return async (...args) => {
    const options = { cwd: directory, env: { ...env, ...settings }, maxBuffer: outputBytesMax };
    try {
      return (await execute(path, args, options)).stdout.trim();
    } catch (error) {
      throw new Error(`${tool} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`, { cause: error });
    }
  };
}

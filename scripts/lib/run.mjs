import { spawn } from 'node:child_process';

/**
 * Runs a program and stays silent unless it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<void>}
 * @throws Error with the output as message when the exit code is not 0; with the code ETIMEDOUT after `options.timeout` ms
 */
export function run(command, args, options = {}) {
  const startedAt = Date.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (cause) => reject(new Error(`can not run ${command}: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const line = [command, ...args].join(' ');
      const late = options.timeout !== undefined && Date.now() - startedAt >= options.timeout;
      const end = late ? `was not done within ${options.timeout} ms` : `ended with ${signal ?? `exit code ${code}`}`;
      const error = new Error(`${output.trimEnd()}\n${line} ${end}`);
      reject(late ? Object.assign(error, { code: 'ETIMEDOUT' }) : error);
    });
  });
}

import { spawn } from 'node:child_process';

/**
 * Runs a program and stays silent unless it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { inherit?: boolean }} options `inherit` shows the output as it comes
 * @returns {Promise<string>} what it wrote to stdout and stderr, in order; empty with `inherit`
 * @throws Error with the output as message when the exit code is not 0
 */
export function run(command, args, { inherit = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (cause) => reject(new Error(`can not run ${command}: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new Error(`${output.trimEnd()}\n${[command, ...args].join(' ')} ended with ${signal ?? `exit code ${code}`}`),
        );
    });
  });
}

/**
 * How a client's program tells what it found: one line of JSON per capability on standard output.
 *
 *   {"capability":"deploy","outcome":"works"}
 *   {"capability":"batch","outcome":"absent","reason":"it has no batches"}
 *   {"capability":"trace","outcome":"fails","reason":"Error: …"}
 */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(import.meta.url);

/** A check that has no answer by then has failed: a client that waits for ever is a finding, too. */
const checkMs = 30_000;

/**
 * @typedef {object} Task what the program was started for, as JSON in its first argument
 * @property {string} rpcUrl
 * @property {string | null} wsUrl   null when the network has no WebSocket endpoint
 * @property {string} privateKey     a funded account that nobody else uses meanwhile
 * @property {string} address
 * @property {string} peer           another account, funded too
 * @property {string} artifacts      file that compile.mjs wrote
 * @property {string} directory      empty folder for files of the program
 */

/** @returns {Task} */
export const readTask = () => JSON.parse(process.argv[2]);

export const readArtifacts = (task) => JSON.parse(readFileSync(task.artifacts, 'utf8'));

/** Installed version of a package. */
export const versionOf = (name) => JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;

/** A capability that the client does not offer, whatever the node does. */
export class Absent extends Error {}

export const absent = (reason) => () => {
  throw new Absent(reason);
};

/**
 * Runs the checks in their order and reports each. A later check may build on what an earlier one left behind.
 *
 * @param {Record<string, () => unknown>} checks by capability
 */
export async function report(checks) {
  for (const [capability, check] of Object.entries(checks)) {
    const line = (outcome) => process.stdout.write(`${JSON.stringify({ capability, ...outcome })}\n`);
    try {
      await within(checkMs, check);
      line({ outcome: 'works' });
    } catch (error) {
      if (error instanceof Absent) line({ outcome: 'absent', reason: error.message });
      else line({ outcome: 'fails', reason: error.stack ?? String(error) });
    }
  }
}

function within(milliseconds, check) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([(async () => check())(), late]).finally(() => clearTimeout(timer));
}

/** Resolves with what `attempt` returns as soon as that is neither null nor undefined nor false. */
export async function eventually(attempt, pauseMs = 25) {
  for (;;) {
    const result = await attempt();
    if (result !== null && result !== undefined && result !== false) return result;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

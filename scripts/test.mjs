/**
 * Runs the tests and closes with `N passed, N failed`.
 *
 *   node scripts/test.mjs [unit|sim|e2e|deploy|clients|packages|nightly ...] [paths] [jest arguments]
 *
 * Paths are those of sources or of built files, of folders or of files, or parts of them; one without a test is a failure. Folders between
 * may be left out: `e2e/kills`. With a suite they choose among its tests: `npm run test:e2e -- peers`.
 * Without a suite all but `nightly` run, in two runs: what is computed, then what starts processes. `--results DIR` keeps jest's JSON result of each run there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesOf, patternOf, suiteFolders, suitePattern, usualRuns } from './lib/testPaths.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Who names a suite sees its tests one after the other where other people's tools take the machine for themselves. */
const suiteOptions = {
  unit: [],
  sim: [],
  e2e: [],
  deploy: [],
  clients: ['--runInBand'],
  packages: ['--runInBand'],
  nightly: ['--runInBand'],
};

/** A run that hangs is a failure that somebody can read, not one that never ends. The usual ones take a quarter of an hour on two quick idle cores, and three quarters on slow ones. */
const minuteMs = 60_000;
const deadlineOf = (name) => (name === 'nightly' ? 300 : 75) * minuteMs;

function parseArguments(args) {
  const chosen = [];
  const jestArguments = [];
  let results = null;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index];
    if (argument === '--results') results = args[++index] ?? null;
    else if (Object.hasOwn(suiteFolders, argument) && jestArguments.length === 0) chosen.push(argument);
    else jestArguments.push(patternOf(root, argument));
  }
  return { chosen, jestArguments, results };
}

function runJest(args, outputFile, deadlineMs) {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  // @noble is ESM only, and jest runs ESM through this flag; the warning that comes with it says nothing new.
  const nodeFlags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jestFlags = ['--config', join(root, 'jest.config.mjs'), '--json', '--outputFile', outputFile];
  // With --json jest prints the result as JSON on stdout too; its report for people is on stderr.
  const stdio = ['inherit', 'ignore', 'inherit'];
  const limit = { timeout: deadlineMs, killSignal: 'SIGKILL' };
  const outcome = spawnSync(process.execPath, [...nodeFlags, jest, ...jestFlags, ...args], {
    cwd: root,
    stdio,
    ...limit,
  });
  if (outcome.error?.code === 'ETIMEDOUT')
    process.stderr.write(`prime: the run did not end within ${deadlineMs / minuteMs} minutes and was killed\n`);
  else if (outcome.error) throw outcome.error;
  return outcome.status ?? 1;
}

/** A suite that did not start (a syntax error, a crash) counts as one failure: its tests are not in the counts. */
function countResults(path) {
  const result = JSON.parse(readFileSync(path, 'utf8'));
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

function main() {
  const { chosen, jestArguments, results } = parseArguments(process.argv.slice(2));
  const directory = results ?? mkdtempSync(join(tmpdir(), 'prime-test-'));
  mkdirSync(directory, { recursive: true });
  const wanted = namesOf(jestArguments);
  const options = jestArguments.filter((argument) => !wanted.includes(argument));
  // A path or pattern of the caller takes the place of the suites, unless it names one, too.
  const runs =
    chosen.length > 0
      ? chosen.map((name) => ({ name, suites: [name], flags: suiteOptions[name] }))
      : wanted.length > 0
        ? [{ name: 'selection', suites: [], flags: [] }]
        : usualRuns;
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, suites, flags } of runs) {
    const outputFile = join(directory, `${name}.json`);
    rmSync(outputFile, { force: true });
    const selection = suites.length === 0 ? wanted : suites.map((suite) => suitePattern(root, suite, wanted));
    const status = runJest([...options, ...flags, '--testPathPatterns', ...selection], outputFile, deadlineOf(name));
    try {
      const counts = countResults(outputFile);
      // jest may fail for a reason that is no test: a threshold, a crash at the end.
      if (status !== 0 && counts.failed === 0) counts.failed = 1;
      for (const key of Object.keys(total)) total[key] += counts[key];
    } catch (error) {
      process.stderr.write(`prime: no result of the run "${name}": ${error.message}\n`);
      total.failed += 1;
    }
  }
  if (results === null) rmSync(directory, { recursive: true, force: true });
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

try {
  main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = 1;
}

import { fixtureFiles, readFixture, unpackFixtures } from './fixtures.ts';
import { isSlowFile, runFiles } from './stateTests.ts';

/**
 * All official state tests outside of `npm test`:
 *
 *   npm run conformance:state -- [--all] [part of a file name]
 *
 * Without --all the files that need seconds per case are left out.
 */
async function main(args: readonly string[]): Promise<number> {
  const fixtures = unpackFixtures();
  if (fixtures === null) {
    console.error('The archive ../shared/ethereum-tests/tests.tar.xz is not beside this repository.');
    return 1;
  }
  try {
    const all = args.includes('--all');
    const part = args.find((argument) => !argument.startsWith('--')) ?? '';
    const root = `${fixtures.path}/GeneralStateTests`;
    const files = fixtureFiles(root).filter((file) => file.includes(part) && (all || !isSlowFile(file)));
    const report = await runFiles(files, (file) => readFixture(root, file), Number.MAX_SAFE_INTEGER);
    for (const failure of report.failures) console.info(`FAILED ${failure}`);
    console.info(report.summary);
    console.info(`${report.passed} passed, ${report.failures.length} failed`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    fixtures.remove();
  }
}

process.exitCode = await main(process.argv.slice(2));

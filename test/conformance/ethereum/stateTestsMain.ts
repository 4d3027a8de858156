import { benchArguments } from '@prime/testkit/arguments';
import { fixtureFiles, readFixture, unpackFixtures } from './fixtures.ts';
import { isSlowFile, runFiles } from './stateTests.ts';

const { all, only } = benchArguments('conformance:state', {
  all: { meaning: 'also the files that need seconds per case', usual: false },
  only: { meaning: 'files whose name holds this', usual: '' },
});

/**
 * All official state tests outside of `npm test`:
 *
 *   npm run conformance:state -- [--all] [--only PART]
 */
async function main(): Promise<number> {
  const fixtures = unpackFixtures();
  if (fixtures === null) {
    console.error('The archive ../shared/ethereum-tests/tests.tar.xz is not beside this repository.');
    return 1;
  }
  try {
    const root = `${fixtures.path}/GeneralStateTests`;
    const files = fixtureFiles(root).filter((file) => file.includes(only) && (all || !isSlowFile(file)));
    const report = await runFiles(files, (file) => readFixture(root, file), Number.MAX_SAFE_INTEGER);
    for (const failure of report.failures) console.info(`FAILED ${failure}`);
    console.info(report.summary);
    console.info(`${report.passed} passed, ${report.failures.length} failed`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    fixtures.remove();
  }
}

process.exitCode = await main();

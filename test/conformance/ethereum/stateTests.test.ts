import { afterAll, describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { fixtureFiles, readFixture, unpackFixtures } from './fixtures.ts';
import { isSlowFile, runFiles } from './stateTests.ts';

/** Files of the sample. Fixed, so that a failure is the same everywhere; `npm run conformance:state -- --all` runs all of them. */
const sampleFiles = 300;
const sampleCasesPerFile = 2;
const sampleSeed = 7919;

const fixtures = unpackFixtures();
if (fixtures === null)
  console.warn('SKIPPED: Ethereum state tests. The archive (../shared/ethereum-tests) is not beside this repository.');
const suite = fixtures === null ? describe.skip : describe;

afterAll(() => fixtures?.remove());

suite('official Ethereum state tests', () => {
  it(`a fixed sample of ${sampleFiles} files: state root and logs of every case are the published ones`, async () => {
    const root = `${fixtures!.path}/GeneralStateTests`;
    const prng = createPrng(sampleSeed);
    const candidates = fixtureFiles(root).filter((file) => !isSlowFile(file));
    const chosen = Array.from({ length: sampleFiles }, () => candidates.splice(prng.below(candidates.length), 1)[0]!);
    const report = await runFiles(chosen.sort(), (file) => readFixture(root, file), sampleCasesPerFile);
    console.info(`Ethereum state tests: ${report.passed} passed, ${report.failures.length} failed, ${report.summary}`);
    expect(report.failures).toEqual([]);
    expect(report.passed).toBeGreaterThan(sampleFiles);
  });
});

import Sequencer from '@jest/test-sequencer';
import { suiteFolders } from './testPaths.mjs';

/** Tests that install what other people made: they wait minutes for a registry, in which other tests have the cores. */
const installing = new RegExp(`/(?:${[...suiteFolders.clients, ...suiteFolders.packages].join('|')})/`);

/**
 * Begins with the tests that take longest, so that no worker waits for the last one of another worker. jest knows what takes long where it ran before;
 * a machine of CI is a new one each time, and there it takes small files for quick ones.
 */
// oxlint-disable-next-line import/no-default-export
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path }) => installing.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
}

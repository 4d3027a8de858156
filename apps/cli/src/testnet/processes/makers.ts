import { join } from 'node:path';
import { type RunningBeside, startBeside } from './beside.ts';

/**
 * Starts `prime bot local` beside a network: its bots are ready when they have collateral and begin, and take their orders back when they are
 * asked to end.
 */
export const startMakers = (
  directory: string,
  /** Symbols; null is all of them. */
  markets: readonly string[] | null,
  say: (line: string) => void,
): RunningBeside =>
  startBeside({
    name: 'the bots',
    args: makerArguments(directory, markets),
    log: join(directory, 'bots.log'),
    isReady: (line) => line.includes('"msg":"ready"'),
    say,
  });

/** Of `prime`. @param directory folder with the network.json of the network that they trade on */
export const makerArguments = (directory: string, markets: readonly string[] | null): string[] => [
  'bot',
  'local',
  '--dir',
  directory,
  ...(markets === null ? [] : ['--markets', markets.join(',')]),
];

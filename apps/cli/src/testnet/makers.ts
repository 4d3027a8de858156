import { join } from 'node:path';
import { type RunningBeside, startBeside } from './beside.ts';

/**
 * Starts `prime bot local` beside a network: its bots are ready when they have collateral and begin, and take their orders back when they are
 * asked to end.
 */
export const startMakers = (directory: string, say: (line: string) => void): RunningBeside =>
  startBeside({
    name: 'the bots',
    args: ['bot', 'local', '--dir', directory],
    log: join(directory, 'bots.log'),
    isReady: (line) => line.includes('"msg":"ready"'),
    say,
  });

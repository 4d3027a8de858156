import { type RunningBeside, startBeside } from './beside.ts';
import type { NetworkFile } from '../networkFile.ts';

/** Starts `prime signer`; its validator asks again and again until it is there. */
export const startSigner = (
  { name, home, log }: NetworkFile['signers'][number],
  say: (line: string) => void,
): RunningBeside =>
  startBeside({
    name,
    args: ['signer', 'start', '--home', home, '--log-format', 'json'],
    log: log!,
    isReady: (line) => line.includes('"msg":"ready"'),
    say,
  });

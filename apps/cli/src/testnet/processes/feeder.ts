import { join } from 'node:path';
import { feederFileName } from '../../oracle/feederFile.ts';
import { type NetworkFile, shownPath } from '../networkFile.ts';
import { type RunningBeside, startBeside } from './beside.ts';

/** Between the end of a feeder and the start of the next one, ms. */
const restartMs = 1_000;

/** A feeder beside a network, and who is started in its place when it ends. */
interface FeederOptions {
  readonly directory: string;
  readonly network: Pick<NetworkFile, 'rpcUrls' | 'markets'>;
  readonly say: (line: string) => void;
}

/**
 * Starts `prime oracle feed` for all validators of a network; one that ends by itself is started again, as markets stop without.
 *
 * @returns null where no market has an oracle
 */
export function startFeeder({ directory, network, say }: FeederOptions): Omit<RunningBeside, 'ready'> | null {
  if (!network.markets.some(({ hasOracle }) => hasOracle)) return null;
  const log = join(directory, 'feeder.log');
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  const start = (): RunningBeside =>
    startBeside({
      name: 'the feeder of prices',
      args: feederArguments(['--network', directory], network.rpcUrls, join(directory, feederFileName)),
      log,
      isReady: () => false,
      endWords: (code) => {
        if (!isStopping) timer = setTimeout(() => (running = start()), restartMs);
        const how = code === null ? 'by a signal' : `with exit code ${code}`;
        return `the feeder of prices ended ${how} and is started again; why is in ${shownPath(log)}`;
      },
      say,
    });
  let running = start();
  return {
    stop: () => {
      isStopping = true;
      clearTimeout(timer);
      return running.stop();
    },
  };
}

/**
 * Of `prime`.
 *
 * @param whose flags that say for which validators it reports
 * @param config where its file is
 */
export const feederArguments = (whose: readonly string[], rpcUrls: readonly string[], config: string): string[] => [
  'oracle',
  'feed',
  ...whose,
  '--config',
  config,
  '--rpc',
  rpcUrls.join(','),
  '--log-format',
  'json',
];

import { join } from 'node:path';
import { type RunningBeside, startBeside } from './beside.ts';
import type { NetworkFile } from '../networkFile.ts';

interface ExplorerBeside {
  readonly directory: string;
  readonly network: Pick<NetworkFile, 'rpcUrls'>;
  /** Where it listens, as `network.json` names it. */
  readonly url: string;
  /** Folder of its pages; null takes those that were built. */
  readonly site: string | null;
  readonly say: (line: string) => void;
}

/** Starts `prime explorer` beside a network whose nodes answer. */
export const startExplorer = ({ directory, network, url, site, say }: ExplorerBeside): RunningBeside =>
  startBeside({
    name: 'the explorer',
    args: [
      ...explorerArguments(network.rpcUrls, new URL(url).host),
      '--json',
      ...(site === null ? [] : ['--site', site]),
    ],
    log: join(directory, 'explorer.log'),
    isReady: (line) => line.startsWith('{"url":'),
    say,
  });

/** Of a large network some suffice. */
const nodesMax = 16;

/** Of `prime`. @param listen `host:port` */
export const explorerArguments = (rpcUrls: readonly string[], listen: string): string[] => [
  'explorer',
  '--rpc',
  rpcUrls.slice(0, nodesMax).join(','),
  '--listen',
  listen,
];

import { join } from 'node:path';
import { type RunningBeside, startBeside } from './beside.ts';
import type { NetworkFile } from './networkFile.ts';

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
    args: ['explorer', '--json', '--rpc', network.rpcUrls.slice(0, nodesMax).join(',')].concat(
      ['--listen', new URL(url).host],
      site === null ? [] : ['--site', site],
    ),
    log: join(directory, 'explorer.log'),
    isReady: (line) => line.startsWith('{"url":'),
    say,
  });

/** Of a large network some suffice. */
const nodesMax = 16;

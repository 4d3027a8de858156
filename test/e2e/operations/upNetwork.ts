import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../repo/repository.ts';
import { PrimeProcess } from './program.ts';

/** A network as a person starts it: `prime testnet up`. */

/** As npm gives it to a script that a person starts with `npm start`. */
export const environment = { ...process.env, npm_lifecycle_event: 'start' };

export interface UpNetwork {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** With SIGTERM. @returns the exit code */
  stop(): Promise<number>;
}

/** `prime testnet up` until it says that all agree. */
export async function up(folder: string, ...options: readonly string[]): Promise<UpNetwork> {
  const running = new PrimeProcess(['testnet', 'up', '--dir', folder, ...options], { cwd: root, env: environment });
  await running.says('Ctrl-C stops');
  const { child, lines } = running;
  return { child, lines, stop: async () => (await running.end('SIGTERM'))! };
}

interface NetworkNode {
  readonly name: string;
  readonly rpc: string;
  readonly admin: string;
  readonly log: string;
}
export interface NetworkFile {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: string;
  readonly rpcUrls: readonly string[];
  readonly explorerUrl: string | null;
  readonly validators: readonly NetworkNode[];
  readonly sentries: readonly NetworkNode[];
  readonly followers: readonly NetworkNode[];
  readonly signers: readonly { readonly name: string; readonly admin: string }[];
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly markets: readonly { readonly id: number; readonly symbol: string }[];
}
export const networkOf = async (folder: string): Promise<NetworkFile> =>
  JSON.parse(await readFile(join(folder, 'network.json'), 'utf8')) as NetworkFile;

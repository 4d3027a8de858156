import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultNetworkFolder, shownPath } from './networkFile.ts';
import { programPath } from './program.ts';

/** How a person started this network, so that what we advise is what the same person can type. */
const npmScripts: Readonly<Record<string, string>> = { start: 'npm start --', dev: 'npm run dev --' };

/** The `prime` command as it works where this process runs. */
export function primeCommand(): string {
  if (existsSync(join('node_modules', '.bin', 'prime'))) return 'npx prime';
  return `node ${shownPath(programPath)}`;
}

/** `prime testnet up` with options, as it was typed: `npm start -- --fresh`. */
export function upCommand(...options: readonly string[]): string {
  const script = npmScripts[process.env['npm_lifecycle_event'] ?? ''];
  if (script === undefined) return [primeCommand(), 'testnet', 'up', ...options].join(' ');
  return options.length === 0 ? script.replace(/ --$/, '') : [script, ...options].join(' ');
}

/** The option that names a folder; none for the one that needs no naming. */
export const folderOption = (directory: string): readonly string[] => {
  const shown = shownPath(directory);
  return shown === defaultNetworkFolder ? [] : ['--dir', shown];
};

/** The demo, where the network was started by npm and the script is at hand; else null. */
export function demoCommand(directory: string): string | null {
  if (npmScripts[process.env['npm_lifecycle_event'] ?? ''] === undefined) return null;
  const shown = shownPath(directory);
  return shown === defaultNetworkFolder ? 'npm run demo' : `npm run demo -- --network ${shown}`;
}

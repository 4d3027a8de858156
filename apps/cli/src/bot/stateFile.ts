import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeLossRecord, type StateFile } from '@prime/bot';
import { writeFileDurably } from '@prime/storage';
import { notFound } from '../errors.ts';
import { defaultNetworkFolder } from '../testnet/networkFile.ts';

/** A file that nobody else has to read. @throws CliError `CLI_NOT_FOUND` where its folder is not there */
function fileAt(path: string): StateFile {
  if (!existsSync(dirname(path))) throw notFound(`${dirname(path)} is not there`, dirname(path));
  return {
    path,
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    write: (text) => writeFileDurably(path, Buffer.from(text), 0o600),
  };
}

/**
 * Where a bot keeps its loss: in the file that is named, else, on the network of this folder, beside its keys.
 *
 * @returns undefined where nobody named one
 */
export function stateFileOf(state: string | undefined, rpc: string | undefined, name: string): StateFile | undefined {
  if (state !== undefined) return fileAt(state);
  if (rpc !== undefined) return undefined;
  const folder = join(defaultNetworkFolder, 'bots');
  mkdirSync(folder, { recursive: true });
  return fileAt(join(folder, `${name}.loss.json`));
}

/** `prime bot loss`: what a bot's file says, in wei and base units; `reset` sets the file aside, so that the next start counts anew. */
export function loss(path: string, { reset }: { readonly reset?: boolean }): void {
  const text = fileAt(path).read();
  if (text === null) throw notFound(`${path} is not there`, path);
  // One that is damaged can not be shown, but it can be reset: nothing else ends it.
  if (reset !== true) {
    const { scope, record } = decodeLossRecord(text, path);
    const { since, blockNumber, position, cash, isReached } = record;
    const counted = { since: `${since}`, block: `${blockNumber}`, position: `${position}`, cash: `${cash}` };
    return console.log(JSON.stringify({ ...scope, ...counted, reached: isReached }, null, 2));
  }
  const aside = freeName(path);
  renameSync(path, aside);
  console.log(`${path} is now ${aside}; the loss counts anew from the next start on`);
}

function freeName(path: string): string {
  for (let count = 1; ; count++) {
    const name = `${path}.${count}`;
    if (!existsSync(name)) return name;
  }
}

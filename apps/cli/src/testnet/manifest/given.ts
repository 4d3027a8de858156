import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeFileDurably } from '@prime/storage';
import { readGiven } from '../../files.ts';
import type { Manifest } from './manifest.ts';
import { parseTestnetManifest } from './parse.ts';

/** A manifest, and the file that it stands in. */
export interface GivenManifest {
  readonly path: string;
  readonly text: string;
  readonly manifest: Manifest;
}

/** @throws CliError `CLI_TESTNET_MANIFEST`, `CLI_USAGE` for a file that can not be read */
export async function readManifest(path: string): Promise<GivenManifest> {
  const text = await readGiven(path, '--manifest');
  return { path, text, manifest: parseTestnetManifest(text, path) };
}

/** Of a network that was made from one: its copy in the network's folder. */
const keptName = 'manifest.toml';

/**
 * The manifest that a network was made from; null where it was made without one.
 *
 * @throws CliError when the file is no manifest
 */
export async function keptManifest(directory: string): Promise<GivenManifest | null> {
  const path = join(directory, keptName);
  if (!existsSync(path)) return null;
  const text = await readFile(path, 'utf8');
  return { path, text, manifest: parseTestnetManifest(text, path) };
}

/** Keeps the text of a manifest beside the homes, as it was written, with its comments. */
export const keepManifest = (directory: string, { text }: GivenManifest): void =>
  writeFileDurably(join(directory, keptName), new TextEncoder().encode(text), 0o644);

/** Whether homes of one are homes of the other: what runs beside the nodes, or is done to them, may differ. */
export const isSameNetwork = (one: GivenManifest, other: GivenManifest | null): boolean =>
  other !== null && isDeepStrictEqual(homesOf(one.manifest), homesOf(other.manifest));

/** What is left of a manifest without that. */
function homesOf(manifest: Manifest): Partial<Manifest> {
  const {
    makers: _makers,
    latency: _latency,
    faults: _faults,
    load: _load,
    monitoring: _monitoring,
    ...homes
  } = manifest;
  return homes;
}

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { Manifest } from '../testnet/manifest/manifest.ts';
import { parseTestnetManifest } from '../testnet/manifest/parse.ts';

/** Where a test writes networks to. */
export interface ExportFolder {
  /** A path below the folder. */
  at(...path: readonly string[]): string;
  /** Text of a file below the folder. */
  textOf(...path: readonly string[]): string;
}

/** A folder of each test of a file, which is gone after it. */
export function useExportFolder(): ExportFolder {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prime-export-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    at: (...path) => join(folder, ...path),
    textOf: (...path) => readFileSync(join(folder, ...path), 'utf8'),
  };
}

/** The manifest of a text, which leaves out the line of the format. */
export const manifestOf = (text: string): Manifest =>
  parseTestnetManifest(`format = "prime-testnet-1"\n${text}`, 'net.toml');

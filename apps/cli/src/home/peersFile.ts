import type { ConfigValues } from '@prime/config';
import { parse } from 'smol-toml';
import { usageError } from '../errors.ts';
import { readGiven } from '../files.ts';

/** Tables of peers as they stand in a configuration, for instance what `prime node show` prints. @throws CliError `CLI_USAGE` */
export async function peersIn(path: string): Promise<readonly ConfigValues[]> {
  const text = await readGiven(path, '--peers');
  let tables: unknown;
  try {
    tables = (parse(text) as { readonly p2p?: { readonly peers?: unknown } }).p2p?.peers;
  } catch (error) {
    throw usageError(`${path} is no TOML: ${(error as Error).message}`, '--peers');
  }
  if (!Array.isArray(tables)) throw usageError(`${path} has no [[p2p.peers]]`, '--peers');
  return tables as ConfigValues[];
}

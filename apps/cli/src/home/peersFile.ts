import type { ConfigValues } from '@prime/config';
import { parse } from 'smol-toml';
import { CliError } from '../errors.ts';
import { readGiven } from '../files.ts';

/** Tables of peers as they stand in a configuration, for instance what `prime node show` prints. @throws CliError `CLI_USAGE` */
export async function peersIn(path: string): Promise<readonly ConfigValues[]> {
  const text = await readGiven(path, '--peers');
  let tables: unknown;
  try {
    tables = (parse(text) as { readonly p2p?: { readonly peers?: unknown } }).p2p?.peers;
  } catch (error) {
    throw new CliError(`${path} is no TOML: ${(error as Error).message}`, { code: 'CLI_USAGE', argument: '--peers' });
  }
  if (!Array.isArray(tables))
    throw new CliError(`${path} has no [[p2p.peers]]`, { code: 'CLI_USAGE', argument: '--peers' });
  return tables as ConfigValues[];
}

import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HomePaths, homePaths } from '@prime/config';
import { readHomeFile } from '@prime/node';
import { CliError } from './errors.ts';

/** A file that an argument names, as text. @throws CliError `CLI_USAGE` with the system's reason */
export async function readGiven(path: string, argument: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`can not read ${path} (${argument}): ${message}`, { code: 'CLI_USAGE', argument }, { cause });
  }
}

/** The places of a home that is one: a mistyped name must not become a new folder. @throws NodeError `CONFIG_HOME_UNREADABLE` */
export async function existingHome(folder: string): Promise<HomePaths> {
  const paths = homePaths(resolve(folder));
  if (!existsSync(paths.genesis)) await readHomeFile(paths.genesis);
  return paths;
}

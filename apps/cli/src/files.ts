import { mkdir, readFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type HomePaths, homePaths } from '@prime/config';
import { type CliError, notEmpty, notFound, usageError } from './errors.ts';

/** A file that an argument names, as text. @throws CliError `CLI_NOT_FOUND`, `CLI_USAGE` with the system's reason */
export async function readGiven(path: string, argument: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw notFound(`${path} (${argument}) is not there`, path, { cause });
    throw usageError(`can not read ${path} (${argument}): ${message}`, argument, { cause });
  }
}

/** Makes the folder of a run, which has to be its own. @throws CliError `CLI_NOT_EMPTY` when it holds something */
export async function takeFolder(directory: string): Promise<void> {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw notEmpty(`${directory} is not empty; a run needs a folder of its own`, directory);
  await mkdir(directory, { recursive: true });
}

/** The places of a home that is one: a mistyped name must not become a new folder. @throws CliError `CLI_NOT_FOUND` */
export async function existingHome(folder: string): Promise<HomePaths> {
  const paths = homePaths(resolve(folder));
  if (!existsSync(paths.genesis)) throw noHome(paths, 'genesis.json');
  return paths;
}

/** Who is given the home of the other kind is told so: a signer's has no `config.toml`, a node's no `signer.toml`. @throws CliError */
export function refuseOtherKind(folder: string, kind: 'node' | 'signer'): void {
  const paths = homePaths(resolve(folder));
  const [own, other] = kind === 'node' ? [paths.config, paths.signerConfig] : [paths.signerConfig, paths.config];
  if (existsSync(own)) return;
  if (!existsSync(other)) {
    const make = kind === 'node' ? 'prime node init or prime testnet init' : 'prime signer init';
    throw notFound(
      `${paths.home} is no home of a ${kind}: there is no ${basename(own)} in it; ${make} makes one`,
      paths.home,
    );
  }
  const otherKind = kind === 'node' ? 'signer' : 'node';
  throw usageError(
    `${paths.home} is the home of a ${otherKind}, which prime ${otherKind} start runs; a ${kind} needs a home of its own`,
    '--home',
  );
}

/** @param missing the file without which a folder is no home */
export const noHome = ({ home }: HomePaths, missing: string): CliError =>
  notFound(`${home} is no home: there is no ${missing} in it`, home);

/** Public packages as they are published: packed into a folder outside of the repository, by the script that a release uses. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../repo/repository.ts';

export const execute = promisify(execFile);

export interface Packed {
  /** Folder of everything. */
  readonly folder: string;
  /** Folder of a package, with what its tarball has. */
  readonly package: (name: string) => string;
  readonly tarball: (name: string) => string;
  /** The report of its API as it is now. */
  readonly apiReport: (file: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Packages by the name of their folder. */
export const publicNames = ['contracts', 'sdk'] as const;

export async function packPackages(environment: NodeJS.ProcessEnv = {}): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'prime-packages-'));
  await execute(process.execPath, [join(root, 'scripts', 'pack.mjs'), '--out', folder], {
    env: { ...process.env, ...environment },
  });
  return {
    folder,
    package: (name) => join(folder, name),
    tarball: (name) => join(folder, `${name}.tgz`),
    apiReport: (file) => readFile(join(folder, 'api', file), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What npm says when it could not talk to its registry at all; an answer of the registry is none of these. */
const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** Only against a registry that takes requests and never answers. */
const installMs = 300_000;

/**
 * Installs packages and tarballs into a project, as somebody types it.
 *
 * @param environment beside that of this process
 * @returns false when the registry is out of reach
 * @throws Error with npm's output for any other failure
 */
export async function install(
  project: string,
  specifiers: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    // The prefix stands on the command line, because npm tells its children of the project that it was started in.
    await execute('npm', ['install', `--prefix=${project}`, ...options, ...specifiers], {
      cwd: project,
      env: { ...process.env, ...environment },
      timeout: installMs,
      shell: process.platform === 'win32',
    });
    return true;
  } catch (error) {
    if (unreachable.test((error as Error).message)) {
      process.stderr.write('prime: the package registry is out of reach: tests of installed packages are skipped\n');
      return false;
    }
    throw error;
  }
}

import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program in another version than the one that is tested: what a part of a network runs while it is upgraded. */
export interface AnotherBuild {
  /** Its `prime` command, for {@link Testnet.install}. */
  readonly cli: string;
  destroy(): Promise<void>;
}

/** A file of the built program, and the words in it that the other build has otherwise. */
export interface BuildChange {
  /** From the root of the repository. */
  readonly path: string;
  readonly from: RegExp;
  readonly to: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const groups = ['packages', 'apps'] as const;

/**
 * Copies the built program into a folder of its own and changes it there. The copy runs from its modules; it shares the libraries of others, and nothing else,
 * with the program that is tested.
 *
 * @throws Error when the words are not in the file: the copy would be the same program
 */
export async function anotherBuild(changes: readonly BuildChange[]): Promise<AnotherBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'prime-build-'));
  try {
    for (const group of groups) await copyGroup(group, folder);
    await linkLibraries(folder);
    for (const change of changes) await apply(change, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    cli: join(folder, 'apps', 'cli', 'dist', 'main.js'),
    destroy: () => rm(folder, { recursive: true, force: true }),
  };
}

const isProgram = (path: string): boolean =>
  !/(?:\/dist\/bundle$|\.test\.js$|\.map$|\.d\.ts$|\.tsbuildinfo$)/.test(path);

async function copyGroup(group: string, folder: string): Promise<void> {
  for (const name of await readdir(join(root, group))) {
    const [from, to] = [join(root, group, name), join(folder, group, name)];
    for (const part of ['package.json', 'dist', 'node_modules'])
      if (existsSync(join(from, part)))
        await cp(join(from, part), join(to, part), { recursive: true, filter: isProgram, verbatimSymlinks: true });
  }
}

/** Own packages are those of the copy. */
async function linkLibraries(folder: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(to);
  for (const name of await readdir(from))
    if (name === '@prime') await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else await symlink(join(from, name), join(to, name));
}

async function apply({ path, from, to }: BuildChange, folder: string): Promise<void> {
  const file = join(folder, path);
  const text = await readFile(file, 'utf8');
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${path} holds nothing like ${from}: the other build would be the same`);
  await writeFile(file, changed);
}

/** The repository as data for the tests of this folder. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package-lock.json above the tests');
  return findRoot(parent);
}

export const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** What is not written by people, or not kept in version control. */
const ignoredFolders = new Set(['node_modules', 'dist', '.git', '.prime', 'coverage']);

/** Every file below a folder, as paths from the root with forward slashes. */
export function filesBelow(folder: string, ignored: ReadonlySet<string> = ignoredFolders): string[] {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // A linked worktree has a file of this name where a clone has the folder.
    if (ignored.has(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path, ignored);
    return entry.isFile() ? [path.split(sep).join('/')] : [];
  });
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
export const pathExists = (path: string): boolean => existsSync(join(root, path));
export const isFolder = (path: string): boolean =>
  statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;

export interface Workspace {
  /** Folder name, which is the package name without its scope. */
  readonly name: string;
  /** `packages/x` or `apps/x` */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name?: string;
  readonly license?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const readManifest = (path: string): Manifest => JSON.parse(readText(path)) as Manifest;

export const workspaces: readonly Workspace[] = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && pathExists(`${group}/${entry.name}/package.json`))
    .map((entry) => ({
      name: entry.name,
      folder: `${group}/${entry.name}`,
      manifest: readManifest(`${group}/${entry.name}/package.json`),
    })),
);

/** TypeScript of a workspace that is part of what ships. */
export const shippedSources = ({ folder }: Workspace): string[] =>
  filesBelow(`${folder}/src`).filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'));

const staticImport = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm;
const bareImport = /^\s*import\s*['"]([^'"]+)['"]/gm;
const dynamicImport = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Module names that a source imports, also for types only. */
export const importsOf = (source: string): string[] =>
  [staticImport, bareImport, dynamicImport].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[1]!),
  );

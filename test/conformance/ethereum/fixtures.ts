import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

/**
 * The official Ethereum tests, which stand beside the repository as one archive. Unpacked into a temporary directory for the time
 * of one run.
 */
export interface FixtureDirectory {
  readonly path: string;
  remove(): void;
}

/** @returns null when the archive is not there */
export function unpackFixtures(): FixtureDirectory | null {
  const archive = resolve(process.cwd(), '../shared/ethereum-tests/tests.tar.xz');
  if (!existsSync(archive)) return null;
  const path = mkdtempSync(join(tmpdir(), 'prime-ethereum-tests-'));
  execFileSync('tar', ['xJf', archive, '-C', path]);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** All JSON files under a folder, sorted, relative to it. */
export function fixtureFiles(root: string): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.name.endsWith('.json')) found.push(relative(root, path));
    }
  };
  visit(root);
  return found.sort();
}

export const readFixture = (root: string, file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

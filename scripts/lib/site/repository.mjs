import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with documents that people write, and files beside them. */
const folders = ['docs', 'deploy', 'packages', 'apps'];
const ignored = new Set(['node_modules', 'dist']);

/** What makeSite needs of a clone. */
export function readRepository(root) {
  const below = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) return [path];
      return entry.isDirectory() && !ignored.has(entry.name) && (folder !== '' || folders.includes(entry.name))
        ? below(path)
        : [];
    });
  const read = (path) => readFileSync(join(root, path), 'utf8');
  return { files: below(''), read, manifest: JSON.parse(read('package.json')) };
}

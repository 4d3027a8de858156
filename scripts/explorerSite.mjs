/** Puts the pages of the explorer where `prime explorer` finds them, beside the program: in a clone and in the image alike. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'apps', 'explorer', 'dist', 'site');
const target = join(root, 'apps', 'cli', 'dist', 'site');
const next = `${target}.next`;

rmSync(next, { recursive: true, force: true });
if (existsSync(join(built, 'index.html'))) {
  cpSync(built, next, { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(next, target);
}

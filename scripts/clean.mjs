/** Removes what the build makes: every dist folder of a workspace and of test/. Sources, data and dependencies stay. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const groups = ['packages', 'apps'];
const projects = groups.flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)));

for (const project of [...projects, join(root, 'test')]) {
  rmSync(join(project, 'dist'), { recursive: true, force: true });
}

/**
 * Builds the repository: the compiler, and then the code that is generated from compiled code. Says nothing when all is
 * well. `--inherit` shows the compiler's output as it comes (with colours), for people.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Steps after the compiler. Each runs only when one of its inputs changed since it last succeeded.
 *
 * The compiler's own record of a project names the content of all its sources, so it stands for them as an input.
 */
const generators = [
  {
    script: 'packages/rpc/scripts/generateValidators.mjs',
    inputs: ['packages/rpc/dist/.tsbuildinfo', 'package-lock.json'],
    output: 'packages/rpc/dist/generated/validators.js',
  },
];

/** @throws Error with the compiler's words when the code does not compile */
export async function build({ inherit = false } = {}) {
  await run(process.execPath, [compiler, '-b'], { cwd: root, inherit });
  for (const generator of generators) await generate(generator, inherit);
}

async function generate({ script, inputs, output }, inherit) {
  const stampPath = join(root, `${output}.stamp`);
  const digest = createHash('sha256');
  for (const input of [script, ...inputs]) digest.update(readFileSync(join(root, input)));
  const wanted = digest.digest('hex');
  if (existsSync(join(root, output)) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return;
  await run(process.execPath, [join(root, script)], { cwd: root, inherit });
  writeFileSync(stampPath, wanted);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build({ inherit: process.argv.includes('--inherit') });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

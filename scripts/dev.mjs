/** `npm run dev`: compiles on every change and restarts the local test network with what came out. Ctrl-C ends both. */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** One build writes many files; the network is restarted once they have settled. */
const settleMs = 300;

// The compiler does not make the bundle, which would run in place of what it compiles; the next whole build makes it again.
rmSync(join(root, 'apps', 'cli', 'dist', 'bundle'), { recursive: true, force: true });

const compiler = spawn(
  process.execPath,
  [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', '-w', '--preserveWatchOutput'],
  { cwd: root, stdio: 'inherit' },
);

let network = startNetwork();
let restarting = false;
let settleTimer = null;
let stopping = false;

function startNetwork() {
  const entry = join(root, 'apps', 'cli', 'dist', 'main.js');
  return spawn(process.execPath, [entry, 'testnet', 'up', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
}

function restartNetwork() {
  if (restarting || stopping) return;
  restarting = true;
  const start = () => {
    restarting = false;
    if (!stopping) network = startNetwork();
  };
  if (network.exitCode !== null || network.signalCode !== null) start();
  else {
    network.once('exit', start);
    network.kill('SIGTERM');
  }
}

function onBuilt(_event, file) {
  if (typeof file !== 'string' || !file.endsWith('.js') || file.endsWith('.test.js')) return;
  clearTimeout(settleTimer);
  settleTimer = setTimeout(restartNetwork, settleMs);
}

for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    try {
      watch(join(root, group, name, 'dist'), { recursive: true }, onBuilt);
    } catch (error) {
      process.stderr.write(`prime: can not watch ${group}/${name}/dist: ${error.message}\n`);
    }
  }
}

function stop() {
  if (stopping) return;
  stopping = true;
  compiler.kill('SIGTERM');
  const ended = () => process.exit(0);
  if (network.exitCode !== null || network.signalCode !== null) ended();
  network.once('exit', ended);
  network.kill('SIGTERM');
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

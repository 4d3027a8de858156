/** Projects of what only tests and benchmarks use, `test/clients`, `test/ccxt` and `test/kubernetes`: installed when they are asked for. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { acquireLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folders of the projects, and what they are for in the line that tells people what they wait for. */
const projects = {
  clients: { directory: join(root, 'test', 'clients'), what: 'the clients that tests use' },
  ccxt: { directory: join(root, 'test', 'ccxt'), what: 'the ccxt that tests use' },
  kubernetes: { directory: join(root, 'test', 'kubernetes'), what: 'helm and the schemas of Kubernetes' },
};

/** A quarter of a gigabyte; 35 seconds are usual. Whoever waits longer goes without the clients, and is told. */
const installTimeoutMs = 8 * 60_000;
const lockTimeoutMs = installTimeoutMs + 60_000;

/** What npm says when it could not talk to its registry at all; an answer of the registry is none of these. */
const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** The clients are not installed and can not be: whoever needs them should say so and go without. */
class RegistryUnreachableError extends Error {
  code = 'REGISTRY_UNREACHABLE';
}

/**
 * Installs what a project names when it is not there yet, one process at a time.
 *
 * @param {keyof typeof projects} [name]
 * @returns {Promise<string>} folder of the project
 * @throws RegistryUnreachableError, or Error with npm's output for any other failure
 */
export async function ensureClients(name = 'clients') {
  const { directory, what } = projects[name];
  const release = await acquireLock(join(root, '.prime', `${name}.lock`), {
    purpose: `the installation of test/${name}`,
    timeoutMs: lockTimeoutMs,
    onWait: (holder) => process.stderr.write(`prime: waiting for "${holder.purpose}" (process ${holder.pid}) ...\n`),
  });
  try {
    await ensureInstalled(directory, what, installTimeoutMs);
    return directory;
  } catch (error) {
    if (error.code !== 'ETIMEDOUT' && !unreachable.test(error.message)) throw error;
    const message = `the packages of test/${name} are not installed and the package registry is out of reach:\n${error.message}`;
    throw new RegistryUnreachableError(message, { cause: error });
  } finally {
    release();
  }
}

/**
 * Path of a program of the Foundry suite (`anvil`, `cast`, `forge`) for this machine.
 *
 * @throws Error when there is none for this platform
 */
export function foundryBinary(tool) {
  const architecture = { x64: 'amd64' }[process.arch] ?? process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = `@foundry-rs/${tool}-${process.platform}-${architecture}/bin/${tool}${suffix}`;
  try {
    return createRequire(join(projects.clients.directory, 'package.json')).resolve(path);
  } catch (cause) {
    throw new Error(`${tool} is not published for ${process.platform}-${process.arch}`, { cause });
  }
}

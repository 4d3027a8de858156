/** The project of the clients and tools that only tests and benchmarks use: `test/clients`, installed when they are asked for. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { acquireLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folder of the project. */
const clientsDirectory = join(root, 'test', 'clients');

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
 * Installs the clients when they are not there yet, one process at a time.
 *
 * @returns {Promise<string>} folder of the project
 * @throws RegistryUnreachableError, or Error with npm's output for any other failure
 */
export async function ensureClients() {
  const release = await acquireLock(join(root, '.prime', 'clients.lock'), {
    purpose: 'the installation of test/clients',
    timeoutMs: lockTimeoutMs,
    onWait: (holder) => process.stderr.write(`prime: waiting for "${holder.purpose}" (process ${holder.pid}) ...\n`),
  });
  try {
    await ensureInstalled(clientsDirectory, 'the clients that tests use', installTimeoutMs);
    return clientsDirectory;
  } catch (error) {
    if (error.code !== 'ETIMEDOUT' && !unreachable.test(error.message)) throw error;
    const message = `the clients of test/clients are not installed and the package registry is out of reach:\n${error.message}`;
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
    return createRequire(join(clientsDirectory, 'package.json')).resolve(path);
  } catch (cause) {
    throw new Error(`${tool} is not published for ${process.platform}-${process.arch}`, { cause });
  }
}

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { HomePaths, NodeConfig } from '@prime/config';
import { NodeError } from './errors.ts';

/** What nobody but the owner of the process may do with a file that holds a secret. */
const othersMay = 0o077;

/**
 * Looks at the key files of a home before anything is started: those that a node needs are there and can be read, and nobody else may read or write those that are
 * secret.
 *
 * @throws NodeError `CONFIG_HOME_UNREADABLE`, `CONFIG_KEY_FILE_OPEN`
 */
export function checkKeyFiles(home: HomePaths, { signer }: Pick<NodeConfig, 'signer'>): void {
  const isRemote = signer.address !== null;
  const needed = [...(isRemote ? [] : [home.signerKey]), home.tlsKey, home.tlsCertificate];
  for (const path of needed) checkReadable(path);
  const secrets = [home.signerKey, home.nextSignerKey, home.tlsKey, home.ownerKey, home.unlockedAccounts];
  for (const path of secrets) if (existsSync(path)) checkPrivate(path);
}

/** The same for the home of a remote signer. */
export function checkSignerKeyFiles(home: HomePaths): void {
  for (const path of [home.signerKey, home.tlsKey, home.tlsCertificate]) checkReadable(path);
  for (const path of [home.signerKey, home.nextSignerKey, home.tlsKey]) if (existsSync(path)) checkPrivate(path);
}

function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new NodeError(
      `can not read ${path}: ${(cause as Error).message}. A node needs it: restore it from a backup, or make a home with keys of its own ` +
        '(prime node init, prime testnet init)',
      { code: 'CONFIG_HOME_UNREADABLE', path },
      { cause },
    );
  }
}

function checkPrivate(path: string): void {
  // Windows has other permissions, and says nothing of them here.
  if (process.platform === 'win32') return;
  const mode = statSync(path).mode & 0o777;
  if ((mode & othersMay) === 0) return;
  const shown = `0${mode.toString(8)}`;
  throw new NodeError(`${path} holds a secret, and others may read or write it (mode ${shown}): chmod 600 ${path}`, {
    code: 'CONFIG_KEY_FILE_OPEN',
    path,
    mode: shown,
  });
}

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { type HomePaths, type NodeConfig, ownerKeyPath } from '@prime/config';
import { NodeError } from '../errors.ts';

/** What a node or signer shows in TLS, PEM. @throws what the file system throws */
export const readTlsIdentity = ({ tlsCertificate, tlsKey }: Pick<HomePaths, 'tlsCertificate' | 'tlsKey'>) => ({
  certificatePem: readFileSync(tlsCertificate, 'utf8'),
  privateKeyPem: readFileSync(tlsKey, 'utf8'),
});

/** What nobody but the owner of the process may do with a file or folder that holds secrets. */
const othersMay = 0o077;

/**
 * Looks at the key files of a home before anything is started: those that a node needs are there and can be read, nobody else may read or write what is
 * secret, and the key that owns the stake is not among them.
 *
 * @throws NodeError `CONFIG_HOME_UNREADABLE`, `CONFIG_KEY_FILE_OPEN`, `CONFIG_OWNER_KEY_IN_HOME`
 */
export function checkKeyFiles(home: HomePaths, { signer }: Pick<NodeConfig, 'signer'>): void {
  checkFiles(home, signer.address === null);
}

/** The same for the home of a remote signer. */
export function checkSignerKeyFiles(home: HomePaths): void {
  checkFiles(home, true);
}

function checkFiles(home: HomePaths, needsKey: boolean): void {
  const needed = [...(needsKey ? [home.signerKey] : []), home.tlsKey, home.tlsCertificate];
  for (const path of needed) checkReadable(path);
  const secrets = [
    home.keys,
    home.signerKey,
    home.nextSignerKey,
    home.keyPassword,
    home.tlsKey,
    home.ownerKeyInside,
    home.unlockedAccounts,
  ];
  for (const path of secrets) if (existsSync(path)) checkPrivate(path);
  if (existsSync(home.ownerKeyInside)) throw ownerKeyInHome(home);
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

/**
 * Refuses a file or folder with a secret that others may read or write.
 *
 * @throws NodeError `CONFIG_KEY_FILE_OPEN`
 */
export function checkPrivate(path: string, refused = othersMay): void {
  // Windows has other permissions, and says nothing of them here.
  if (process.platform === 'win32') return;
  const stat = statSync(path);
  const mode = stat.mode & 0o777;
  if ((mode & refused) === 0) return;
  const shown = `0${mode.toString(8)}`;
  const allowed = stat.isDirectory() ? '700' : '600';
  throw new NodeError(
    `${path} holds a secret, and others may read or write it (mode ${shown}): chmod ${allowed} ${path}`,
    { code: 'CONFIG_KEY_FILE_OPEN', path, mode: shown },
  );
}

function ownerKeyInHome({ home, ownerKeyInside: path }: HomePaths): NodeError {
  return new NodeError(
    `${path} owns the stake, and no node needs it: whoever gets into this machine would have it as well. Move it out, and keep it elsewhere: ` +
      `prime key import ${path} --out ${ownerKeyPath(home)} --remove`,
    { code: 'CONFIG_OWNER_KEY_IN_HOME', path },
  );
}

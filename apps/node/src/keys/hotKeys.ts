import { existsSync, readFileSync, statSync } from 'node:fs';
import { type HomePaths, type KeyPair, parseKeystore, requireKind, unlockKeystore } from '@prime/config';
import type { CryptoProvider } from '@prime/crypto';
import type { HeldKey } from '@prime/network';
import { assert } from '@prime/primitives';
import { findPassword, type PasswordSources } from './passwords.ts';

type KeyPaths = Pick<HomePaths, 'signerKey' | 'nextSignerKey'>;

/** The content of a key file, decrypted. */
interface UnlockedFile {
  readonly path: string;
  /** Changes when the file is replaced. */
  readonly stamp: string;
  /** Null where it can not be used. */
  readonly key: KeyPair | null;
}

/** What a process has decrypted of a home, as plain data for its threads. */
export interface UnlockedKeys {
  /** Of the keystores in this home; a key that is made later is under the same one. Null where the keys are elsewhere. */
  readonly password: string | null;
  readonly files: readonly UnlockedFile[];
}

/** Of a node whose keys are in a remote signer. */
export const noKeys: UnlockedKeys = { password: null, files: [] };

/**
 * Decrypts the hot keys of a home, before anything is started.
 *
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`, `CONFIG_KEY_FILE_PLAIN`, `CONFIG_KEY_PASSWORD_WRONG`; NodeError as `findPassword`
 */
export async function unlockHotKeys(
  paths: KeyPaths,
  provider: CryptoProvider,
  sources: PasswordSources,
): Promise<UnlockedKeys> {
  // First whether they can be read at all: nobody is asked for the password of what is none.
  const present = pathsOf(paths).filter(existsSync);
  for (const path of present) readSignerKey(path);
  const password = await findPassword(paths.signerKey, 'signer', sources);
  const files = await Promise.all(
    present.map(async (path) => ({
      path,
      stamp: stampOf(path),
      key: await unlockKeystore(provider, readSignerKey(path), password),
    })),
  );
  return { password, files };
}

const pathsOf = ({ signerKey, nextSignerKey }: KeyPaths): readonly string[] => [signerKey, nextSignerKey];

function readSignerKey(path: string): ReturnType<typeof parseKeystore> {
  const keystore = parseKeystore(readFileSync(path, 'utf8'), path);
  requireKind(keystore, 'signer');
  return keystore;
}

/** Who hears of keys that appear while the process runs. */
export interface KeyEvents {
  /** {@link HotKeys.list} has one more. */
  onUnlocked(): void;
  /** A file can not be used; it is looked at again when it was replaced. */
  onFailed(error: unknown): void;
}

/**
 * The hot keys of a home while a node or signer runs. To decrypt one takes a second, which a thread that votes does not have: it is done beside, and the list has the key
 * once that is over.
 */
export class HotKeys {
  readonly #paths: KeyPaths;
  readonly #provider: CryptoProvider;
  readonly #password: string | null;
  readonly #events: KeyEvents;
  readonly #files: Map<string, UnlockedFile>;
  /** Stamps of files that are being decrypted, by their paths. */
  readonly #unlocking = new Map<string, string>();

  constructor(paths: KeyPaths, provider: CryptoProvider, unlocked: UnlockedKeys, events: KeyEvents) {
    this.#paths = paths;
    this.#provider = provider;
    this.#password = unlocked.password;
    this.#files = new Map(unlocked.files.map((file) => [file.path, file]));
    this.#events = events;
  }

  /** Those that can sign now, the one in use first. Begins to decrypt what is new. */
  readonly list = (): HeldKey[] => {
    this.look();
    return this.held();
  };

  /** Begins to decrypt what is new; costs two questions to the file system where nothing is. */
  look(): void {
    for (const path of pathsOf(this.#paths)) {
      const stamp = stampOf(path);
      if (stamp === absent || stamp === this.#files.get(path)?.stamp || stamp === this.#unlocking.get(path)) continue;
      this.#unlocking.set(path, stamp);
      this.#take(path, stamp).then(
        () => this.#events.onUnlocked(),
        (error: unknown) => {
          this.#files.set(path, { path, stamp, key: null });
          this.#events.onFailed(error);
        },
      );
    }
  }

  /**
   * Reads all of them again.
   *
   * @returns those that can sign now, the one in use first
   * @throws what {@link unlockHotKeys} throws: the list stays as it was
   */
  async reread(): Promise<HeldKey[]> {
    const present = pathsOf(this.#paths).filter((path) => path === this.#paths.signerKey || existsSync(path));
    const files = await Promise.all(present.map((path) => this.#unlocked(path, stampOf(path))));
    this.#files.clear();
    for (const file of files) this.#files.set(file.path, file);
    return this.held();
  }

  /** Those that were decrypted. */
  held(): HeldKey[] {
    return pathsOf(this.#paths).flatMap((path) => {
      const key = this.#files.get(path)?.key ?? null;
      return key === null ? [] : [this.#signing(key)];
    });
  }

  #signing({ address, publicKey, privateKey }: KeyPair): HeldKey {
    return { address, publicKey, sign: (digest) => this.#provider.sign(digest, privateKey) };
  }

  async #take(path: string, stamp: string): Promise<void> {
    try {
      this.#files.set(path, await this.#unlocked(path, stamp));
    } finally {
      this.#unlocking.delete(path);
    }
  }

  async #unlocked(path: string, stamp: string): Promise<UnlockedFile> {
    const keystore = readSignerKey(path);
    // A key that takes the place of the one before it is known already.
    const known = [...this.#files.values()].find(({ key }) => key !== null && key.address === keystore.address);
    if (known !== undefined) return { path, stamp, key: known.key };
    assert(this.#password !== null, 'keys of this home are decrypted with its password');
    return { path, stamp, key: await unlockKeystore(this.#provider, keystore, this.#password) };
  }
}

const absent = '';

function stampOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join('/');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}

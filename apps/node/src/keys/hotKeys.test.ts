import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  formatKeystore,
  homePaths,
  type HomePaths,
  type KeyKind,
  type KeyPair,
  keyPair,
  scryptCosts,
} from '@prime/config';
import { createCryptoProvider } from '@prime/crypto';
import { HotKeys, type UnlockedKeys, unlockHotKeys } from './hotKeys.ts';

const provider = await createCryptoProvider();
const [first, second] = [0x51, 0x52].map((fill) => keyPair(provider, new Uint8Array(32).fill(fill))) as [
  KeyPair,
  KeyPair,
];
const sources = { environment: { PRIME_KEY_PASSWORD: 'secret' }, ask: null };
let byte = 0;
const put = (path: string, key: KeyPair, password = 'secret', kind: KeyKind = 'signer'): void => {
  byte += 1;
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(byte);
  // As it is done: the file appears as a whole.
  writeFileSync(`${path}.tmp`, formatKeystore(kind, key, password, { cost: scryptCosts.light, randomBytes }));
  renameSync(`${path}.tmp`, path);
};

let home: HomePaths;
beforeEach(() => {
  home = homePaths(mkdtempSync(join(tmpdir(), 'prime-hot-')));
  mkdirSync(home.keys);
  put(home.signerKey, first);
});
afterEach(() => rmSync(home.home, { recursive: true, force: true }));

/** What the next event says. */
function open(unlocked: UnlockedKeys) {
  let heard: (event: unknown) => void = () => undefined;
  const next = (): Promise<unknown> => new Promise((resolve) => (heard = resolve));
  const keys = new HotKeys(home, provider, unlocked, {
    onUnlocked: () => heard('unlocked'),
    onFailed: (error) => heard(error),
  });
  const addresses = (): string[] => keys.list().map(({ address }) => address);
  return { keys, next, addresses };
}

describe('the hot keys of a home', () => {
  it('are decrypted once; a new one is there when it was decrypted, and takes the place of the first', async () => {
    const { keys, next, addresses } = open(await unlockHotKeys(home, provider, sources));
    expect(addresses()).toEqual([first.address]);
    put(home.nextSignerKey, second);
    const unlocked = next();
    expect(addresses()).toEqual([first.address]);
    expect(await unlocked).toBe('unlocked');
    expect(addresses()).toEqual([first.address, second.address]);
    const digest = new Uint8Array(32).fill(9);
    expect(keys.list()[1]!.sign(digest)).toEqual(provider.sign(digest, second.privateKey));
    // It is known: nothing has to be decrypted for it.
    const moved = next();
    renameSync(home.nextSignerKey, home.signerKey);
    keys.look();
    expect(await moved).toBe('unlocked');
    expect(keys.held()[0]!.address).toBe(second.address);
  });

  it('one under another password, or of an owner, is told and left out; replaced by a good one it counts', async () => {
    const { next, addresses } = open(await unlockHotKeys(home, provider, sources));
    for (const [password, kind, code] of [
      ['other', 'signer', 'CONFIG_KEY_PASSWORD_WRONG'],
      ['secret', 'owner', 'CONFIG_KEY_FILE_INVALID'],
    ] as const) {
      put(home.nextSignerKey, second, password, kind);
      const failed = next();
      addresses();
      expect(await failed).toMatchObject({ code });
      // It is not tried again and again.
      expect(addresses()).toEqual([first.address]);
    }
    put(home.nextSignerKey, second);
    const unlocked = next();
    addresses();
    expect(await unlocked).toBe('unlocked');
    expect(addresses()).toHaveLength(2);
  });

  it('read again as a whole: what can not be read leaves the list as it was', async () => {
    const { keys, addresses } = open(await unlockHotKeys(home, provider, sources));
    put(home.nextSignerKey, second, 'other');
    await expect(keys.reread()).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_WRONG' });
    expect(keys.held().map(({ address }) => address)).toEqual([first.address]);
    put(home.nextSignerKey, second);
    expect((await keys.reread()).map(({ address }) => address)).toEqual([first.address, second.address]);
    expect(addresses()).toEqual([first.address, second.address]);
  });

  it('nobody is asked for the password of a file that is no keystore', async () => {
    writeFileSync(home.signerKey, '{"format": "prime-key-1"}');
    let asked = 0;
    const ask = async (): Promise<string> => `${(asked += 1)}`;
    await expect(unlockHotKeys(home, provider, { environment: {}, ask })).rejects.toMatchObject({
      code: 'CONFIG_KEY_FILE_PLAIN',
    });
    expect(asked).toBe(0);
  });
});

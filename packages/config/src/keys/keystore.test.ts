import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { bytesToHex, createPrng, hexToBytes } from '@prime/primitives';
import type { ConfigError } from '../errors.ts';
import { generateKeyPair, keyPair, type RandomBytes } from './keys.ts';
import {
  formatKeystore,
  isLightKdf,
  parseKeystore,
  parsePlainKeyFile,
  requireKind,
  scryptCosts,
  unlockKeystore,
} from './keystore.ts';
import { formatUnlockedAccounts, parseUnlockedAccounts } from './unlockedAccounts.ts';

const provider = await createCryptoProvider();
const vectors = JSON.parse(readFileSync(new URL('../../testdata/keystore.json', import.meta.url), 'utf8')) as {
  readonly password: string;
  readonly privateKey: string;
  readonly address: string;
  readonly keystores: Readonly<Record<string, object>>;
};

/** A parsed file on its way to being broken. */
// oxlint-disable-next-line typescript/no-explicit-any -- the cases below reach into arbitrary places of it
type Loose = Record<string, any>;

function seededBytes(seed: number): RandomBytes {
  const prng = createPrng(seed);
  return (length) => Uint8Array.from({ length }, () => prng.below(256));
}

const pair = generateKeyPair(provider, seededBytes(9));
const password = 'pä$$wörd with spaces 🔑';
const path = 'keys/signer.json';
const text = formatKeystore('signer', pair, password, { cost: scryptCosts.light, randomBytes: seededBytes(10) });
const changed = (change: (file: Loose) => void): string => {
  const file = JSON.parse(text) as Loose;
  change(file);
  return JSON.stringify(file);
};

describe('keystores of the specification', () => {
  it.each(Object.keys(vectors.keystores))('%s: opens to the published key', async (name) => {
    const keystore = parseKeystore(JSON.stringify(vectors.keystores[name]), name);
    expect(keystore).toMatchObject({ address: null, kind: null, publicKey: null });
    const { privateKey, address } = await unlockKeystore(provider, keystore, vectors.password);
    expect([bytesToHex(privateKey), address]).toEqual([vectors.privateKey, vectors.address]);
  });
});

describe('keystores', () => {
  it('hold what was put in, under any password, and say whose they are without it', async () => {
    const keystore = parseKeystore(text, path);
    expect(keystore).toMatchObject({ address: pair.address, kind: 'signer', publicKey: pair.publicKey });
    expect(await unlockKeystore(provider, keystore, password)).toEqual(pair);
    expect(text).not.toContain(bytesToHex(pair.privateKey).slice(2));
  });

  it('with the capital letter of ethers, and an address with 0x', async () => {
    const theirs = changed((file) => {
      file['Crypto'] = file['crypto'];
      file['address'] = pair.address;
      for (const name of ['crypto', 'x-prime']) delete file[name];
    });
    expect(await unlockKeystore(provider, parseKeystore(theirs, path), password)).toEqual(pair);
  });

  it.each(['', password.slice(1), `${password} `, password.normalize('NFD')])(
    '%j is another password',
    async (other) => {
      await expect(unlockKeystore(provider, parseKeystore(text, path), other)).rejects.toMatchObject({
        code: 'CONFIG_KEY_PASSWORD_WRONG',
        detail: { path },
      });
    },
  );

  it('the layout is that of the specification: integers, hex without 0x, an id of version 4', () => {
    const { crypto, id, address, version } = JSON.parse(text) as Loose;
    expect([version, address]).toEqual([3, pair.address.slice(2)]);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(crypto).toEqual({
      cipher: 'aes-128-ctr',
      cipherparams: { iv: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ciphertext: expect.stringMatching(/^[0-9a-f]{64}$/),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: 4096, r: 8, p: 1, salt: expect.stringMatching(/^[0-9a-f]{64}$/) },
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('a key with zeros in front stays one of 32 bytes', async () => {
    const small = keyPair(provider, hexToBytes(`0x${'00'.repeat(31)}01`));
    const written = formatKeystore('owner', small, 'x', { cost: scryptCosts.light, randomBytes: seededBytes(11) });
    expect(await unlockKeystore(provider, parseKeystore(written, path), 'x')).toEqual(small);
  });

  it.each<[string, (file: Loose) => void, string]>([
    ['a version of its own', (file) => void (file['version'] = 4), 'version to be 3'],
    ['no crypto', (file) => void delete file['crypto'], 'crypto to be an object'],
    ['another cipher', (file) => void (file['crypto'].cipher = 'aes-128-cbc'), '"aes-128-ctr"'],
    ['a short iv', (file) => void (file['crypto'].cipherparams.iv = '00'.repeat(15)), '16 bytes in hex'],
    ['a long ciphertext', (file) => void (file['crypto'].ciphertext = '00'.repeat(33)), '32 bytes in hex'],
    ['a mac with 0x', (file) => void (file['crypto'].mac = `0x${'0'.repeat(62)}`), 'without 0x'],
    ['another kdf', (file) => void (file['crypto'].kdf = 'argon2id'), '"scrypt" or "pbkdf2"'],
    ['parameters of another kdf', (file) => void (file['crypto'].kdf = 'pbkdf2'), 'crypto.kdfparams.c'],
    ['no salt', (file) => void delete file['crypto'].kdfparams.salt, 'crypto.kdfparams.salt'],
    ['a dklen of 31', (file) => void (file['crypto'].kdfparams.dklen = 31), 'a whole number from 32 to 64'],
    ['a dklen of 65', (file) => void (file['crypto'].kdfparams.dklen = 65), 'a whole number from 32 to 64'],
    ['an n that is no power of two', (file) => void (file['crypto'].kdfparams.n = 4095), 'a power of two'],
    ['an n of 1', (file) => void (file['crypto'].kdfparams.n = 1), 'a power of two'],
    ['an n with a fraction', (file) => void (file['crypto'].kdfparams.n = 4096.5), 'a power of two'],
    ['an n as text', (file) => void (file['crypto'].kdfparams.n = '4096'), 'a power of two'],
    ['an r of 0', (file) => void (file['crypto'].kdfparams.r = 0), 'a whole number from 1 to 1024'],
    ['more memory than 1 GiB', (file) => void (file['crypto'].kdfparams.n = 1 << 21), '128 · n · r of at most'],
    [
      'more work than allowed',
      (file) => void Object.assign(file['crypto'].kdfparams, { n: 1 << 18, r: 8, p: 9 }),
      'n · r · p of at most',
    ],
    ['an unknown kind', (file) => void (file['x-prime'].kind = 'validator'), '"owner" or "signer"'],
    ['a public key that is none', (file) => void (file['x-prime'].publicKey = '0x04'), 'a compressed public key'],
    ['an address that is none', (file) => void (file['address'] = '12'), '40 hex digits'],
  ])('%s is refused with what is allowed: CONFIG_KEY_FILE_INVALID', (_, change, allowed) => {
    expect(() => parseKeystore(changed(change), path)).toThrow(
      expect.objectContaining({ code: 'CONFIG_KEY_FILE_INVALID', message: expect.stringContaining(allowed) }),
    );
  });

  it.each(['', '{', 'null', '[]', '"x"', text.slice(0, -5)])('%j is refused, and not shown', (broken) => {
    expect(() => parseKeystore(broken, path)).toThrow(
      expect.objectContaining({ code: 'CONFIG_KEY_FILE_INVALID', detail: expect.objectContaining({ path }) }),
    );
  });

  it('the largest memory and work that are allowed are', () => {
    for (const numbers of [
      { n: 1 << 20, r: 8, p: 2 },
      { n: 1 << 18, r: 8, p: 8 },
    ])
      expect(
        parseKeystore(
          changed((file) => void Object.assign(file['crypto'].kdfparams, numbers)),
          path,
        ),
      ).toMatchObject({ kdf: numbers });
  });

  it('an altered mac, ciphertext, salt or iv', async () => {
    const flipped = (hex: string): string => `${hex[0] === '0' ? '1' : '0'}${hex.slice(1)}`;
    for (const change of [
      (file: Loose): void => void (file['crypto'].mac = flipped(file['crypto'].mac)),
      (file: Loose): void => void (file['crypto'].ciphertext = flipped(file['crypto'].ciphertext)),
      (file: Loose): void => void (file['crypto'].kdfparams.salt = flipped(file['crypto'].kdfparams.salt)),
      (file: Loose): void => void (file['crypto'].kdfparams.n *= 2),
    ])
      await expect(unlockKeystore(provider, parseKeystore(changed(change), path), password)).rejects.toMatchObject({
        code: 'CONFIG_KEY_PASSWORD_WRONG',
      });
    // No mac covers it: what comes out is another key, and the file says whose it should be.
    const iv = changed((file) => void (file['crypto'].cipherparams.iv = flipped(file['crypto'].cipherparams.iv)));
    await expect(unlockKeystore(provider, parseKeystore(iv, path), password)).rejects.toMatchObject({
      code: 'CONFIG_KEY_FILE_INVALID',
    });
  });

  it('an address or a public key of somebody else', async () => {
    const other = generateKeyPair(provider, seededBytes(12));
    for (const change of [
      (file: Loose): void => void (file['address'] = other.address.slice(2)),
      (file: Loose): void => void (file['x-prime'].publicKey = bytesToHex(other.publicKey)),
    ])
      await expect(unlockKeystore(provider, parseKeystore(changed(change), path), password)).rejects.toMatchObject({
        code: 'CONFIG_KEY_FILE_INVALID',
        message: expect.stringContaining(pair.address),
      });
  });

  it('the key of an owner is none of a signer; what does not say is both', () => {
    expect(() => requireKind(parseKeystore(text, path), 'owner')).toThrow(
      expect.objectContaining({ code: 'CONFIG_KEY_FILE_INVALID' }),
    );
    const foreign = parseKeystore(
      changed((file) => void delete file['x-prime']),
      path,
    );
    for (const kind of ['owner', 'signer'] as const) expect(() => requireKind(foreign, kind)).not.toThrow();
  });

  it('light is what costs less than the standard of geth', () => {
    const kdfOf = (numbers: object) =>
      parseKeystore(
        changed((file) => void Object.assign(file['crypto'].kdfparams, numbers)),
        path,
      ).kdf;
    expect(
      [scryptCosts.light, scryptCosts.standard, { n: 1 << 17, r: 8, p: 1 }, { n: 1 << 18, r: 1, p: 8 }].map((cost) =>
        isLightKdf(kdfOf(cost)),
      ),
    ).toEqual([true, false, true, false]);
  });
});

describe('key files of older versions', () => {
  const plain = JSON.stringify({
    format: 'prime-key-1',
    kind: 'signer',
    address: pair.address,
    privateKey: bytesToHex(pair.privateKey),
  });

  it('are refused with the command that converts them, and not shown', () => {
    expect(() => parseKeystore(plain, path)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_KEY_FILE_PLAIN',
        message: expect.stringMatching(/prime key import keys\/signer\.json$/),
      }),
    );
  });

  it('are read by that command; what is none is null', () => {
    expect(parsePlainKeyFile(provider, plain, path)).toEqual({ kind: 'signer', key: pair });
    for (const other of [text, '0x00', '{}']) expect(parsePlainKeyFile(provider, other, path)).toBeNull();
  });

  it.each([
    ['kind', 'validator'],
    ['privateKey', '0x12'],
    ['privateKey', `0x${'f'.repeat(64)}`],
    ['address', `0x${'0'.repeat(40)}`],
  ])('%s %s is refused, and no message shows the key', (field, value) => {
    try {
      parsePlainKeyFile(provider, JSON.stringify({ ...(JSON.parse(plain) as object), [field]: value }), path);
    } catch (error) {
      expect(error).toMatchObject({ code: 'CONFIG_KEY_FILE_INVALID' });
      expect((error as ConfigError).message).not.toContain(bytesToHex(pair.privateKey).slice(2, 20));
      return;
    }
    throw new Error('it was taken');
  });
});

describe('accounts that a node signs for', () => {
  const accounts = formatUnlockedAccounts([pair]);
  it('come back as they were', () => expect(parseUnlockedAccounts(provider, accounts, path)).toEqual([pair]));

  it.each([
    accounts.replace('prime-unlocked-1', 'prime-unlocked-9'),
    accounts.replace(pair.address, `0x${'0'.repeat(40)}`),
    accounts.replace(/"0x[0-9a-f]{64}"/, `"0x${'f'.repeat(64)}"`),
    '{"format": "prime-unlocked-1", "accounts": [null]}',
    '{"format": "prime-unlocked-1"}',
  ])('%# is refused', (broken) => {
    expect(() => parseUnlockedAccounts(provider, broken, path)).toThrow(
      expect.objectContaining({ code: 'CONFIG_KEY_FILE_INVALID' }),
    );
  });
});

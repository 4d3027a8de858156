import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { homePaths, type KeyPair, ownerKeyPath, parseKeystore } from '@prime/config';
import { runNode } from '@prime/node';
import { bytesToHex } from '@prime/primitives';
import { keyOf } from '../../testing/keyOf.ts';
import { usePrime } from '../../testing/usePrime.ts';

const { folder, printed, prime, home } = usePrime(1);
const inFolder = (name: string): string => join(folder(), name);
const modeOf = (path: string): number => statSync(path).mode & 0o777;

beforeEach(() => {
  process.env['PRIME_OWNER_PASSWORD'] = 'of the owner';
  process.env['PRIME_KEY_PASSWORD'] = 'of the node';
});
afterEach(() => {
  delete process.env['PRIME_OWNER_PASSWORD'];
  delete process.env['PRIME_KEY_PASSWORD'];
});

/** As versions before keystores wrote it. */
const plain = (kind: string, { address, privateKey }: KeyPair): string =>
  JSON.stringify({ format: 'prime-key-1', kind, address, privateKey: bytesToHex(privateKey) });

describe('prime key', () => {
  it('new: a keystore that only this user reads, and never over another file', async () => {
    const out = inFolder('new/key.json');
    await prime('key', 'new', '--out', out, '--light', '--json');
    const { address, kind } = JSON.parse(printed[0]!) as { address: string; kind: string };
    expect([kind, modeOf(out), modeOf(dirname(out))]).toEqual(['owner', 0o600, 0o700]);
    expect((await keyOf(out, 'owner')).address).toBe(address);
    const before = readFileSync(out, 'utf8');
    await expect(prime('key', 'new', '--out', out, '--light')).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
    expect(readFileSync(out, 'utf8')).toBe(before);
  });

  it('new without --light costs as much as with geth; --generate-password draws one beside it', async () => {
    await prime('key', 'new', '--out', inFolder('a.json'), '--kind', 'signer');
    expect(parseKeystore(readFileSync(inFolder('a.json'), 'utf8'), 'a').kdf).toMatchObject({ n: 262_144, r: 8, p: 1 });
    delete process.env['PRIME_OWNER_PASSWORD'];
    await expect(prime('key', 'new', '--out', inFolder('b.json'))).rejects.toMatchObject({
      code: 'CONFIG_KEY_PASSWORD_MISSING',
    });
    expect(existsSync(inFolder('b.json'))).toBe(false);
    await prime('key', 'new', '--out', inFolder('b/b.json'), '--generate-password');
    expect(modeOf(inFolder('b/password'))).toBe(0o600);
    expect(readFileSync(inFolder('b/password'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    await keyOf(inFolder('b/b.json'), 'owner');
  });

  it('inspect: all but the private key, and nothing is asked for', async () => {
    delete process.env['PRIME_KEY_PASSWORD'];
    const { signerKey, keyPassword } = homePaths(home(0));
    const { address, publicKey } = await keyOf(signerKey, 'signer');
    await rm(keyPassword);
    await prime('key', 'inspect', signerKey, '--json');
    expect(JSON.parse(printed[0]!)).toEqual({
      address,
      publicKey: bytesToHex(publicKey),
      kind: 'signer',
      kdf: { name: 'scrypt', dklen: 32, n: 4096, r: 8, p: 1 },
      light: true,
      private: true,
    });
    await chmod(signerKey, 0o640);
    printed.length = 0;
    await prime('key', 'inspect', signerKey);
    expect(printed.join('\n')).toMatch(/kdf +scrypt, n 4096, r 8, p 1 \(light\)\nothers may read or write it/);
  });

  it('export asks, and writes to a file of this user alone; what it wrote is imported again', async () => {
    await prime('key', 'new', '--out', inFolder('key.json'), '--light');
    await expect(prime('key', 'export', inFolder('key.json'), '--out', inFolder('key.hex'))).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--yes' },
    });
    expect(existsSync(inFolder('key.hex'))).toBe(false);
    await prime('key', 'export', inFolder('key.json'), '--out', inFolder('key.hex'), '--yes');
    const { privateKey, address } = await keyOf(inFolder('key.json'), 'owner');
    expect(readFileSync(inFolder('key.hex'), 'utf8')).toBe(`${bytesToHex(privateKey)}\n`);
    expect(modeOf(inFolder('key.hex'))).toBe(0o600);
    const out = ['--out', inFolder('again.json'), '--light'];
    await expect(prime('key', 'import', inFolder('key.hex'), ...out)).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--kind' },
    });
    await prime('key', 'import', inFolder('key.hex'), '--kind', 'owner', ...out, '--remove');
    expect((await keyOf(inFolder('again.json'), 'owner')).address).toBe(address);
    expect(existsSync(inFolder('key.hex'))).toBe(false);
  });

  it('import gives a keystore another password, in place', async () => {
    await prime('key', 'new', '--out', inFolder('key.json'), '--light');
    const { address } = await keyOf(inFolder('key.json'), 'owner');
    await writeFile(inFolder('old'), 'of the owner', { mode: 0o600 });
    await writeFile(inFolder('new'), 'another one', { mode: 0o600 });
    const change = (from: string): Promise<void> =>
      prime(
        'key',
        'import',
        inFolder('key.json'),
        '--from-password-file',
        inFolder(from),
        '--password-file',
        inFolder('new'),
        '--light',
      );
    await expect(change('new')).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_WRONG' });
    await change('old');
    await expect(keyOf(inFolder('key.json'), 'owner')).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_WRONG' });
    process.env['PRIME_OWNER_PASSWORD'] = 'another one';
    expect((await keyOf(inFolder('key.json'), 'owner')).address).toBe(address);
  });

  it.each(['', 'hello', '0x12', 'f'.repeat(64), '0'.repeat(64), '{}'])(
    '%j is no key that can be imported',
    async (text) => {
      await writeFile(inFolder('given'), text);
      await expect(prime('key', 'import', inFolder('given'), '--kind', 'owner')).rejects.toMatchObject({
        code: expect.stringMatching(/^(CLI_USAGE|CONFIG_KEY_FILE_INVALID)$/),
        message: expect.not.stringContaining('ffff'),
      });
      expect(readFileSync(inFolder('given'), 'utf8')).toBe(text);
    },
  );
});

describe('a home of an older version', () => {
  it('starts after the commands that it names, each as it stands in the message', async () => {
    delete process.env['PRIME_KEY_PASSWORD'];
    delete process.env['PRIME_OWNER_PASSWORD'];
    const paths = homePaths(home(0));
    const [signer, owner] = [await keyOf(paths.signerKey, 'signer'), await keyOf(ownerKeyPath(home(0)), 'owner')];
    await rename(dirname(ownerKeyPath(home(0))), inFolder('gone'));
    await writeFile(paths.signerKey, plain('signer', signer), { mode: 0o600 });
    await writeFile(paths.ownerKeyInside, plain('owner', owner), { mode: 0o600 });
    // A damaged state, so that it gets no further than that.
    await mkdir(paths.state);
    await writeFile(join(paths.state, 'CURRENT'), 'MANIFEST-000001\n');
    await writeFile(join(paths.state, 'MANIFEST-000001'), new Uint8Array(100).fill(0x5a));
    const environment = { PRIME_LOG_LEVEL: 'error' };
    const starting = (): Promise<unknown> =>
      runNode({ home: home(0), flags: {}, environment, passwords: { ask: null } }).catch((error: unknown) => error);
    for (const code of ['CONFIG_OWNER_KEY_IN_HOME', 'CONFIG_KEY_FILE_PLAIN']) {
      const refusal = (await starting()) as { readonly code: string; readonly message: string };
      expect(refusal.code).toBe(code);
      const [, command] = / prime (key import .*)$/.exec(refusal.message)!;
      // The key of an owner gets a password of its own.
      await prime(
        ...command!.split(' '),
        ...(code === 'CONFIG_OWNER_KEY_IN_HOME' ? ['--generate-password'] : ['--light']),
      );
    }
    jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    expect(await starting()).toBe(78);
    expect((await keyOf(paths.signerKey, 'signer')).address).toBe(signer.address);
    expect((await keyOf(ownerKeyPath(home(0)), 'owner')).address).toBe(owner.address);
    expect(existsSync(paths.ownerKeyInside)).toBe(false);
  });
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findPassword, newPassword, type PasswordSources } from './passwords.ts';

let folder: string;
let keystore: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-password-'));
  keystore = join(folder, 'signer.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const find = (sources: Partial<PasswordSources> = {}, kind: 'signer' | 'owner' = 'signer'): Promise<string> =>
  findPassword(keystore, kind, { environment: {}, ask: null, ...sources });

describe('the password of a keystore', () => {
  it('what was named counts first, then the environment, systemd, the file beside it, and the terminal', async () => {
    const ask = async (): Promise<string> => 'typed';
    expect(await find({ ask })).toBe('typed');
    write('password', 'beside\n');
    expect(await find({ ask })).toBe('beside');
    const credentials = mkdtempSync(join(folder, 'credentials-'));
    writeFileSync(join(credentials, 'key-password'), 'of systemd');
    chmodSync(join(credentials, 'key-password'), 0o444);
    const environment: Record<string, string> = { CREDENTIALS_DIRECTORY: credentials };
    expect(await find({ ask, environment })).toBe('of systemd');
    environment['PRIME_KEY_PASSWORD_FILE'] = write('named', 'in a file of the environment\r\n');
    expect(await find({ ask, environment })).toBe('in a file of the environment');
    environment['PRIME_KEY_PASSWORD'] = 'in the environment';
    expect(await find({ ask, environment })).toBe('in the environment');
    expect(await find({ ask, environment, file: write('option', ' with spaces \n') })).toBe(' with spaces ');
  });

  it('of an owner comes from other variables and another credential', async () => {
    const environment = { PRIME_KEY_PASSWORD: 'hot', PRIME_OWNER_PASSWORD: 'cold' };
    expect([await find({ environment }), await find({ environment }, 'owner')]).toEqual(['hot', 'cold']);
    writeFileSync(join(folder, 'owner-password'), 'of systemd');
    expect(await find({ environment: { CREDENTIALS_DIRECTORY: folder } }, 'owner')).toBe('of systemd');
  });

  it('nowhere: CONFIG_KEY_PASSWORD_MISSING with all that is allowed', async () => {
    await expect(find()).rejects.toMatchObject({
      code: 'CONFIG_KEY_PASSWORD_MISSING',
      detail: { path: keystore },
      message: expect.stringMatching(/--password-file.*PRIME_KEY_PASSWORD.*systemd.*0600.*terminal/),
    });
  });

  it.each(['', '\n', 'two\nlines', 'x'.repeat(1025)])('%j is none: CONFIG_KEY_PASSWORD_INVALID', async (text) => {
    await expect(find({ file: write('named', text) })).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_INVALID' });
    await expect(find({ ask: async () => text })).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_INVALID' });
  });

  it('1 and 1024 characters are', async () => {
    for (const text of ['x', 'x'.repeat(1024)])
      expect(await find({ environment: { PRIME_KEY_PASSWORD: text } })).toBe(text);
  });

  it('a file that others may read is refused; a group may where the file was named', async () => {
    const open = { code: 'CONFIG_KEY_FILE_OPEN' };
    for (const mode of [0o604, 0o640, 0o660]) {
      write('password', 'x', mode);
      await expect(find()).rejects.toMatchObject(open);
    }
    for (const mode of [0o604, 0o620])
      await expect(find({ file: write('named', 'x', mode) })).rejects.toMatchObject(open);
    expect(await find({ file: write('named', 'x', 0o440) })).toBe('x');
  });

  it('a file that is not there: CONFIG_HOME_UNREADABLE, and no other source is taken', async () => {
    write('password', 'beside');
    await expect(find({ file: join(folder, 'none') })).rejects.toMatchObject({ code: 'CONFIG_HOME_UNREADABLE' });
  });

  it('a new one that is typed has to be the same twice', async () => {
    const typing = (...answers: string[]): PasswordSources => ({ environment: {}, ask: async () => answers.shift()! });
    expect(await newPassword(keystore, 'signer', typing('a', 'a'))).toBe('a');
    await expect(newPassword(keystore, 'signer', typing('a', 'b'))).rejects.toMatchObject({
      code: 'CONFIG_KEY_PASSWORD_INVALID',
      message: expect.stringContaining('the same both times'),
    });
    await expect(newPassword(keystore, 'signer', { environment: {}, ask: null })).rejects.toMatchObject({
      code: 'CONFIG_KEY_PASSWORD_MISSING',
    });
  });
});

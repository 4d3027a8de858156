import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestnet, defaultPlace, formatGenesis, homePaths } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { toTimestampMs } from '@prime/primitives';
import { exitCode, exitCodeOf } from './exitCodes.ts';
import { runNode } from './node.ts';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-home-'));
  home = join(folder, 'validator0');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (environment: Readonly<Record<string, string>> = {}, flags = {}): Promise<number> =>
  runNode({ home, flags, environment, passwords: { ask: null } });

/** Genesis and an empty config.toml: as much of a home as is read before anything starts. */
async function writeHome(testNetwork: boolean): Promise<void> {
  const { genesis, files } = createTestnet({
    preset: 'local',
    timestampMs: toTimestampMs(1_700_000_000_000),
    places: [defaultPlace(0)],
    tls: [{ certificatePem: '', privateKeyPem: '', spki: `0x${'0'.repeat(64)}` }],
    randomBytes: (length) => new Uint8Array(length).fill(7),
    provider: await cryptoProvider(),
  });
  const paths = homePaths(home);
  for (const { path, text, mode } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, text, { mode });
  }
  await writeFile(paths.config, '');
  await writeFile(paths.genesis, formatGenesis({ ...genesis, testNetwork }));
}

describe('a home that a node does not start from', () => {
  /** Refused before anything was started: nothing is locked, and no process is named. */
  async function expectRefused(starting: Promise<number>, refusal: object): Promise<void> {
    await expect(starting).rejects.toMatchObject(refusal);
    const { lock, pid } = homePaths(home);
    expect([existsSync(lock), existsSync(pid)]).toEqual([false, false]);
  }

  it('an empty folder: CONFIG_HOME_UNREADABLE names the file that is missing', async () => {
    await expectRefused(start(), {
      code: 'CONFIG_HOME_UNREADABLE',
      detail: { path: homePaths(home).config },
      cause: { code: 'ENOENT' },
    });
  });

  it('a flag that is no key: CONFIG_UNKNOWN_KEY', async () => {
    await writeHome(true);
    await expectRefused(start({}, { 'node.rolle': 'full' }), { code: 'CONFIG_UNKNOWN_KEY' });
  });

  it('a switch of tests on a network that is none: CONFIG_TEST_SWITCH_REFUSED', async () => {
    await writeHome(false);
    await expectRefused(start({ PRIME_CLOCK_OFFSET_MS: '500' }), {
      code: 'CONFIG_TEST_SWITCH_REFUSED',
      detail: { variable: 'PRIME_CLOCK_OFFSET_MS' },
    });
  });

  it('a switch of tests with a value that it does not take: CONFIG_TEST_SWITCH_REFUSED', async () => {
    await writeHome(true);
    for (const environment of [
      { PRIME_CLOCK_OFFSET_MS: 'soon' },
      { PRIME_CRASH_AT: '0' },
      { PRIME_DIVERGE_AT: '-1' },
      { PRIME_THREAD_FAULT: 'evm' },
      { PRIME_THREAD_FAULT: 'nobody:hang' },
      { PRIME_THREAD_FAULT: 'evm:sing' },
    ])
      await expectRefused(start(environment), { code: 'CONFIG_TEST_SWITCH_REFUSED' });
  });
});

describe('key files', () => {
  it.each(['signerKey', 'tlsKey', 'tlsCertificate'] as const)('%s is missing: 64 with its name', async (name) => {
    await writeHome(true);
    const path = homePaths(home)[name];
    await rm(path);
    await expect(start()).rejects.toMatchObject({ code: 'CONFIG_HOME_UNREADABLE', detail: { path } });
    expect(exitCodeOf('CONFIG_HOME_UNREADABLE')).toBe(exitCode.usage);
  });

  it.each(['signerKey', 'nextSignerKey', 'keyPassword', 'tlsKey', 'ownerKeyInside', 'unlockedAccounts'] as const)(
    '%s that others may read or write: 64 with its mode, and what to type',
    async (name) => {
      await writeHome(true);
      const path = homePaths(home)[name];
      await writeFile(path, '{}', { flag: 'a' });
      for (const mode of [0o640, 0o604, 0o620, 0o602]) {
        await chmod(path, mode);
        const shown = `0${mode.toString(8)}`;
        const starting = start();
        await expect(starting).rejects.toMatchObject({ code: 'CONFIG_KEY_FILE_OPEN', detail: { path, mode: shown } });
        await expect(starting).rejects.toThrow(`chmod 600 ${path}`);
      }
    },
  );
});

describe('keystores', () => {
  it('a folder of keys that others may look into: 64 with what to type', async () => {
    await writeHome(true);
    const { keys } = homePaths(home);
    for (const mode of [0o750, 0o705, 0o755]) {
      await chmod(keys, mode);
      await expect(start()).rejects.toMatchObject({ code: 'CONFIG_KEY_FILE_OPEN', detail: { path: keys } });
      await expect(start()).rejects.toThrow(`chmod 700 ${keys}`);
    }
  });

  it('the key of the owner among them: 64 with the command that moves it', async () => {
    await writeHome(true);
    const { ownerKeyInside } = homePaths(home);
    await writeFile(ownerKeyInside, '{}', { mode: 0o600 });
    await expect(start()).rejects.toMatchObject({ code: 'CONFIG_OWNER_KEY_IN_HOME', detail: { path: ownerKeyInside } });
    await expect(start()).rejects.toThrow(
      `prime key import ${ownerKeyInside} --out ${join(folder, 'owners', 'validator0.json')} --remove`,
    );
  });

  it('a key file of an older version: 64 with the command that converts it', async () => {
    await writeHome(true);
    const { signerKey } = homePaths(home);
    await writeFile(signerKey, '{"format": "prime-key-1"}');
    await expect(start()).rejects.toMatchObject({ code: 'CONFIG_KEY_FILE_PLAIN', detail: { path: signerKey } });
    await expect(start()).rejects.toThrow(`prime key import ${signerKey}`);
  });

  it('another password, or none: 64, and nothing is started', async () => {
    await writeHome(true);
    const { keyPassword, signerKey } = homePaths(home);
    await expect(start({ PRIME_KEY_PASSWORD: 'another' })).rejects.toMatchObject({
      code: 'CONFIG_KEY_PASSWORD_WRONG',
      detail: { path: signerKey },
    });
    await rm(keyPassword);
    await expect(start()).rejects.toMatchObject({ code: 'CONFIG_KEY_PASSWORD_MISSING' });
    const { lock, pid } = homePaths(home);
    expect([existsSync(lock), existsSync(pid)]).toEqual([false, false]);
  });
});

describe('a database that is damaged', () => {
  it.each(['state', 'blocks'] as const)('%s: refused with 78 before anything runs', async (name) => {
    await writeHome(true);
    const folder = homePaths(home)[name];
    await mkdir(folder);
    await writeFile(join(folder, 'CURRENT'), 'MANIFEST-000001\n');
    await writeFile(join(folder, 'MANIFEST-000001'), new Uint8Array(100).fill(0x5a));
    expect(await start({ PRIME_LOG_LEVEL: 'error' })).toBe(exitCode.corruptStore);
    await rm(join(folder, 'MANIFEST-000001'));
    expect(await start({ PRIME_LOG_LEVEL: 'error' })).toBe(exitCode.corruptStore);
    const { lock, pid } = homePaths(home);
    expect([existsSync(lock), existsSync(pid)]).toEqual([false, false]);
  });
});

describe('exitCodeOf', () => {
  it('tells operators what kind of failure it was', () => {
    expect(exitCodeOf('CONFIG_SYNTAX')).toBe(exitCode.usage);
    expect(exitCodeOf('CLI_UNREACHABLE')).toBe(exitCode.unavailable);
    // What a script does next differs: type it rightly, ask somebody, or wait for it to be there.
    expect(['CLI_USAGE', 'CLI_NOT_EMPTY'].map(exitCodeOf)).toEqual([64, 64]);
    expect(
      ['CLI_ACTION_REFUSED', 'CLI_NODE_REFUSED', 'CLI_OTHER_NETWORK', 'CLI_NETWORK_RUNNING'].map(exitCodeOf),
    ).toEqual([65, 65, 65, 65]);
    expect(['CLI_NOT_FOUND', 'CLI_NO_SNAPSHOT', 'CLI_NOTHING_SIGNED'].map(exitCodeOf)).toEqual([66, 66, 66]);
    expect(['BOT_STRATEGY_INVALID', 'BOT_STATE_FOREIGN', 'BOT_STATE_MISSING'].map(exitCodeOf)).toEqual([64, 64, 64]);
    expect(['BOT_STATE_DAMAGED', 'BOT_FUNDS_MISSING'].map(exitCodeOf)).toEqual([78, 65]);
    expect(exitCodeOf('NETWORK_SIGNER_UNAVAILABLE')).toBe(exitCode.unavailable);
    for (const part of ['ADMIN', 'GATEWAY', 'NETWORK'])
      expect(exitCodeOf(`${part}_LISTEN_FAILED`)).toBe(exitCode.unavailable);
    expect(exitCodeOf('SNAPSHOT_TOO_EARLY')).toBe(exitCode.usage);
    expect(exitCodeOf('ENGINE_DOUBLE_SIGN')).toBe(exitCode.doubleSign);
    expect(exitCodeOf('ENGINE_DIVERGED')).toBe(exitCode.diverged);
    expect(exitCodeOf('WAL_CORRUPT')).toBe(exitCode.corruptStore);
    for (const full of ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']) expect(exitCodeOf(full)).toBe(exitCode.io);
    expect(exitCodeOf('BLOCK_FAILED')).toBe(79);
    for (const code of ['EMFILE', 'ENFILE', 'OPEN_FILES_LIMIT_TOO_LOW']) expect(exitCodeOf(code)).toBe(71);
    expect(exitCodeOf('ENGINE_TRUSTED_BLOCK_UNKNOWN')).toBe(exitCode.usage);
    expect(exitCodeOf('SIGN_STATE_FOREIGN')).toBe(exitCode.usage);
    expect(exitCodeOf('CHAIN_STATE_UNREADABLE')).toBe(exitCode.corruptStore);
    expect(exitCodeOf('no such code')).toBe(exitCode.internal);
  });
});

import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { homePaths, parseGenesis } from '@prime/config';
import type { SignStateRecord } from '@prime/engine';
import { runNode, runSigner } from '@prime/node';
import type { Hash, Height, Round } from '@prime/primitives';
import { makeSealedSignState, openSignState } from '@prime/storage';
import { usePrime } from '../../testing/usePrime.ts';

const { folder, printed, prime, home } = usePrime(2);
const inFolder = (name: string): string => join(folder(), name);
const backUp = (): Promise<void> => prime('backup', 'create', '--home', home(0), '--out', inFolder('backup'));
const verify = (...flags: string[]): Promise<void> => prime('backup', 'verify', inFolder('backup'), ...flags);
const restore = (to = inFolder('restored'), ...flags: string[]): Promise<void> =>
  prime('backup', 'restore', inFolder('backup'), '--home', to, '--yes', ...flags);

const record: SignStateRecord = {
  height: 7 as Height,
  round: 1 as Round,
  step: 2,
  signBytes: new Uint8Array(102).fill(1),
  signature: new Uint8Array(65).fill(2),
  lockedRound: -1 as Round,
  lockedValue: null,
  validRound: -1 as Round,
  validValue: null,
};
const genesisOf = (path: string): Hash => genesisHash(parseGenesis(readFileSync(homePaths(path).genesis, 'utf8')));
function sign(path: string): void {
  const store = openSignState(homePaths(path).signState, genesisOf(path));
  store.write(record);
  store.close();
}
function signStateOf(path: string): { readonly isSealed: boolean; readonly height: number | null } {
  const store = openSignState(homePaths(path).signState, genesisOf(path));
  try {
    return { isSealed: store.isSealed(), height: store.read()?.height ?? null };
  } finally {
    store.close();
  }
}

describe('prime backup', () => {
  it('holds what a home needs, without its password, for this user alone; and makes the home again, sealed', async () => {
    sign(home(0));
    await backUp();
    const names = await readdir(inFolder('backup'), { recursive: true });
    expect(names.toSorted()).toEqual(
      [
        'backup.json',
        'config.toml',
        'genesis.json',
        'keys',
        ...['signer.json', 'tls.cert.pem', 'tls.key.pem', 'unlocked.json'].map((name) => join('keys', name)),
        'watermark.bin',
      ].toSorted(),
    );
    expect([
      statSync(inFolder('backup')).mode & 0o777,
      statSync(inFolder('backup/keys/tls.key.pem')).mode & 0o777,
    ]).toEqual([0o700, 0o600]);
    printed.length = 0;
    await verify('--json');
    expect(JSON.parse(printed[0]!)).toMatchObject({
      genesisHash: genesisOf(home(0)),
      height: null,
      watermark: { height: 7, round: 1, step: 2 },
      fileCount: 7,
    });
    await restore();
    for (const name of ['config', 'genesis', 'signerKey', 'tlsKey', 'tlsCertificate'] as const)
      expect(await readFile(homePaths(inFolder('restored'))[name], 'utf8')).toBe(
        await readFile(homePaths(home(0))[name], 'utf8'),
      );
    expect(signStateOf(inFolder('restored'))).toEqual({ isSealed: true, height: 7 });
    expect(signStateOf(home(0))).toEqual({ isSealed: false, height: 7 });
    expect(statSync(homePaths(inFolder('restored')).signerKey).mode & 0o777).toBe(0o600);
    expect(existsSync(inFolder('restored/RESTORING'))).toBe(false);
  });

  it('of a home that never signed is sealed as well: the key may have signed elsewhere', async () => {
    await backUp();
    await restore();
    expect(signStateOf(inFolder('restored'))).toEqual({ isSealed: true, height: null });
  });

  it('a byte that flipped, in any file and at either end: CLI_BACKUP_DAMAGED names it, and nothing is made', async () => {
    sign(home(0));
    await backUp();
    await cp(inFolder('backup'), inFolder('whole'), { recursive: true });
    const files = (await readdir(inFolder('backup'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBe(8);
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      const bytes = await readFile(path);
      for (const at of [0, bytes.length >> 1, bytes.length - 2]) {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= 1;
        await writeFile(path, changed);
        const damaged = { code: 'CLI_BACKUP_DAMAGED', detail: { file: path.slice(inFolder('backup').length + 1) } };
        await expect(verify()).rejects.toMatchObject(damaged);
        await expect(restore()).rejects.toMatchObject(damaged);
      }
      await writeFile(path, bytes);
      await truncate(path, bytes.length - 1);
      await expect(verify()).rejects.toMatchObject({ code: 'CLI_BACKUP_DAMAGED' });
      await rm(path);
      await expect(verify()).rejects.toMatchObject({
        code: name === 'backup.json' ? 'CLI_NOT_FOUND' : 'CLI_BACKUP_DAMAGED',
      });
      await writeFile(path, bytes);
    }
    expect(existsSync(inFolder('restored'))).toBe(false);
    await verify();
    await writeFile(inFolder('backup/keys/more.json'), '{}');
    await expect(verify()).rejects.toMatchObject({ detail: { file: 'keys/more.json', reason: 'is not part of it' } });
  });

  it('of another network: CLI_BACKUP_FOREIGN with both', async () => {
    await backUp();
    const { genesis } = homePaths(home(0));
    await verify('--genesis', genesis);
    const other = inFolder('other.json');
    await writeFile(other, (await readFile(genesis, 'utf8')).replace('"chainId": 7919', '"chainId": 7918'));
    const foreign = { code: 'CLI_BACKUP_FOREIGN', detail: { found: genesisOf(home(0)) } };
    await expect(verify('--genesis', other)).rejects.toMatchObject(foreign);
    await expect(restore(inFolder('restored'), '--genesis', other)).rejects.toMatchObject(foreign);
    expect(existsSync(inFolder('restored'))).toBe(false);
  });

  it('is written to a new folder and restored into an empty one: CLI_NOT_EMPTY, and all stays as it is', async () => {
    await backUp();
    await expect(backUp()).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
    const before = readFileSync(homePaths(home(1)).config, 'utf8');
    await expect(restore(home(1))).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY', detail: { path: home(1) } });
    expect(readFileSync(homePaths(home(1)).config, 'utf8')).toBe(before);
    await mkdir(inFolder('filled'));
    await writeFile(inFolder('filled/notes.txt'), 'mine');
    await expect(restore(inFolder('filled'))).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
    // The password may be there beforehand.
    await mkdir(inFolder('ready/keys'), { recursive: true, mode: 0o700 });
    await writeFile(inFolder('ready/keys/password'), 'x', { mode: 0o600 });
    await restore(inFolder('ready'));
    expect(readFileSync(inFolder('ready/keys/password'), 'utf8')).toBe('x');
  });

  it('asks before it restores; a remote signer has none', async () => {
    await backUp();
    await expect(prime('backup', 'restore', inFolder('backup'), '--home', inFolder('restored'))).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--yes' },
    });
    await prime('signer', 'init', '--home', inFolder('signer'), '--node-home', home(1));
    await expect(
      prime('backup', 'create', '--home', inFolder('signer'), '--out', inFolder('of-signer')),
    ).rejects.toMatchObject({ code: 'CLI_USAGE', detail: { argument: '--home' } });
    expect(existsSync(inFolder('of-signer'))).toBe(false);
  });

  it.each([['RESTORING'], ['RESTORING', 'genesis.json']])(
    'a restore that was cut off with %s: no node starts, and it is begun again',
    async (...left) => {
      await backUp();
      await mkdir(inFolder('cut/state.restore'), { recursive: true });
      for (const name of left) await writeFile(inFolder(`cut/${name}`), 'x');
      const start = runNode({ home: inFolder('cut'), flags: {}, environment: {}, passwords: { ask: null } });
      await expect(start).rejects.toMatchObject({ code: 'CONFIG_HOME_UNREADABLE' });
      await restore(inFolder('cut'));
      expect(existsSync(inFolder('cut/state.restore'))).toBe(false);
      expect(signStateOf(inFolder('cut')).isSealed).toBe(true);
    },
  );
});

describe('a sign state that is sealed', () => {
  const sealed = (): void => {
    const { signState } = homePaths(home(0));
    makeSealedSignState(signState, genesisOf(home(0)), record);
  };

  it('is no watermark to export, and its key does not move: CLI_SIGN_STATE_SEALED', async () => {
    sealed();
    await expect(prime('watermark', 'export', '--home', home(0))).rejects.toMatchObject({
      code: 'CLI_SIGN_STATE_SEALED',
    });
    const move = prime('signer', 'init', '--home', inFolder('signer'), '--node-home', home(0));
    await expect(move).rejects.toMatchObject({ code: 'CLI_SIGN_STATE_SEALED' });
    expect(existsSync(homePaths(home(0)).signerKey)).toBe(true);
    expect(existsSync(homePaths(inFolder('signer')).signerKey)).toBe(false);
  });

  it('copied to a remote signer by hand: SIGN_STATE_SEALED, it does not start', async () => {
    await prime('signer', 'init', '--home', inFolder('signer'), '--node-home', home(0));
    makeSealedSignState(homePaths(inFolder('signer')).signState, genesisOf(home(0)), record);
    const start = runSigner({ home: inFolder('signer'), logFormat: 'json', passwords: { environment: {}, ask: null } });
    await expect(start).rejects.toMatchObject({ code: 'SIGN_STATE_SEALED' });
  });
});

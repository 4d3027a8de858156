import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { statePrefix } from '@prime/codec';
import { homePaths } from '@prime/config';
import { rpc } from '@prime/load/rpc';
import { openStateDatabase } from '@prime/storage';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';

/** `prime db check` on the home of a node that was stopped, as it is and with damage that it is to find. */

const account = '0x00000000000000000000000000000000000000c9';
let testnet: Testnet;
let scratch: string;
/** A copy of the home, for one test. */
let home: string;

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  await rpc(testnet.url(0), 'primeorders_depositCollateral', [account, '0x3e8']);
  await until('ten blocks', async () => Number(await rpc<string>(testnet.url(0), 'eth_blockNumber')) >= 10);
});
afterAll(() => testnet.destroy());

describe('the home of a node', () => {
  it('is not looked at while the node runs: DATA_DIR_LOCKED', async () => {
    await expect(check(testnet.home(0))).rejects.toThrow(/exited with 64.*\[DATA_DIR_LOCKED\]/s);
  });

  describe('that was stopped', () => {
    beforeAll(async () => {
      await testnet.kill(0, 'SIGKILL');
    });
    beforeEach(async () => {
      scratch = await mkdtemp(join(tmpdir(), 'prime-home-check-'));
      home = join(scratch, 'home');
      await cp(testnet.home(0), home, { recursive: true });
      await rm(homePaths(home).lock, { force: true });
    });
    afterEach(() => rm(scratch, { recursive: true, force: true }));

    it('is whole, also after kill -9, and not a byte of it changes', async () => {
      const before = await contentOf(home);
      const output = await check(home);
      expect(output).toMatch(/^sign state {2}newest signature: height \d+, round \d+, step \d: whole$/m);
      expect(output).toMatch(/^log {9}height \d+, \d+ entries: whole$/m);
      expect(output).toMatch(/^blocks {6}1 to \d+: whole$/m);
      expect(output).toMatch(/^state {7}block \d+: \d+ accounts, \d+ slots: whole$/m);
      expect(await contentOf(home)).toEqual(before);
      expect(await check(home, '--blocks', '3')).toMatch(/^blocks {6}\d+ to \d+: whole$/m);
    });

    it('a record of the state that is gone: named, with what to do', async () => {
      const database = await openStateDatabase(homePaths(home).state);
      for await (const [key] of database.entries(Uint8Array.of(statePrefix.account))) {
        await database.write([{ key, value: null }], { sync: true });
        break;
      }
      await database.close();
      const failure = await damage(home);
      expect(failure).toMatch(/accounts: \d+ in the trie, \d+ in the table/);
      expect(failure).toContain('-> prime db repair sets state/ aside: the node executes its blocks again');
      expect(failure).toContain('is damaged: state [HOME_DAMAGED]');
    });

    it.each([
      [
        'changed',
        (value: Uint8Array) => value.map((byte, at) => (at === value.length - 1 ? byte ^ 1 : byte)),
        'EVM_TRIE_MISMATCH',
      ],
      ['gone', () => null, 'EVM_NODE_MISSING'],
    ])(
      'what recent blocks changed is %s: named, and a start ends with 78 and serves nothing',
      async (_, spoil, code) => {
        const database = await openStateDatabase(homePaths(home).state);
        for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.stateDiff)))
          await database.write([{ key, value: spoil(value) }], { sync: true });
        await database.close();
        expect(await damage(home)).toContain('is damaged: state [HOME_DAMAGED]');
        const { served, ...ended } = await testnet.runToExit(home, 'goOn');
        expect({ code: ended.code, served, output: ended.output }).toEqual({
          code: 78,
          served: false,
          output: expect.stringContaining(code),
        });
      },
    );

    it('blocks that end before the state', async () => {
      await rm(homePaths(home).blocks, { recursive: true });
      const failure = await damage(home);
      expect(failure).toMatch(/they end at 0, and the state is of block \d+/);
      expect(failure).toMatch(/they end before the newest signature, of height \d+/);
      expect(failure).toContain('is damaged: blocks [HOME_DAMAGED]');
    });

    it('a state that was removed is no damage: it is made again', async () => {
      await rm(homePaths(home).state, { recursive: true });
      const output = await check(home);
      expect(output).toMatch(/^state {7}none: it is made of the blocks at the next start: whole$/m);
    });

    it('a damaged sign state: no repair, and nothing is set aside', async () => {
      const { signState, state } = homePaths(home);
      await writeFile(signState, new Uint8Array(8192));
      await rm(join(state, 'CURRENT'));
      const before = await contentOf(home);
      await expect(run(['db', 'repair', '--home', home])).rejects.toThrow(/exited with 78.*\[REPAIR_REFUSED\]/s);
      expect(await contentOf(home)).toEqual(before);
    });

    it.each<[string, (paths: ReturnType<typeof homePaths>) => Promise<void>, string]>([
      ['the sign state', ({ signState }) => writeFile(signState, new Uint8Array(8192)), 'sign state'],
      [
        'both databases',
        async ({ blocks, state }) => void (await Promise.all([blocks, state].map(breakCurrent))),
        'blocks, state',
      ],
      [
        'the manifest of the state',
        async ({ state }) => {
          const manifest = (await readdir(state)).find((name) => name.startsWith('MANIFEST-'))!;
          await rm(join(state, manifest));
        },
        'state',
      ],
    ])('%s damaged: exit code 78', async (_, spoil, parts) => {
      await spoil(homePaths(home));
      expect(await damage(home)).toContain(`is damaged: ${parts} [HOME_DAMAGED]`);
    });
  });
});

const check = async (folder: string, ...args: readonly string[]): Promise<string> =>
  (await run(['db', 'check', '--home', folder, ...args])).output;

/** What the check of a damaged home says. */
async function damage(folder: string): Promise<string> {
  const failure = await check(folder).then(
    () => 'it was found whole',
    (error: Error) => error.message,
  );
  expect(failure).toContain('exited with 78');
  return failure;
}

/** The file that names the manifest of a LevelDB. */
const breakCurrent = (folder: string): Promise<void> => writeFile(join(folder, 'CURRENT'), 'no manifest');

/** Names and content of all files below a folder. */
async function contentOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashed = files.toSorted().map(async (path) => {
    const hash = createHash('sha256').update(await readFile(path));
    return `${path} ${hash.digest('hex')}`;
  });
  return Promise.all(hashed);
}

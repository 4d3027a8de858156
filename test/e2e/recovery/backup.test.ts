import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SignatureRecord, signaturesFinding } from '@prime/audit';
import { SignLog, signaturesInWal } from '@prime/chaos';
import { homePaths } from '@prime/config';
import { rpc } from '@prime/load/rpc';
import { openSignState } from '@prime/storage';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { cli } from '../operations/program.ts';

/** A validator that is made again from a backup, in the orders of things that are dangerous: it never signs what may contradict what it signed before. */
const victim = 3;
const all = [0, 1, 2, victim];
const account = '0x00000000000000000000000000000000000000ba';
let testnet: Testnet;
let owner: string;
/** All signatures that were ever seen in a log of a validator. */
const signLog = new SignLog();

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  owner = ((await consensusOf(victim)) as { readonly self: string }).self;
});
afterAll(() => testnet.destroy());

interface Standing {
  readonly self: string;
  readonly signing: { readonly phase: string; readonly from: number | null };
}
const consensusOf = async (index: number): Promise<Standing> =>
  (await (await fetch(`${testnet.adminUrl(index)}/consensus`)).json()) as Standing;
const { heightOf } = nodesOf(() => testnet);
/** Whether the newest block of a node holds a signature of the victim. */
async function signs(at = 0): Promise<boolean> {
  const commit = await rpc<{ signatures: { validator: string }[] }>(testnet.url(at), 'prime_getCommit', ['latest']);
  return commit.signatures.some(({ validator }) => validator === owner);
}

/** Takes down what is in the logs now: each holds the newest heights only. */
function watch(): void {
  for (const index of all)
    for (const record of signaturesInWal(homePaths(testnet.home(index)).wal, `${index}`)) signLog.add(record);
}
const ofVictim = (): SignatureRecord[] => signLog.records.filter(({ signer }) => signer === owner);

/** Waits, and takes down what is signed meanwhile. */
const watched = <Result>(what: string, ask: () => Promise<Result | null | false>): Promise<Result> =>
  until(what, async () => {
    watch();
    return ask();
  });
const goesOn = async (blocks: number): Promise<void> => {
  const from = await heightOf(0);
  await watched('blocks go on', async () => (await heightOf(0)) >= from + blocks);
};

/** Writes until it is told to stop. @returns how many were acknowledged */
function load(): () => Promise<number> {
  let isOver = false;
  const writing = (async (): Promise<number> => {
    for (let count = 0; ; count++) {
      if (isOver) return count;
      await rpc(testnet.url(count % 3), 'primeorders_depositCollateral', [account, '0x1']);
    }
  })();
  return async () => {
    isOver = true;
    return writing;
  };
}

const backupAt = (name: string): string => join(testnet.directory, name);
const backUp = (name: string): Promise<unknown> =>
  run(['backup', 'create', '--home', testnet.home(victim), '--out', backupAt(name)]);
/** The password is in no backup: its owner keeps it. */
async function putPassword(home: string): Promise<void> {
  await mkdir(join(home, 'keys'), { recursive: true, mode: 0o700 });
  await cp(join(testnet.directory, 'password'), join(home, 'keys', 'password'));
}
const restore = (name: string, home = testnet.home(victim)): Promise<unknown> =>
  run(['backup', 'restore', backupAt(name), '--home', home, '--yes']);

/** The disk of the victim is gone. */
async function lose(): Promise<void> {
  await testnet.kill(victim, 'SIGKILL');
  watch();
  await rm(testnet.home(victim), { recursive: true });
}

/** As the sign state of the victim's home says; the process may run. */
function signState(home = testnet.home(victim)): { readonly isSealed: boolean; readonly height: number } {
  const store = openSignState(join(home, 'sign-state.bin'), null);
  try {
    return { isSealed: store.isSealed(), height: store.read()?.height ?? 0 };
  } finally {
    store.close();
  }
}

describe('a validator that is restored from a backup', () => {
  it('backed up under load and lost later: it catches up, watches, and signs again', async () => {
    await cp(join(testnet.home(victim), 'keys', 'password'), join(testnet.directory, 'password'));
    await watched('there are blocks, and it signs them', async () => (await heightOf(0)) > 5 && (await signs()));
    const stop = load();
    await goesOn(3);
    await backUp('first');
    const { output } = await run(['backup', 'verify', backupAt('first'), '--json']);
    const { height, watermark } = JSON.parse(output) as { height: number; watermark: { height: number } };
    expect(height).toBeGreaterThan(5);
    expect(watermark.height).toBeGreaterThan(5);
    expect(output).not.toContain((await readFile(join(testnet.directory, 'password'), 'utf8')).trim());
    // It signs behind the backup.
    await watched('it signs further', async () => (await heightOf(0)) > watermark.height + 4 && (await signs()));
    await lose();
    const before = ofVictim().length;
    await goesOn(2);
    await restore('first');
    expect(signState()).toEqual({ isSealed: true, height: watermark.height });
    await putPassword(testnet.home(victim));
    await testnet.start(victim);
    const { from } = await watched('it watches', async () => {
      const { signing } = await consensusOf(victim);
      return signing.phase === 'watching' && signing;
    });
    await watched('it signs again', signs);
    expect(await stop()).toBeGreaterThan(0);
    expect(signState().isSealed).toBe(false);
    const again = ofVictim().slice(before);
    // What others had of it and it had not logged any more may have come in late.
    expect(again.some(({ height: at }) => at >= from!)).toBe(true);
    expect(again.filter(({ height: at }) => at > watermark.height && at < from! - 20)).toEqual([]);
    await level();
  });

  it('while the network stands still at a height that it signed: it signs nothing there, whatever is set', async () => {
    await backUp('second');
    const { height: known } = signState();
    await watched('it signs further', async () => (await heightOf(0)) > known + 3 && (await signs()));
    // Three of four decide; with the next one gone nobody does.
    await testnet.kill(2, 'SIGKILL');
    await goesOn(2);
    await lose();
    const before = ofVictim().length;
    await restore('second');
    await putPassword(testnet.home(victim));
    for (const blocks of ['20', '0']) {
      const node = await testnet.another(testnet.home(victim), { PRIME_CONSENSUS_WATCH_BLOCKS: blocks });
      await node.start();
      await watched('it watches', async () => /not signing: watching/.test(node.tail));
      expect(await node.kill('SIGTERM')).toBe(0);
      expect(signState()).toMatchObject({ isSealed: true });
    }
    await testnet.start(victim);
    await watched('it watches', async () => (await consensusOf(victim)).signing.phase === 'watching');
    const head = await heightOf(victim);
    expect(ofVictim().slice(before)).toEqual([]);
    await testnet.start(2);
    await watched('the others decide', async () => (await heightOf(0)) > head);
    await watched('it signs again', signs);
    expect(
      Math.min(
        ...ofVictim()
          .slice(before)
          .map(({ height }) => height),
      ),
    ).toBeGreaterThan(head + 1);
    await level();
  });

  it('while the old one still runs: it ends with 77 and signs nothing, and the old one does not notice', async () => {
    await backUp('third');
    const home = join(testnet.directory, 'twin');
    await restore('third', home);
    await putPassword(home);
    const twin = await testnet.another(home);
    await twin.start().catch(() => undefined);
    await watched('the restored one gives up', async () => !twin.running);
    expect({ code: twin.exitCode, tail: twin.exitCode === 77 ? '' : twin.tail }).toEqual({ code: 77, tail: '' });
    expect(twin.tail).toMatch(/ENGINE_KEY_IN_USE/);
    expect(signState(home).isSealed).toBe(true);
    expect(signaturesInWal(homePaths(home).wal, 'twin').filter(({ signer }) => signer === owner)).toEqual([]);
    await watched('the old one signs on', signs);
  });

  it('cut off at any moment: no node starts with what is there, and it is begun again', async () => {
    const home = join(testnet.directory, 'cut');
    const restoring = spawn(process.execPath, [cli, 'backup', 'restore', backupAt('third'), '--home', home, '--yes']);
    const ended = once(restoring, 'exit');
    await until('it has begun', async () => existsSync(join(home, 'RESTORING')) || restoring.exitCode !== null);
    restoring.kill('SIGKILL');
    await ended;
    expect(existsSync(join(home, 'config.toml'))).toBe(false);
    expect(await testnet.runToExit(home)).toMatchObject({ code: 64 });
    await restore('third', home);
    expect(signState(home).isSealed).toBe(true);
    await expect(restore('third', home)).rejects.toThrow(/is not empty.*\[CLI_NOT_EMPTY\]/);
  });

  it('nobody has seen it sign twice', async () => {
    watch();
    expect(ofVictim().length).toBeGreaterThan(30);
    expect(signaturesFinding({ signatures: signLog.records })).toMatchObject({ violations: [] });
    const registered = await rpc<{ address: string; tombstoned: boolean; status: string }[]>(
      testnet.url(0),
      'prime_registeredValidators',
    );
    expect(registered.find(({ address }) => address === owner)).toMatchObject({ status: 'active', tombstoned: false });
    // Who was far behind began with a snapshot, and keeps no block before it.
    const newest = Math.min(...(await Promise.all(all.map(heightOf))));
    const hashes = await Promise.all(
      all.map((index) =>
        rpc<{ hash: string }>(testnet.url(index), 'eth_getBlockByNumber', [`0x${newest.toString(16)}`, false]),
      ),
    );
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
  });
});

async function level(): Promise<void> {
  const head = await heightOf(0);
  for (const index of all) await watched(`node ${index} is there`, async () => (await heightOf(index)) >= head);
}

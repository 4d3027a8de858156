/** Keys and homes that are lost, made again or exchanged. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homePaths } from '@prime/config';
import { RpcError, rpcAll, toHex } from '@prime/load/rpc';
import { registeredOf, rotateSigner as rotate, startAnew, stateSync } from '@prime/chaos';
import type { Drill } from '../drill.ts';
import { heightsSigned, newestSigned } from '../signatures.ts';

/** A restored validator sees others decide so many blocks before it signs (docs/adr/0185-backups.md). */
const watchBlocks = 20;
/** It signs soon after: so many blocks are looked through for it. */
const signsWithinBlocks = 200;
/** Between two looks at the newest blocks, ms. */
const lookMs = 500;

/** Exchanges the signing key of the last validator, and shows that it signs with the new one. */
export async function rotateSigner(drill: Drill): Promise<void> {
  await rotateAndSign(drill, drill.validators.at(-1)!);
}

/** The key is exchanged while it runs; the new one signs, also after a restart. */
async function rotateAndSign(drill: Drill, index: number): Promise<void> {
  const { network } = drill;
  const name = network.name(index);
  const before = (await registeredOf(network, index))?.signer;
  let from = 0;
  await drill.step({
    name: `${name} gets a new signer key while it runs: prime validator rotate-signer`,
    promise: 'live',
    begin: async () => {
      await rotate(network, { kind: 'rotate_signer', validator: index });
      // The new key is in force from the second block on.
      from = drill.highest + 2;
    },
    heal: async () => undefined,
  });
  const after = (await registeredOf(network, index))?.signer;
  const first = await firstSigned(drill, index, from);
  let again = 0;
  await drill.restart(index, `${name} is restarted with the new key`, {
    between: async () => {
      again = drill.highest + 1;
    },
  });
  const later = await firstSigned(drill, index, again);
  drill.claim('the new key votes', `${name}: ${before} before, ${after} since; votes in blocks ${first} and ${later}`, [
    ...(before === after || after === undefined ? ['the registered key is the old one'] : []),
    ...(first === null ? [`no vote of it from block ${from} on`] : []),
    ...(later === null ? [`no vote of it after its restart, from block ${again} on`] : []),
  ]);
}

/** Loses the home of the last validator, restores it from a backup without state, and exchanges its key. */
export async function replaceMachine(drill: Drill): Promise<void> {
  const index = drill.validators.at(-1)!;
  const backup = await backUp(drill, index, ['--no-state']);
  await loseAndRestore(drill, index, backup, 'fetches the chain from its peers');
  await rotateAndSign(drill, index);
}

/** Loses the home of the last validator, and restores it from a backup with its state. */
export async function restoreBackup(drill: Drill): Promise<void> {
  const index = drill.validators.at(-1)!;
  const backup = await backUp(drill, index, []);
  await loseAndRestore(drill, index, backup, 'begins with the state of the backup');
}

interface Backup {
  readonly folder: string;
  /** Its owner keeps that elsewhere: it is in no backup. */
  readonly password: Uint8Array;
  /** Of the state; null where there is none in it. */
  readonly height: number | null;
}

/** As operators do while the node runs. */
async function backUp(drill: Drill, index: number, flags: readonly string[]): Promise<Backup> {
  const { network } = drill;
  const { home } = network.node(index);
  const folder = join(dirname(home), `${network.name(index)}.backup`);
  await drill.prime('backup', 'create', '--home', home, '--out', folder, ...flags);
  const text = await drill.prime('backup', 'verify', folder, '--json');
  const { height, watermark } = JSON.parse(text) as {
    readonly height: number | null;
    readonly watermark: { readonly height: number } | null;
  };
  const state = height === null ? 'no state' : `the state after block ${height}`;
  network.say(`  the backup holds ${state}; its newest signature is of block ${watermark?.height ?? 'none'}`);
  return { folder, password: await readFile(homePaths(home).keyPassword), height };
}

async function loseAndRestore(drill: Drill, index: number, backup: Backup, how: string): Promise<void> {
  const { network } = drill;
  const name = network.name(index);
  const { home } = network.node(index);
  let [signedTo, backAt] = [0, 0];
  await drill.step({
    name: `${name} is gone for good (SIGKILL, its home is removed), the others go on, it is restored and ${how}`,
    promise: 'live',
    begin: async () => {
      await network.node(index).end('SIGKILL');
      signedTo = newestSigned(network, index);
      await rm(home, { recursive: true });
    },
    heal: async () => {
      await drill.prime('backup', 'restore', backup.folder, '--home', home, '--yes');
      const { keyPassword } = homePaths(home);
      await mkdir(dirname(keyPassword), { recursive: true, mode: 0o700 });
      await writeFile(keyPassword, backup.password, { mode: 0o600 });
      if (backup.height !== null) network.history.beginsWithSnapshot(index);
      backAt = drill.highest;
      await (backup.height === null ? startAnew(network, index) : network.start(index));
    },
  });
  const first = await firstSigned(drill, index, signedTo + 2);
  network.say(`  ${name} signed up to block ${signedTo}, was back at ${backAt}, and signs again from ${first}`);
  drill.claim(
    'it watches before it signs',
    `${name} signed up to block ${signedTo} before it was lost; back at block ${backAt}, first signature in block ${first}`,
    first === null
      ? [`no signature of it in ${signsWithinBlocks} blocks`]
      : first < backAt + watchBlocks
        ? [`it watched ${first - backAt} blocks instead of ${watchBlocks}`]
        : [],
  );
}

/** First block from a height on that holds a signature of a validator; waits for it while blocks come. */
async function firstSigned(drill: Drill, index: number, from: number): Promise<number | null> {
  const { network } = drill;
  const endMs = network.nowMs() + drill.deadlineMs();
  for (let next = from, until = drill.highest + signsWithinBlocks; next <= until && network.nowMs() < endMs; ) {
    const to = drill.highest - 1;
    const [first] = await heightsSigned(network, index, next, to);
    if (first !== undefined) return first;
    next = Math.max(next, to + 1);
    await network.watch.until(() => drill.highest > next + 1, lookMs);
  }
  return null;
}

/** A follower and a validator lose their chain, keep their keys, and begin with a snapshot of their peers. */
export async function rebuildFromSnapshot(drill: Drill): Promise<void> {
  const { network, validators } = drill;
  for (const index of [network.validators, validators.at(-1)!]) {
    const name = network.name(index);
    let heal: () => Promise<unknown> = async () => undefined;
    await drill.step({
      name: `${name} loses blocks, state and log, keeps keys and sign state, and begins with a snapshot of its peers`,
      promise: 'live',
      begin: async () => {
        heal = await stateSync(network, index);
      },
      heal: () => heal(),
    });
    const first = await firstBlock(network.homes.operatorUrls[index]!, drill.highest);
    drill.claim(
      `${name} begins with a snapshot`,
      `its first block is ${first}`,
      first !== null && first > 1 ? [] : ['it has executed the chain from genesis'],
    );
  }
}

/** First block that a node keeps, by bisection: what is before it is refused. */
async function firstBlock(url: string, head: number): Promise<number | null> {
  let [low, high] = [1, head];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [answer] = await rpcAll(url, [{ method: 'eth_getBlockByNumber', params: [toHex(middle), false] }]);
    if (answer === null || answer instanceof RpcError) low = middle + 1;
    else high = middle;
  }
  return low === head ? null : low;
}

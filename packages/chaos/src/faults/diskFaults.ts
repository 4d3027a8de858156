/** Disks that lie, forget or are full, and what operators do then. */
import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { homePaths } from '@prime/config';
import { exitCode } from '@prime/node';
import { type Fault, folders } from '../schedule/faults.ts';
import { startAnew, startWithSnapshot } from './anew.ts';
import { damageFiles, hasLoggedHeight } from './damage.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';
import type { Started } from '../run/nodeProcess.ts';
import { endAndStartNow } from './processFaults.ts';

/** Blocks that a backup lies behind when it is restored. */
const backupLagBlocks = 3;
const backupLagMsMax = 10_000;
/** Blocks for which a validator with an old sign state watches (consensus.watch_blocks), and some to notice it; how long they may take, ms. */
const watchBlocks = 25;
const watchMsMax = 60_000;
/** Who is at the head begins a height by then, ms. */
const logMsMax = 10_000;
/** The first snapshot is there by then, ms. */
const snapshotMsMax = 60_000;

/**
 * Kills a node, removes folders of its home and starts it. One that lost its log alone starts as it is, any other begins
 * anew.
 */
export async function wipe(network: ChaosNetwork, fault: Fault & { readonly kind: 'wipe' }): Promise<Heal> {
  const node = network.node(fault.validator);
  await node.end('SIGKILL');
  for (const folder of fault.folders) await rm(join(node.home, folder), { recursive: true });
  // Who lost its log alone has all that it needs.
  const isWhole = fault.folders.every((folder) => folder === 'wal');
  return served(isWhole ? network.start(fault.validator) : startAnew(network, fault.validator));
}

/** A copy of a stopped home, with its sign state or without, put back after the network went on. */
export async function restore(
  network: ChaosNetwork,
  { validator, sign_state = 'kept' }: Fault & { readonly kind: 'restore' },
): Promise<Heal> {
  const node = network.node(validator);
  const backup = `${node.home}.backup`;
  const { signState } = homePaths(node.home);
  const keptSignState = join(backup, 'sign-state');
  await node.end('SIGTERM');
  for (const folder of folders) await cp(join(node.home, folder), join(backup, folder), { recursive: true });
  await cp(signState, keptSignState);
  await network.start(validator);
  const before = network.watch.highest(network.all);
  await network.watch.until((heads) => heads[validator]! >= before + backupLagBlocks, backupLagMsMax);
  await node.end('SIGKILL');
  for (const folder of folders) {
    await rm(join(node.home, folder), { recursive: true });
    await cp(join(backup, folder), join(node.home, folder), { recursive: true });
  }
  if (sign_state === 'old') await cp(keptSignState, signState);
  await rm(backup, { recursive: true });
  network.say(`${network.name(validator)} is back at about block ${before}, its sign state is ${sign_state}`);
  await network.start(validator);
  // The next phase counts on its votes, and it only watches for a while.
  const signs = network.watch.highest(network.all) + watchBlocks;
  if (
    sign_state === 'old' &&
    !(await network.watch.until((heads) => heads[validator]! >= signs, watchMsMax * network.patience))
  )
    network.say(`${network.name(validator)} has not seen ${watchBlocks} blocks`);
  return async () => undefined;
}

/**
 * Starts a node whose files may not grow beyond `file_bytes`. It may end by itself with the exit code of I/O errors, and
 * is healed by a start without the limit.
 */
export async function fillDisk(
  network: ChaosNetwork,
  { validator, file_bytes }: Fault & { readonly kind: 'disk_full' },
): Promise<Heal> {
  const node = network.node(validator);
  await node.end('SIGKILL');
  const outcome = await network.start(validator, { fileBytesMax: file_bytes, mayEndWith: [exitCode.io] });
  if (outcome === 'ended') network.say(`${network.name(validator)} had no room to start`);
  return async () => {
    if (node.running) network.say(`${network.name(validator)} has not reached its limit`);
    await endAndStartNow(network, validator, 'SIGKILL')();
  };
}

/** How a validator with damaged files may end by itself, and what mends it. */
export async function damage(network: ChaosNetwork, fault: Fault & { readonly kind: 'damage' }): Promise<Heal> {
  const { validator, what } = fault;
  const node = network.node(validator);
  const paths = homePaths(node.home);
  const isLog = what === 'wal' || what === 'wal_tail';
  if (isLog && !(await network.watch.until(() => hasLoggedHeight(node.home), logMsMax * network.patience))) {
    network.say(`${network.name(validator)} has no height in its log, which is left as it is`);
    return async () => undefined;
  }
  await node.end('SIGKILL');
  const keptSignState = `${paths.signState}.before`;
  await cp(paths.signState, keptSignState);
  network.say(`${network.name(validator)}: ${damageFiles(node.home, what, network.prng)}`);
  // A torn tail is what a crash leaves: no reason to refuse.
  const mayEndWith: (number | string)[] = what === 'wal_tail' ? [] : [exitCode.corruptStore];
  // Assertions of LevelDB may come first: no exit code, and no wrong answer either.
  if (what === 'blocks' || what === 'state') mayEndWith.push('SIGABRT');
  const outcome = await network.start(validator, { mayEndWith });
  network.say(`${network.name(validator)} ${outcome === 'ready' ? 'starts' : 'refuses to start'}`);
  return async () => {
    const hasRun = outcome === 'ready';
    // Logs and sign states that it started with are mended by going on; a damaged database may show it at any time.
    if (what === 'blocks' || what === 'state') {
      await node.end('SIGKILL');
      for (const folder of ['blocks', 'state']) await rm(join(node.home, folder), { recursive: true });
      await startAnew(network, validator);
    } else if (!node.running) {
      if (isLog) await repairLog(network, node.home);
      // Only while it signed nothing since: an older sign state is never put back.
      else if (!hasRun) await cp(keptSignState, paths.signState);
    }
    await rm(keptSignState, { force: true });
    if (!node.running) await network.start(validator);
  };
}

const run = promisify(execFile);

/** As an operator would. */
async function repairLog({ program }: ChaosNetwork, home: string): Promise<void> {
  await run(process.execPath, [program, 'wal', 'repair', '--home', home]);
}

/** Loses everything but its keys and its sign state, and begins with a snapshot. */
export async function stateSync(network: ChaosNetwork, index: number): Promise<Heal> {
  const { snapshotBlocks } = network.homes;
  const isTaken = (heads: readonly number[]): boolean => Math.max(...heads) > snapshotBlocks + 1;
  if (!(await network.watch.until(isTaken, snapshotMsMax * network.patience)))
    network.say(`there is no snapshot before block ${snapshotBlocks}`);
  await network.node(index).end('SIGKILL');
  return served(startWithSnapshot(network, index));
}

/** It serves once it has found a snapshot, and others may be down until the phase is healed. */
const served =
  (started: Promise<Started>): Heal =>
  async () => {
    await started;
  };

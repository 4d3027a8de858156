import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { homePaths, validatorName } from '@prime/config';
import { exitCode } from '@prime/node';
import { programPath } from '../../testnet/program.ts';
import type { LinkRule } from '../link/shape.ts';
import { plainLink } from '../link/shape.ts';
import { type Fault, folders, type Link } from '../schedule/manifest.ts';
import { allLinks, cutLinks } from '../schedule/power.ts';
import { damageFiles } from './damage.ts';
import type { ChaosNetwork } from './network.ts';

/** Undoes a fault. */
export type Heal = () => Promise<void>;

/** Blocks that a backup lies behind when it is restored. */
const backupLagBlocks = 3;
const backupLagMsMax = 10_000;

/** Puts a fault in place. @returns how to undo it */
export async function beginFault(fault: Fault, network: ChaosNetwork): Promise<Heal> {
  switch (fault.kind) {
    case 'kill':
      return endAndStart(network, fault.validators, 'SIGKILL');
    case 'stop':
      return endAndStart(network, fault.validators, 'SIGTERM');
    case 'pause':
      return pause(network, fault.validators);
    case 'partition':
    case 'cut':
      return changeLinks(network, cutLinks(fault, network.validators), { isCut: true });
    case 'degrade':
      return changeLinks(network, linksOf(fault.links, network), ruleOf(fault));
    case 'reset':
      return resetLinks(network, linksOf(fault.links, network), fault.every_ms);
    case 'clock':
      return shiftClock(network, fault);
    case 'damage':
      return damage(network, fault);
    case 'wipe':
      return wipe(network, fault);
    case 'restore':
      return restore(network, fault.validator);
    case 'crash_point':
      return dieAtPoint(network, fault);
    case 'disk_full':
      return fillDisk(network, fault);
  }
}

const linksOf = (links: 'all' | readonly Link[], network: ChaosNetwork): readonly Link[] =>
  links === 'all' ? allLinks(network.validators) : links;

async function endAndStart(
  network: ChaosNetwork,
  validators: readonly number[],
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Heal> {
  await Promise.all(validators.map((index) => network.node(index).end(signal)));
  return async () => {
    // In the order of the list, so that an order of starts can be asked for; nobody waits for anybody.
    await Promise.all(validators.map((index) => network.start(index)));
  };
}

async function pause(network: ChaosNetwork, validators: readonly number[]): Promise<Heal> {
  for (const index of validators) network.node(index).pause();
  return async () => {
    for (const index of validators) network.node(index).resume();
  };
}

async function changeLinks(network: ChaosNetwork, links: readonly Link[], change: Partial<LinkRule>): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.change(links, change);
  const names = Object.keys(change) as (keyof LinkRule)[];
  const plain = Object.fromEntries(names.map((name) => [name, plainLink[name]]));
  return async () => mesh.change(links, plain);
}

function ruleOf(fault: Fault & { readonly kind: 'degrade' }): Partial<LinkRule> {
  const { latency_ms = 0, jitter_ms = 0, bytes_per_second = 0, loss_per_mille = 0, piece_bytes = 0 } = fault;
  return {
    latencyMs: latency_ms,
    jitterMs: jitter_ms,
    bytesPerSecond: bytes_per_second,
    lossPerMille: loss_per_mille,
    pieceBytes: piece_bytes,
  };
}

async function resetLinks(network: ChaosNetwork, links: readonly Link[], everyMs: number): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.reset(links);
  const timer = setInterval(() => mesh.reset(links), everyMs);
  return async () => clearInterval(timer);
}

async function shiftClock(
  network: ChaosNetwork,
  { validator, offset_ms }: Fault & { readonly kind: 'clock' },
): Promise<Heal> {
  await network.node(validator).end('SIGTERM');
  await network.start(validator, { clockOffsetMs: offset_ms });
  return endAndStartNow(network, validator, 'SIGTERM');
}

const endAndStartNow =
  (network: ChaosNetwork, validator: number, signal: 'SIGKILL' | 'SIGTERM'): Heal =>
  async () => {
    await network.node(validator).end(signal);
    await network.start(validator);
  };

async function wipe(network: ChaosNetwork, fault: Fault & { readonly kind: 'wipe' }): Promise<Heal> {
  const node = network.node(fault.validator);
  await node.end('SIGKILL');
  for (const folder of fault.folders) await rm(join(node.home, folder), { recursive: true });
  await network.start(fault.validator);
  return async () => undefined;
}

/** A copy of a stopped home without its sign state, put back after the network went on. */
async function restore(network: ChaosNetwork, validator: number): Promise<Heal> {
  const node = network.node(validator);
  const backup = `${node.home}.backup`;
  await node.end('SIGTERM');
  for (const folder of folders) await cp(join(node.home, folder), join(backup, folder), { recursive: true });
  await network.start(validator);
  const before = network.watch.highest(network.all);
  await network.watch.until((heads) => heads[validator]! >= before + backupLagBlocks, backupLagMsMax);
  await node.end('SIGKILL');
  for (const folder of folders) {
    await rm(join(node.home, folder), { recursive: true });
    await cp(join(backup, folder), join(node.home, folder), { recursive: true });
  }
  await rm(backup, { recursive: true });
  network.say(`${validatorName(validator)} is back at about block ${before}, its sign state is not`);
  await network.start(validator);
  return async () => undefined;
}

/** The process may die before it serves; where it does not get to its point, it is killed in the end. */
async function dieAtPoint(
  network: ChaosNetwork,
  { validator, at }: Fault & { readonly kind: 'crash_point' },
): Promise<Heal> {
  const node = network.node(validator);
  await node.end('SIGKILL');
  await network.start(validator, { crashAt: at, mayEndWith: ['SIGKILL'] });
  return async () => {
    if (node.running) network.say(`${validatorName(validator)} has not reached its crash point`);
    await endAndStartNow(network, validator, 'SIGKILL')();
  };
}

async function fillDisk(
  network: ChaosNetwork,
  { validator, file_bytes }: Fault & { readonly kind: 'disk_full' },
): Promise<Heal> {
  const node = network.node(validator);
  await node.end('SIGKILL');
  const outcome = await network.start(validator, { fileBytesMax: file_bytes, mayEndWith: [exitCode.io] });
  if (outcome === 'ended') network.say(`${validatorName(validator)} had no room to start`);
  return async () => {
    if (node.running) network.say(`${validatorName(validator)} has not reached its limit`);
    await endAndStartNow(network, validator, 'SIGKILL')();
  };
}

/** How a validator with damaged files may end by itself, and what mends it. */
async function damage(network: ChaosNetwork, fault: Fault & { readonly kind: 'damage' }): Promise<Heal> {
  const { validator, what } = fault;
  const node = network.node(validator);
  const paths = homePaths(node.home);
  await node.end('SIGKILL');
  const keptSignState = `${paths.signState}.before`;
  await cp(paths.signState, keptSignState);
  network.say(`${validatorName(validator)}: ${damageFiles(node.home, what, network.prng)}`);
  // A torn tail is what a crash leaves: no reason to refuse.
  const mayEndWith = what === 'wal_tail' ? [] : [exitCode.corruptStore];
  const outcome = await network.start(validator, { mayEndWith });
  network.say(`${validatorName(validator)} ${outcome === 'ready' ? 'starts' : 'refuses to start'}`);
  return async () => {
    const hasRun = outcome === 'ready';
    // Logs and sign states that it started with are mended by going on; a damaged database may show it at any time.
    if (what === 'blocks' || what === 'state') {
      await node.end('SIGKILL');
      for (const folder of ['blocks', 'state']) await rm(join(node.home, folder), { recursive: true });
    } else if (!node.running) {
      if (what === 'wal' || what === 'wal_tail') await repairLog(node.home);
      // Only while it signed nothing since: an older sign state is never put back.
      else if (!hasRun) await cp(keptSignState, paths.signState);
    }
    await rm(keptSignState, { force: true });
    if (!node.running) await network.start(validator);
  };
}

const run = promisify(execFile);

/** As an operator would. */
async function repairLog(home: string): Promise<void> {
  await run(process.execPath, [programPath, 'wal', 'repair', '--home', home]);
}

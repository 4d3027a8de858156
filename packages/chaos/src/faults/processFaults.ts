/** Processes that end, stand still, or fail by themselves. */
import { rm } from 'node:fs/promises';
import { exitCode } from '@prime/node';
import { homePaths } from '@prime/config';
import type { Fault } from '../schedule/faults.ts';
import { startAnew } from './anew.ts';
import type { ChaosHomes } from '../run/homes.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';
import type { NodeProcess } from '../run/nodeProcess.ts';

/** What faults of processes and links need of a network: a chaos run has it, and so has `prime testnet up`. */
export interface FaultTarget extends Pick<ChaosNetwork, 'validators' | 'followers' | 'start' | 'untilClosed'> {
  readonly homes: Pick<ChaosHomes, 'mesh'>;
  node(index: number): Pick<NodeProcess, 'end' | 'pause' | 'resume'>;
}

/** A node that has to end by itself has so long for it, times the patience of the run, ms. */
const endMsMax = 40_000;
/** Blocks that go well before the one that is executed differently. */
const divergeAfterBlocks = 5;
/** A node that was restarted is back when it lacks no more blocks than these; so long is waited for it, ms. */
const rollLagBlocks = 3;
const rollMsMax = 30_000;

/** Ends validators together and waits until they are gone; healed, they start in the order of the list. */
export async function endAndStart(
  network: FaultTarget,
  validators: readonly number[],
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Heal> {
  await Promise.all(validators.map((index) => network.node(index).end(signal)));
  return async () => {
    // In the order of the list, so that an order of starts can be asked for; nobody waits for anybody.
    await Promise.all(validators.map((index) => network.start(index)));
  };
}

/** Stops processes where they stand (SIGSTOP), with their connections open; healed, they go on (SIGCONT). */
export async function pause(network: FaultTarget, validators: readonly number[]): Promise<Heal> {
  for (const index of validators) network.node(index).pause();
  return async () => {
    for (const index of validators) network.node(index).resume();
  };
}

/** Restarts a validator with a wall clock that is off by `offset_ms`; healed, it restarts with the right one. */
export async function shiftClock(
  network: FaultTarget,
  { validator, offset_ms }: Fault & { readonly kind: 'clock' },
): Promise<Heal> {
  await network.node(validator).end('SIGTERM');
  await network.start(validator, { clockOffsetMs: offset_ms });
  return endAndStartNow(network, validator, 'SIGTERM');
}

/** A cure that restarts a validator: for faults that a process has from its start on. */
export const endAndStartNow =
  (network: FaultTarget, validator: number, signal: 'SIGKILL' | 'SIGTERM'): Heal =>
  async () => {
    await network.node(validator).end(signal);
    await network.start(validator);
  };

/** The process may die before it serves; where it does not get to its point, it is killed in the end. */
export async function dieAtPoint(
  network: ChaosNetwork,
  { validator, at }: Fault & { readonly kind: 'crash_point' },
): Promise<Heal> {
  const node = network.node(validator);
  await node.end('SIGKILL');
  await network.start(validator, { crashAt: at, mayEndWith: ['SIGKILL'] });
  return async () => {
    if (node.running) network.say(`${network.name(validator)} has not reached its crash point`);
    await endAndStartNow(network, validator, 'SIGKILL')();
  };
}

/** One thread of the node fails soon after it serves: the process has to notice and to end. */
export async function failThread(
  network: ChaosNetwork,
  { validator, thread, how }: Fault & { readonly kind: 'thread' },
): Promise<Heal> {
  const node = network.node(validator);
  await node.end('SIGKILL');
  // The gateway's sockets do not survive an end of their thread from outside: what is left is a signal.
  const mayEndWith = thread === 'gateway' ? [exitCode.internal, 'SIGKILL', 'SIGABRT', 'SIGSEGV'] : [exitCode.internal];
  await network.start(validator, { environment: { PRIME_THREAD_FAULT: `${thread}:${how}` }, mayEndWith });
  return async () => {
    if (!(await node.untilEnded(endMsMax * network.patience)))
      network.say(`${network.name(validator)} did not end although its ${thread} thread failed`);
    await network.start(validator);
  };
}

/** What it makes of a block is soon not what the others make of it: it has to end. Its state is worth nothing then. */
export async function diverge(
  network: ChaosNetwork,
  { validator }: Fault & { readonly kind: 'diverge' },
): Promise<Heal> {
  const node = network.node(validator);
  network.outlaws.add(network.homes.addresses[validator]!);
  await node.end('SIGKILL');
  const height = network.watch.highest(network.all) + divergeAfterBlocks;
  await network.start(validator, { environment: { PRIME_DIVERGE_AT: `${height}` }, mayEndWith: [exitCode.diverged] });
  return async () => {
    if (!(await node.untilEnded(endMsMax * network.patience)))
      network.say(`${network.name(validator)} did not end although it diverged at ${height}`);
    await rm(homePaths(node.home).state, { recursive: true });
    await startAnew(network, validator);
  };
}

/** Every validator stops and starts, one when the one before is back. */
export async function roll(network: ChaosNetwork, { program }: Fault & { readonly kind: 'roll' }): Promise<Heal> {
  await rollTo(network, program);
  return async () => {
    if (program !== undefined) await rollTo(network, undefined);
  };
}

async function rollTo(network: ChaosNetwork, program: string | undefined): Promise<void> {
  for (let index = 0; index < network.validators; index++) {
    await network.node(index).end('SIGTERM');
    await network.start(index, program === undefined ? {} : { program });
    const goal = network.watch.highest(network.all);
    const isBack = (heads: readonly number[]): boolean => heads[index]! >= goal - rollLagBlocks && heads[index]! > 0;
    if (!(await network.watch.until(isBack, rollMsMax * network.patience)))
      network.say(`${network.name(index)} is not back: the next one waits no longer`);
  }
}

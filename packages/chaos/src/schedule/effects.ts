/** What each kind of fault means for a network: the promises of the design, and what a manifest may promise, follow from it. */
import { type Fault, nodesNamed } from './faults.ts';

/** A node that was ended is back by then, ms. */
export const restartMs = 5_000;
const connectedMs = 10_000;
const resyncMs = 20_000;
/** Actions of validators are undone: a few blocks, and a restart where a role changes. */
const membershipMs = 20_000;

/** What a kind of fault means while it lasts, and once it is healed. */
export interface FaultEffect {
  /** From healing until the network is back, at most, ms. */
  readonly backMs: number;
  /** Whether the nodes that it names do their work, may not be counted on, or do not work at all. */
  readonly named: 'working' | 'disturbed' | 'stopped';
  /** To whom alone it can happen. */
  readonly only?: 'followers' | 'validators';
  /** The set of validators is another one while it lasts. */
  readonly changesPower?: true;
}

/** By kind of fault. */
export const effects: Readonly<Record<Fault['kind'], FaultEffect>> = {
  kill: { backMs: restartMs, named: 'stopped' },
  stop: { backMs: restartMs, named: 'stopped' },
  pause: { backMs: connectedMs, named: 'stopped' },
  clock: { backMs: restartMs, named: 'disturbed' },
  crash_point: { backMs: restartMs, named: 'disturbed' },
  thread: { backMs: restartMs, named: 'disturbed' },
  partition: { backMs: connectedMs, named: 'working' },
  cut: { backMs: connectedMs, named: 'working' },
  // Slow, lossy and resetting links still deliver: rounds grow until they are long enough.
  degrade: { backMs: connectedMs, named: 'working' },
  reset: { backMs: connectedMs, named: 'working' },
  // Whoever is attacked has to go on.
  attack: { backMs: connectedMs, named: 'working' },
  overload: { backMs: connectedMs, named: 'working' },
  damage: { backMs: resyncMs, named: 'disturbed' },
  wipe: { backMs: resyncMs, named: 'disturbed' },
  restore: { backMs: resyncMs, named: 'disturbed', only: 'validators' },
  disk_full: { backMs: resyncMs, named: 'disturbed' },
  diverge: { backMs: resyncMs, named: 'disturbed', only: 'validators' },
  state_sync: { backMs: resyncMs, named: 'disturbed', only: 'followers' },
  // A restart each, one after the other: nobody is the affected one.
  roll: { backMs: membershipMs, named: 'working' },
  // Whoever joins is there before it counts.
  join: { backMs: membershipMs, named: 'working', only: 'followers', changesPower: true },
  stake: { backMs: membershipMs, named: 'working', only: 'validators', changesPower: true },
  rotate_signer: { backMs: membershipMs, named: 'working', only: 'validators' },
  jail_self: { backMs: membershipMs, named: 'disturbed', only: 'validators', changesPower: true },
  downtime: { backMs: membershipMs, named: 'stopped', only: 'validators', changesPower: true },
};

/** Nodes on which nobody may count while the fault lasts. */
export const disturbed = (fault: Fault): readonly number[] =>
  effects[fault.kind].named === 'working' ? [] : nodesNamed(fault);

/** Nodes that do not work at all while the fault lasts. */
export const stopped = (fault: Fault): readonly number[] =>
  effects[fault.kind].named === 'stopped' ? nodesNamed(fault) : [];

/** Whether the set of validators is another one while a fault lasts. */
export const changesPower = (kind: Fault['kind']): boolean => effects[kind].changesPower === true;

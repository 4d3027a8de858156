import type { ActionPayload } from '@prime/codec';
import { createPrng, type Hash, type Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { SimulatedNode } from '../node/node.ts';
import { claimOf, signedByOwner } from './ownerActions.ts';
import { shuffled } from '../../shuffled.ts';
import type { Departure, World } from '../world.ts';

/**
 * Validators that come and go while another one is down for long, and homes that are copied: no other faults than lost messages and restarts, so
 * that whatever stands still does so for what peers make of each other.
 */

/** Blocks that must be decided after the change, while one is down. */
const blocksWithout = 6;
const patienceMs = 60_000;

/** What the change makes of the registered validators, once some node knows of it. */
function isDone(change: Departure, changer: SimulatedNode, nodes: readonly SimulatedNode[]): boolean {
  return nodes.some(({ roster }) => {
    const entry = roster.registered.find(({ address }) => address === changer.address);
    if (change === 'leave') return entry?.status === 'left';
    if (change === 'join') return entry?.status === 'active';
    return entry !== undefined && entry.signer !== changer.address;
  });
}

function restart(world: World, node: SimulatedNode, delayMs: number): void {
  node.crash(false);
  world.time.after(delayMs, () => node.isAlive || node.isAway || node.start());
}

/** While one validator is down, another one leaves, joins or rotates its key, is maybe started anew, and blocks go on. */
export function planDeparture(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options, seen } = world;
  const { departure: change } = options;
  if (change === null) return;
  const prng = createPrng(options.seed ^ 0xde_9a);
  const newcomer = nodes.find((node) => node.role === 'full');
  const validators = shuffled(
    nodes.filter((node) => node !== newcomer),
    prng,
  );
  const down = validators[0]!;
  const changer = change === 'join' ? newcomer! : validators[1]!;
  seen[({ leave: 'departures', join: 'joins', rotate: 'rotations' } as const)[change]] += 1;
  time.after(500 + prng.below(1_000), () => {
    down.isAway = true;
    down.crash(false);
  });
  const others = nodes.filter((node) => node !== down && node !== changer);
  // An owner who does not see what he wanted asks again, at another node.
  const submit = (payload: ActionPayload, isNow: () => boolean): void => {
    if (isNow()) return;
    const node = others[prng.below(others.length)]!;
    void node.submitTransaction(signedByOwner(world, changer.address, payload));
    time.after(300 + prng.below(300), () => submit(payload, isNow));
  };
  time.after(1_500 + prng.below(1_000), () => {
    if (change === 'join') submit(joinOf(world, changer), () => changer.roster.signersOf(changer.address).length > 0);
    else
      submit(change === 'leave' ? { type: 'validatorLeave' } : rotateOf(world, changer), () =>
        isDone(change, changer, others),
      );
  });
  const isRestarted = prng.chance(1, 2);
  watch(world, nodes, { change, changer, down, isRestarted, prng, submit });
}

interface Watched {
  readonly change: Departure;
  readonly changer: SimulatedNode;
  readonly down: SimulatedNode;
  readonly isRestarted: boolean;
  readonly prng: Prng;
  readonly submit: (payload: ActionPayload, isNow: () => boolean) => void;
}

/** Follows the change to its end, and brings back who was down. */
function watch(world: World, nodes: readonly SimulatedNode[], watched: Watched): void {
  const { time } = world;
  const { change, changer, down, isRestarted, prng, submit } = watched;
  const others = nodes.filter((node) => node !== down && node !== changer);
  const newest = (): number => Math.max(...others.map(({ height }) => height));
  const sinceMs = time.nowMs;
  let until: number | null = null;
  let hasJoined = false;
  const look = (): void => {
    if (change === 'join' && !hasJoined && changer.roster.signersOf(changer.address).length > 0) {
      // It has joined, jailed: its operator starts it as a validator and takes it out.
      hasJoined = true;
      restart(world, changer, 50 + prng.below(200));
      time.after(400, () => submit({ type: 'validatorUnjail' }, () => isDone(change, changer, others)));
    }
    if (until === null && isDone(change, changer, others)) {
      until = newest() + blocksWithout;
      world.note(changer.label, () => `${change}: done in a block up to ${newest()}`);
      if (isRestarted && changer.isAlive) restart(world, changer, 20 + prng.below(1_500));
    }
    if (until !== null && newest() >= until) {
      down.isAway = false;
      if (!down.isAlive) down.start();
      return;
    }
    if (time.nowMs > sinceMs + patienceMs) {
      changer.failure ??= new Violation(`no progress: ${changer.label} wants to ${change}, and ${down.label} is down`);
      return;
    }
    time.after(20, look);
  };
  time.after(1_500, look);
}

function joinOf(world: World, { address }: SimulatedNode): ActionPayload {
  const { stake } = world.genesis.validators[0]!;
  const place = { host: '10.0.0.1', port: 30_303, spki: `0x${'5a'.repeat(32)}` as Hash };
  return { type: 'validatorJoin', ...claimOf(world, address, 0), stake, moniker: 'newcomer', ...place };
}

const rotateOf = (world: World, { address }: SimulatedNode): ActionPayload => ({
  type: 'validatorRotateSigner',
  ...claimOf(world, address, 1),
});

/** A validator's home is copied while it is down for a moment, and the copy is started when the validator is back, which may be started anew once more. */
export function planCopy(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options, seen } = world;
  if (!options.hasCopy) return;
  const prng = createPrng(options.seed ^ 0xc0_b1);
  const copy = nodes.find((node) => node.isCopy)!;
  const original = nodes.find((node) => node !== copy && node.address === copy.address)!;
  const copiedMs = 800 + prng.below(2_000);
  time.after(copiedMs, () => {
    original.crash(prng.chance(1, 2));
    copy.copyHome(original);
    original.start();
  });
  const startedMs = copiedMs + 400 + prng.below(2_500);
  time.after(startedMs, () => {
    seen.copiesStarted += 1;
    copy.start();
  });
  if (!prng.chance(1, 3)) return;
  // Now and then the original is away for a moment when the copy comes, or just after that.
  const awayMs = startedMs - 300 + prng.below(600);
  time.after(awayMs, () => {
    if (original.isOver) return;
    original.wasRestarted = true;
    restart(world, original, 50 + prng.below(1_000));
  });
}

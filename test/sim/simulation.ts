import { totalPower } from '@prime/consensus';
import { type Address, createPrng, type Prng } from '@prime/primitives';
import { FaultyNode } from './faultyNode.ts';
import { HonestNode } from './honestNode.ts';
import { findingOf } from './finding.ts';
import { Violation } from './observer.ts';
import { shuffled } from './shuffled.ts';
import { createWorld, type Seen, type SimulationOptions, type World } from './world.ts';

export interface SimulationResult {
  readonly options: SimulationOptions;
  /** What was violated, or null. */
  readonly violation: string | null;
  readonly events: number;
  readonly virtualMs: number;
  readonly heights: number;
  readonly seen: Seen;
  /** Who misbehaved and how, and the last things that happened. */
  readonly trace: readonly string[];
}

/** More than any run needs; a run that gets here has an endless loop in it. */
const eventsMax = 400_000;

/** Everything else about a run follows from the seed. */
export function optionsOfSeed(seed: number): SimulationOptions {
  const prng = createPrng(seed ^ 0x51_4d);
  return {
    seed,
    validatorCount: prng.chance(3, 4) ? 4 : 7,
    equalPower: prng.chance(2, 3),
    faultsMs: 1_500 + prng.below(2_500),
    blocksAfterFaults: 2,
    isPairCutForever: prng.chance(1, 4),
    patienceMs: 60_000,
  };
}

/** Faulty validators: as many as fit below a third of the power, in random order. */
function chooseFaulty(world: World): Set<Address> {
  const { validators } = world.setAt(1);
  const total = totalPower(world.setAt(1));
  const chosen = new Set<Address>();
  let power = 0n;
  if (world.prng.chance(1, 5)) return chosen;
  for (const validator of shuffled(validators, world.prng)) {
    if ((power + validator.power) * 3n >= total) continue;
    power += validator.power;
    chosen.add(validator.address);
  }
  return chosen;
}

/** Two halves that overlap in a few peers, so that each twin hears of something different. */
function twins(world: World, address: Address, label: string): HonestNode[] {
  const others = shuffled(
    world.addresses.filter((other) => other !== address),
    world.prng,
  );
  const middle = Math.ceil(others.length / 2);
  const halves = [others.slice(0, middle), others.slice(middle - world.prng.below(2))];
  return halves.map((half, index) => {
    const peers = new Set(half);
    return new HonestNode(world, `${label}${'ab'[index]}`, address, { isHonest: false, peers });
  });
}

function populate(world: World): HonestNode[] {
  const faulty = chooseFaulty(world);
  const nodes: HonestNode[] = [];
  for (const [index, address] of world.addresses.entries()) {
    if (!faulty.has(address)) {
      nodes.push(new HonestNode(world, `n${index}`, address, { isHonest: true, peers: null }));
      continue;
    }
    const style = world.prng.below(4);
    if (style === 0) nodes.push(...twins(world, address, `t${index}`));
    else {
      // Silent, reticent or talkative.
      const talk = [0, 3, 7][style - 1]!;
      world.participants.push(new FaultyNode(world, `f${index}`, address, talk));
    }
  }
  world.participants.push(...nodes);
  return nodes;
}

/** Cuts some links for a while, one direction or both: halves, a lonely node, or single pairs. */
function partition(world: World, prng: Prng): void {
  const [left, right] = [new Set<Address>(), new Set<Address>()];
  const kind = prng.below(4);
  for (const [index, address] of shuffled(world.addresses, prng).entries())
    if (kind === 0 ? index % 2 === 0 : index === 0) left.add(address);
    else if (kind !== 3 || index < 3) right.add(address);
  const isOneWay = prng.chance(1, 3);
  for (const from of left)
    for (const to of right) {
      world.cutLinks.add(`${from}/${to}`);
      if (!isOneWay) world.cutLinks.add(`${to}/${from}`);
    }
  world.note('net', () => `cut: ${[...world.cutLinks].map((link) => link.replace(/0x0*/g, '')).join(' ')}`);
}

function cutPair(world: World, prng: Prng): void {
  const [left, right] = shuffled(world.addresses, prng);
  world.cutLinks.add(`${left}/${right}`).add(`${right}/${left}`);
}

/** Plans the faults of links and processes until they stop. */
function planFaults(world: World, nodes: readonly HonestNode[]): void {
  const { queue, options } = world;
  const prng = world.prng.fork();
  const crashing = prng.chance(1, 2) ? nodes : [];
  for (let atMs = prng.below(400); atMs < options.faultsMs; atMs += 200 + prng.below(600)) {
    queue.after(atMs, () => {
      world.cutLinks.clear();
      if (prng.chance(1, 2)) partition(world, prng);
    });
    for (const node of crashing)
      if (prng.chance(1, 4))
        queue.after(atMs + prng.below(200), () => (node.crashAfter = node.isUp ? prng.below(25) : null));
  }
  queue.after(options.faultsMs, () => {
    world.cutLinks.clear();
    for (const node of nodes) node.crashAfter = null;
    // With less than three there is nobody left who could pass on what the two need of each other.
    if (options.isPairCutForever && nodes.filter((node) => node.isHonest).length > 2) cutPair(world, prng);
    world.note('net', () => 'faults stop');
  });
}

/** Runs one cluster from its seed until it has shown that it lives, or a violation. Same options, same run. */
export function simulate(options: SimulationOptions): SimulationResult {
  const world = createWorld(options);
  const nodes = populate(world);
  const honest = nodes.filter((node) => node.isHonest);
  for (const node of nodes) world.queue.after(world.prng.below(50), () => node.start());
  planFaults(world, nodes);
  let events = 0;
  let target = Number.POSITIVE_INFINITY;
  world.queue.after(options.faultsMs, () => {
    target = Math.max(...honest.map((node) => node.decidedHeight)) + options.blocksAfterFaults;
  });
  const isDone = (): boolean => honest.every((node) => node.decidedHeight >= target);
  let violation: string | null = null;
  try {
    while (!isDone()) {
      if (world.queue.nowMs > options.faultsMs + options.patienceMs)
        throw new Violation(
          `no progress: not everyone decided height ${target} within ${options.patienceMs} ms after the faults`,
        );
      if (events++ > eventsMax || !world.queue.runNext()) throw new Violation(`run does not end: ${events} events`);
    }
  } catch (error) {
    violation = findingOf(error, options.seed, world.log);
  }
  return {
    options,
    violation,
    events,
    virtualMs: world.queue.nowMs,
    heights: Math.max(...honest.map((node) => node.decidedHeight)),
    seen: world.seen,
    trace: [
      `seed ${options.seed}: ${options.validatorCount} validators, ${world.participants.map(({ label }) => label).join(' ')} (n follows the protocol, t is a twin, f is faulty)`,
      ...world.log,
      ...nodes.map((node) => node.describe()),
    ],
  };
}

import type { Height, Prng } from '@prime/primitives';
import { shuffled } from '../shuffled.ts';
import type { SimulatedNode } from './node.ts';
import { wrongClock } from './populate.ts';
import type { World } from './world.ts';

/** Cuts links for a while, one direction or both: halves, or one lonely node. */
function partition(world: World, prng: Prng): void {
  world.cutLinks.clear();
  if (prng.chance(1, 2)) return;
  const isHalved = prng.chance(1, 2);
  const isOneWay = prng.chance(1, 3);
  const order = shuffled(world.addresses, prng);
  const left = order.filter((_, index) => (isHalved ? index % 2 === 0 : index === 0));
  for (const from of left)
    for (const to of order.filter((address) => !left.includes(address))) {
      world.cutLinks.add(`${from}/${to}`);
      if (!isOneWay) world.cutLinks.add(`${to}/${from}`);
    }
  world.seen[isHalved ? 'cutHalves' : 'cutAlone'] += 1;
  if (isOneWay) world.seen.cutOneWay += 1;
  world.note('net', () => `cut: ${[...world.cutLinks].map((link) => link.replace(/0x(\w{4})\w*/g, '$1')).join(' ')}`);
}

/** Wrong clocks are set anew, forwards and back. */
function jumpClocks(world: World, nodes: readonly SimulatedNode[], prng: Prng): void {
  for (const node of nodes) {
    if (!node.hasWrongClock || prng.chance(1, 2)) continue;
    node.skewMs = wrongClock(prng);
    world.seen.clockJumps += 1;
    world.note(node.label, () => `has its clock set to ${node.skewMs} ms from the true time`);
  }
}

/**
 * An operator looks a block up, so that the node may begin with a snapshot; only where there is one, or a network that needs the node would wait for
 * one for ever.
 *
 * @returns whether there is
 */
function trustSomething(world: World, node: SimulatedNode, nodes: readonly SimulatedNode[], prng: Prng): boolean {
  const others = nodes.filter(
    // One may have lost its blocks and not its snapshots, or have begun with one itself and have no block yet.
    ({ isHonest, disk }) =>
      isHonest && disk !== node.disk && disk.head > disk.before && disk.snapshots.list().length > 0,
  );
  const from = others[prng.below(Math.max(1, others.length))];
  if (from === undefined) return false;
  const { disk } = from;
  const height = disk.before + 1 + prng.below(disk.head - disk.before);
  node.trusted = { height: height as Height, hash: disk.block(height)!.hash };
  world.note(node.label, () => `is to begin with a snapshot, and to trust block ${height}`);
  return true;
}

const newestSnapshot = (nodes: readonly SimulatedNode[], isHonest: boolean): number =>
  Math.max(
    0,
    ...nodes
      .filter((node) => node.isHonest === isHonest)
      .flatMap(({ disk }) => disk.snapshots.list().map(({ manifest }) => manifest.height)),
  );

/** Nodes that were not there in the beginning start when somebody has a snapshot for them, some of them when that of the liars is the newest. */
export function planNewcomers(world: World, nodes: readonly SimulatedNode[]): void {
  const newcomers = nodes.filter(({ role }) => role !== 'validator');
  if (!world.options.stateSync) return;
  const prng = world.prng.fork();
  for (const node of newcomers) {
    const isUnlucky = prng.chance(7, 8);
    const arrive = (): void => {
      if (node.isAlive) return;
      const isTime = !isUnlucky || newestSnapshot(nodes, false) > newestSnapshot(nodes, true);
      if (isTime && trustSomething(world, node, nodes, prng)) node.start();
      else world.time.after(300, arrive);
    };
    world.time.after(prng.below(world.options.faultsMs), arrive);
  }
}

/** The follower that is honest loses all its links for a while, again and again, and has blocks to ask for each time. */
export function planLags(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options, cutLinks } = world;
  const [lagging] = nodes.filter(({ role, isHonest }) => role === 'full' && isHonest);
  const cut = (): void => {
    for (const { address } of nodes) cutLinks.add(`${address}/${lagging!.address}`);
  };
  for (let atMs = 1_000; atMs < options.faultsMs; atMs += 6_000) {
    time.after(atMs, cut);
    time.after(atMs + 3_000, () => cutLinks.clear());
  }
  time.after(options.faultsMs, () => cutLinks.clear());
}

/** Plans the faults of links and processes until they stop; after that everyone is up. */
export function planFaults(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options } = world;
  const prng = world.prng.fork();
  const isCrashing = prng.chance(3, 4);
  const losers = options.stateSync ? nodes.filter(({ isHonest, role }) => isHonest && role === 'validator') : nodes;
  const loser = losers[prng.below(losers.length)];
  let lost = options.losesFolder === null;
  const restart = (node: SimulatedNode, delayMs: number): void => {
    time.after(delayMs, () => !node.isAlive && node.start());
  };
  const crash = (node: SimulatedNode): void => {
    node.crash(options.powerCuts && prng.chance(2, 3));
    if (loser === node && !lost && (!options.stateSync || trustSomething(world, node, nodes, prng))) {
      lost = true;
      world.seen.foldersLost += 1;
      if (options.losesFolder === 'blocks') node.disk.loseBlocks();
      else node.disk.loseWal();
      world.note(node.label, () => `loses its ${options.losesFolder}`);
    }
    restart(node, 20 + prng.below(1_500));
  };
  for (let atMs = prng.below(400); atMs < options.faultsMs; atMs += 200 + prng.below(900)) {
    time.after(atMs, () => {
      partition(world, prng);
      jumpClocks(world, nodes, prng);
    });
    if (!isCrashing) continue;
    for (const node of nodes) {
      if (!prng.chance(1, 5)) continue;
      const inOperation = prng.chance(1, 2);
      time.after(atMs + prng.below(200), () => {
        if (!node.isAlive) return;
        if (!inOperation) return crash(node);
        node.dieAfter(prng.below(30));
        // Whether or not an operation came to strike in, the process is gone after a while.
        time.after(300, () => crash(node));
      });
    }
  }
  time.after(options.faultsMs, () => {
    world.cutLinks.clear();
    for (const node of nodes) {
      node.disk.files.failAfter = null;
      if (!node.isAlive && node.hasBegun) node.start();
    }
    world.note('net', () => 'faults stop');
  });
}

import { createPrng, type Height, type Prng } from '@prime/primitives';
import { shuffled } from '../../shuffled.ts';
import type { SimulatedNode } from '../node/node.ts';
import { wrongClock } from './populate.ts';
import type { World } from '../world.ts';

type Shape = 'halves' | 'alone' | 'ring' | 'bridge';
const cutNames = { halves: 'cutHalves', alone: 'cutAlone', ring: 'cutRings', bridge: 'cutBridges' } as const;

/**
 * Whether two validators can not reach each other, by their places.
 *
 * - halves, or one who is alone
 * - ring: each reaches a quorum of its neighbours on both sides, and no two of them the same one
 * - bridge: two groups, and one validator that is in both
 */
function isApart(shape: Shape, a: number, b: number, count: number): boolean {
  if (shape === 'halves') return a % 2 !== b % 2;
  if (shape === 'alone') return (a === 0) !== (b === 0);
  if (shape === 'bridge') return a > 0 && b > 0 && a % 2 !== b % 2;
  const far = Math.abs(a - b);
  return Math.min(far, count - far) > Math.ceil(Math.floor((2 * count) / 3) / 2);
}

/** Of two directions the one that a cut in one direction leaves. */
const isBack = (shape: Shape, from: number, to: number): boolean => (shape === 'halves' ? from % 2 === 1 : from > to);

/** Cuts links for a while, one direction or both. */
function partition(world: World, prng: Prng, shapes: Prng): void {
  world.cutLinks.clear();
  if (prng.chance(1, 2)) return;
  const isHalved = prng.chance(1, 2);
  const isOneWay = prng.chance(1, 3);
  const shape: Shape = shapes.chance(1, 3) ? (shapes.chance(1, 2) ? 'ring' : 'bridge') : isHalved ? 'halves' : 'alone';
  const order = shuffled(world.addresses, prng);
  for (const [from, source] of order.entries())
    for (const [to, target] of order.entries())
      if (isApart(shape, from, to, order.length) && !(isOneWay && isBack(shape, from, to)))
        world.cutLinks.add(`${source}/${target}`);
  world.seen[cutNames[shape]] += 1;
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
      isHonest &&
      disk !== node.disk &&
      disk.head > disk.before &&
      // The header that proves a snapshot is that of the next block, which may need the node.
      disk.snapshots.list().some(({ manifest }) => manifest.height < disk.head),
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

/** Many a network has its first snapshot only when the faults have stopped. */
const rejoinGraceMs = 3_000;

/** Two validators lose their blocks, one after the other, as soon as somebody has a snapshot for them, and begin with that. */
function planRejoining(
  world: World,
  nodes: readonly SimulatedNode[],
  restart: (node: SimulatedNode, delayMs: number) => void,
): void {
  const { time, options, seen } = world;
  const prng = createPrng(options.seed ^ 0x10_57);
  const validators = nodes.filter(({ isHonest, role }) => isHonest && role === 'validator');
  for (const [index, node] of shuffled(validators, prng).slice(0, 2).entries()) {
    const lose = (): void => {
      if (time.nowMs > options.faultsMs + rejoinGraceMs) return;
      if (node.disk.head === 0 || !trustSomething(world, node, nodes, prng)) return void time.after(200, lose);
      if (node.isAlive) node.crash(options.powerCuts);
      node.disk.loseBlocks();
      seen.foldersLost += 1;
      world.note(node.label, () => 'loses its blocks');
      restart(node, 20 + prng.below(500));
    };
    time.after(((1 + index) * options.faultsMs) / 3, lose);
  }
}

/**
 * Whether the network goes on without the blocks of a node. Blocks that nobody else honest has are gone with it, and so are its votes for them: it signed for the
 * height behind them and votes for no other one. That makes it one of the third that may fail, beside those who follow no rules.
 */
function canLoseBlocks(world: World, nodes: readonly SimulatedNode[], node: SimulatedNode): boolean {
  const faulty = new Set(nodes.filter(({ isHonest }) => !isHonest).map(({ address }) => address));
  return (
    (faulty.size + 1) * 3 < world.addresses.length ||
    nodes.some((other) => other !== node && other.isHonest && other.disk.head >= node.disk.head)
  );
}

/** Plans the faults of links and processes until they stop; after that everyone is up. */
export function planFaults(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options } = world;
  const prng = world.prng.fork();
  const isCrashing = prng.chance(3, 4);
  // By themselves: what else goes wrong in a run does not depend on them.
  const shapes = createPrng(options.seed ^ 0x51_4e);
  const loser = nodes[prng.below(nodes.length)];
  let lost = options.losesFolder === null || options.stateSync;
  const restart = (node: SimulatedNode, delayMs: number): void => {
    time.after(delayMs, () => !node.isAlive && node.start());
  };
  const crash = (node: SimulatedNode): void => {
    node.crash(options.powerCuts && prng.chance(2, 3));
    if (loser === node && !lost && (options.losesFolder === 'wal' || canLoseBlocks(world, nodes, node))) {
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
      partition(world, prng, shapes);
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
  if (options.stateSync) planRejoining(world, nodes, restart);
  time.after(options.faultsMs, () => {
    world.cutLinks.clear();
    for (const node of nodes) {
      node.disk.files.failAfter = null;
      if (!node.isAlive && node.hasBegun) node.start();
    }
    world.note('net', () => 'faults stop');
  });
}

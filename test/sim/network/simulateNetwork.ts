import { type VerifiedAction, verifyNativeTransaction } from '@prime/codec';
import { type CryptoProvider, keccakHex } from '@prime/crypto';
import { type Address, createPrng, type Hash, parseAddress, type Prng } from '@prime/primitives';
import { Violation } from '../observer.ts';
import { shuffled } from '../shuffled.ts';
import { createCorruption } from './corruption.ts';
import { planMembership } from './ownerActions.ts';
import { SimulatedNode } from './node.ts';
import { createWorld, type NetworkOptions, type NetworkSeen, type World } from './world.ts';

export interface NetworkResult {
  readonly options: NetworkOptions;
  /** What was violated, or null. */
  readonly violation: string | null;
  readonly events: number;
  readonly virtualMs: number;
  readonly heights: number;
  readonly seen: NetworkSeen;
  readonly trace: readonly string[];
}

/** More than any run needs; a run that gets here has an endless loop in it. */
const eventsMax = 400_000;

/** Everything else about a run follows from the seed. */
export function networkOptionsOfSeed(seed: number): NetworkOptions {
  const prng = createPrng(seed ^ 0x4e_37);
  return {
    seed,
    validatorCount: prng.chance(4, 5) ? 4 : 7,
    faultsMs: 3_000 + prng.below(6_000),
    blocksAfterFaults: 2,
    patienceMs: 120_000,
    powerCuts: prng.chance(1, 2),
    losesFolder: prng.chance(1, 3) ? (prng.chance(1, 2) ? 'blocks' : 'wal') : null,
    realCrypto: false,
    membership: false,
    membershipDamage: {},
    damage: {},
  };
}

/** A network whose owners change the set all the time: seven, of which one is faulty, so that some can be missing beside it. */
export const membershipOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...networkOptionsOfSeed(seed),
  validatorCount: 7,
  membership: true,
});

const honestly = { isHonest: true, circle: null, corruption: null, isForgetful: false } as const;

/** Less than a third follow no rules: twins that share a key, liars, and such as forget what they signed. */
function populate(world: World): SimulatedNode[] {
  const { prng, addresses } = world;
  const faultyMax = Math.floor((addresses.length - 1) / 3);
  const { membership } = world.options;
  // Where members change there is always one to be convicted.
  const faulty = new Set(shuffled(addresses, prng).slice(0, membership ? 1 : prng.below(faultyMax + 1)));
  const skew = (): number => prng.below(401) - 200;
  const nodes: SimulatedNode[] = [];
  for (const [index, address] of addresses.entries()) {
    const common = { address, skewMs: skew() };
    if (!faulty.has(address)) {
      nodes.push(new SimulatedNode(world, { ...honestly, ...common, label: `n${index}` }));
      continue;
    }
    const style = membership && prng.chance(2, 3) ? 2 : prng.below(3);
    const rogue = { ...common, isHonest: false, circle: null, isForgetful: false, corruption: null };
    if (style === 0) {
      const corruption = createCorruption(world, address, prng.fork());
      nodes.push(new SimulatedNode(world, { ...rogue, label: `l${index}`, corruption }));
    } else if (style === 1) nodes.push(new SimulatedNode(world, { ...rogue, label: `f${index}`, isForgetful: true }));
    else
      for (const [half, circle] of circles(world, address).entries())
        nodes.push(new SimulatedNode(world, { ...rogue, label: `t${index}${'ab'[half]}`, circle }));
  }
  return nodes;
}

/** Two halves of the others, so that each twin hears of something different. */
function circles(world: World, address: Address): Set<Address>[] {
  const others = shuffled(
    world.addresses.filter((other) => other !== address),
    world.prng,
  );
  const middle = Math.ceil(others.length / 2);
  return [new Set(others.slice(0, middle)), new Set(others.slice(middle - world.prng.below(2)))];
}

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
  world.note('net', () => `cut: ${[...world.cutLinks].map((link) => link.replace(/0x(\w{4})\w*/g, '$1')).join(' ')}`);
}

/** Plans the faults of links and processes until they stop; after that everyone is up. */
function planFaults(world: World, nodes: readonly SimulatedNode[]): void {
  const { time, options } = world;
  const prng = world.prng.fork();
  const isCrashing = prng.chance(3, 4);
  const loser = prng.below(nodes.length);
  let lost = false;
  const restart = (node: SimulatedNode, delayMs: number): void => {
    time.after(delayMs, () => !node.isAlive && node.start());
  };
  const crash = (node: SimulatedNode): void => {
    node.crash(options.powerCuts && prng.chance(2, 3));
    if (nodes[loser] === node && !lost && options.losesFolder !== null) {
      lost = true;
      if (options.losesFolder === 'blocks') node.disk.loseBlocks();
      else node.disk.loseWal();
      world.note(node.label, () => `loses its ${options.losesFolder}`);
    }
    restart(node, 20 + prng.below(1_500));
  };
  for (let atMs = prng.below(400); atMs < options.faultsMs; atMs += 200 + prng.below(900)) {
    time.after(atMs, () => partition(world, prng));
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
      if (!node.isAlive) node.start();
    }
    world.note('net', () => 'faults stop');
  });
}

/** Clients send actions to all nodes as long as there are faults. */
function planWork(world: World, nodes: readonly SimulatedNode[]): void {
  const prng = world.prng.fork();
  for (let atMs = 100; atMs < world.options.faultsMs; atMs += 50 + prng.below(600)) {
    const node = nodes[prng.below(nodes.length)]!;
    const account = parseAddress(`0x${(1000 + prng.below(50)).toString(16).padStart(40, '0')}`);
    world.time.after(atMs, () => node.submit(account));
  }
}

/** Blocks of all honest nodes agree, link and are certified; what was decided once stays. */
class ChainWatch {
  readonly #heights = new Map<SimulatedNode, number>();
  readonly #roots = new Map<number, Hash>();
  readonly included = new Set<Hash>();

  check(world: World, nodes: readonly SimulatedNode[]): void {
    for (const node of nodes) {
      if (node.failure !== null) throw node.failure;
      const from = this.#heights.get(node) ?? 0;
      for (const { certificate, block, actionHashes } of newBlocks(node, from)) {
        // Before the certificate is counted: the set of its height comes from the blocks before it.
        const actions = block.actions.map((raw) => actionOf(world, raw));
        world.oracle.onBlock({ hash: certificate.blockHash, block, transactions: [], actions });
        world.observer.decided(node.address, certificate);
        for (const hash of actionHashes) this.included.add(hash);
        const { height, parentResults } = block.header;
        const known = this.#roots.get(height) ?? parentResults.stateRoot;
        if (known !== parentResults.stateRoot) throw new Violation(`two state roots of block ${height - 1}`);
        this.#roots.set(height, known);
      }
      this.#heights.set(node, node.height);
    }
  }
}

const newBlocks = (node: SimulatedNode, from: number) =>
  node.disk.blocks.slice(from).map((stored) => ({ ...stored, actionHashes: stored.block.actions.map(hashOf) }));

function actionOf({ genesis, provider }: World, raw: Uint8Array): VerifiedAction {
  const verified = verifyNativeTransaction(raw, genesis.chainId, provider);
  if ('failure' in verified) throw new Violation(`a decided block holds an action that is ${verified.failure}`);
  return verified;
}

const hashOf = (raw: Uint8Array): Hash => keccakHex(raw);

/** Runs one network from its seed until it has shown that it lives, or a violation. Same options, same run. */
export async function simulateNetwork(options: NetworkOptions, crypto: CryptoProvider): Promise<NetworkResult> {
  const world = createWorld(options, crypto);
  const nodes = populate(world);
  world.stations.push(...nodes);
  const honest = nodes.filter((node) => node.isHonest);
  for (const node of nodes) world.time.after(world.prng.below(50), () => node.start());
  planFaults(world, nodes);
  planWork(world, honest);
  planMembership(world, honest);
  const watch = new ChainWatch();
  let events = 0;
  let target = Number.POSITIVE_INFINITY;
  world.time.after(options.faultsMs, () => {
    target = Math.max(...honest.map((node) => node.height)) + options.blocksAfterFaults;
  });
  const isIncluded = (hash: Hash): boolean => watch.included.has(hash);
  const isDone = (): boolean =>
    honest.every((node) => node.height >= target && node.isUp && node.accepted.every(isIncluded));
  let violation: string | null = null;
  try {
    while (!isDone()) {
      if (world.time.nowMs > options.faultsMs + options.patienceMs)
        throw new Violation(stuck(honest, target, isIncluded));
      if (events++ > eventsMax || !(await world.time.step())) throw new Violation(`run does not end: ${events} events`);
      watch.check(world, honest);
    }
  } catch (error) {
    // A broken invariant of the code under test is a finding of the run too.
    violation = error instanceof Violation ? error.message : `${String(error)}\n${(error as Error).stack}`;
  }
  world.seen.equivocators = world.observer.equivocators.size;
  world.seen.actionsIncluded = watch.included.size;
  world.seen.memberChanges = world.oracle.changes;
  world.seen.convictions = world.oracle.convicted;
  return {
    options,
    violation,
    events,
    virtualMs: world.time.nowMs,
    heights: Math.max(...honest.map((node) => node.height)),
    seen: world.seen,
    trace: [
      `seed ${options.seed}: ${nodes.map(({ label, address }) => `${label} ${address.slice(0, 6)}`).join(', ')} (n follows the protocol, t is a twin, l lies, f forgets)`,
      ...world.log,
    ],
  };
}

function stuck(honest: readonly SimulatedNode[], target: number, isIncluded: (hash: Hash) => boolean): string {
  const heights = honest.map((node) => `${node.label} ${node.isUp ? node.height : 'down'}`).join(', ');
  const missing = honest.flatMap((node) => node.accepted).filter((hash) => !isIncluded(hash)).length;
  return `no progress: wanted is block ${target} everywhere, there are ${heights}; ${missing} accepted actions are in no block`;
}

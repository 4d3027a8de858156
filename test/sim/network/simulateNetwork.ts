import { type VerifiedAction, verifyNativeTransaction } from '@prime/codec';
import { type CryptoProvider, keccakHex } from '@prime/crypto';
import { createPrng, type Hash, parseAddress } from '@prime/primitives';
import { findingOf } from '../finding.ts';
import { Violation } from '../observer.ts';
import type { Coverage } from './coverage.ts';
import { planFaults, planLags, planNewcomers } from './scenario/faults.ts';
import { planCopy, planDeparture } from './scenario/departures.ts';
import { planMembership } from './scenario/ownerActions.ts';
import { populate } from './scenario/populate.ts';
import type { SimulatedNode } from './node/node.ts';
import { createUsers } from './scenario/users.ts';
import { planUpgrade } from './scenario/planUpgrade.ts';
import { upgradeHeight } from './scenario/upgrade.ts';
import { planClients, type Timing } from './scenario/wan.ts';
import { createWorld, departures, isOpen, type NetworkOptions, type World } from './world.ts';

export interface NetworkResult {
  readonly options: NetworkOptions;
  /** What was violated, or null. */
  readonly violation: string | null;
  readonly events: number;
  readonly virtualMs: number;
  readonly heights: number;
  readonly seen: Coverage;
  readonly trace: readonly string[];
  /** With a profile of distances. */
  readonly timing: Timing | null;
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
    engines: 'hash',
    membership: false,
    membershipDamage: {},
    damage: {},
    trustsSignatures: false,
    hasDribblers: false,
    stateSync: false,
    trustsSnapshots: false,
    upgradeAt: null,
    upgradeDamage: {},
    hasDivergent: false,
    profile: null,
    sessions: false,
    departure: null,
    hasCopy: false,
    sessionDamage: {},
  };
}

/** A network whose owners change the set all the time: seven, of which one is faulty, so that some can be missing beside it. */
export const membershipOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...networkOptionsOfSeed(seed),
  validatorCount: 7,
  membership: true,
});

/** Execution as it ships, on half of the networks with members that change. */
export const enginesOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...(seed % 2 === 0 ? networkOptionsOfSeed(seed) : membershipOptionsOfSeed(seed)),
  engines: 'real',
});

/** Nodes begin with snapshots, of seven validators of which two lie, or of changing members of which one does. */
export const syncOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...(seed % 3 === 0 ? membershipOptionsOfSeed(seed) : networkOptionsOfSeed(seed)),
  engines: 'real',
  validatorCount: 7,
  stateSync: true,
  losesFolder: 'blocks',
});

/** Nodes of an old program and of a new one move to another protocol version while everything fails; every eighth with the real engines. */
export const upgradeOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...networkOptionsOfSeed(seed),
  engines: seed % 8 === 4 ? 'real' : 'hash',
  upgradeAt: upgradeHeight(createPrng(seed ^ 0x76_02)),
  blocksAfterFaults: 4,
});

/** Two peers that are slow on purpose, one of them a validator, and a follower that needs blocks for two minutes. */
export const dribblerOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...networkOptionsOfSeed(seed),
  hasDribblers: true,
  validatorCount: 4,
  faultsMs: 150_000,
  powerCuts: false,
  losesFolder: null,
});

const peersOfSeed = (seed: number): NetworkOptions => ({
  ...networkOptionsOfSeed(seed),
  sessions: true,
  powerCuts: false,
  losesFolder: null,
});

/** One leaves, joins or rotates its key while another one is down: of five, or of four and a newcomer, everyone else is needed. */
export const departureOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...peersOfSeed(seed),
  departure: departures[seed % departures.length]!,
  validatorCount: 5,
  faultsMs: 3_000,
});

/** A copy of a validator's home beside the validator. */
export const copyOptionsOfSeed = (seed: number): NetworkOptions => ({
  ...peersOfSeed(seed),
  hasCopy: true,
  validatorCount: 4 + (seed % 2) * 3,
  faultsMs: 8_000,
});

/** Far apart, and nothing fails: 100 blocks. */
export const wanOptions = (changes: Pick<NetworkOptions, 'profile' | 'validatorCount'>): NetworkOptions => ({
  ...networkOptionsOfSeed(1),
  ...changes,
  faultsMs: 100,
  blocksAfterFaults: 100,
  powerCuts: false,
  losesFolder: null,
});

/** Clients send actions to all nodes as long as there are faults. */
function planWork(world: World, nodes: readonly SimulatedNode[]): void {
  const prng = world.prng.fork();
  for (let atMs = 100; atMs < world.options.faultsMs; atMs += 50 + prng.below(600)) {
    const node = nodes[prng.below(nodes.length)]!;
    const account = parseAddress(`0x${(1000 + prng.below(50)).toString(16).padStart(40, '0')}`);
    world.time.after(atMs, () => void node.submitAction(account, { type: 'noop' }));
  }
}

/** Blocks of all honest nodes agree, link and are certified; what was decided once stays. */
class ChainWatch {
  readonly #heights = new Map<SimulatedNode, number>();
  readonly #roots = new Map<number, Hash>();
  readonly included = new Set<Hash>();
  readonly transactions = new Set<Hash>();

  check(world: World, nodes: readonly SimulatedNode[]): void {
    for (const node of nodes) {
      const from = this.#heights.get(node) ?? 0;
      for (const { certificate, block, actionHashes } of newBlocks(node, from)) {
        // Before the certificate is counted: the set of its height comes from the blocks before it.
        const actions = block.actions.map((raw) => actionOf(world, raw));
        world.oracle.onBlock({ hash: certificate.blockHash, block, transactions: [], actions }, certificate.round);
        world.observer.decided(node.address, certificate);
        world.upgrade?.onBlock(node.label, node.program, block.header);
        const { height, parentResults } = block.header;
        for (const raw of block.transactions) this.transactions.add(hashOf(raw));
        for (const hash of [...actionHashes, ...block.transactions.map(hashOf)]) this.included.add(hash);
        const known = this.#roots.get(height) ?? parentResults.stateRoot;
        if (known !== parentResults.stateRoot) throw new Violation(`two state roots of block ${height - 1}`);
        this.#roots.set(height, known);
      }
      this.#heights.set(node, node.height);
    }
  }
}

const newBlocks = (node: SimulatedNode, from: number) =>
  node.disk.blocksAbove(from).map((stored) => ({ ...stored, actionHashes: stored.block.actions.map(hashOf) }));

function actionOf({ genesis, provider }: World, raw: Uint8Array): VerifiedAction {
  const verified = verifyNativeTransaction(raw, genesis.chainId, provider);
  if ('failure' in verified) throw new Violation(`a decided block holds an action that is ${verified.failure}`);
  return verified;
}

const hashOf = (raw: Uint8Array): Hash => keccakHex(raw);

/**
 * Runs one network from its seed until it has shown that it lives, or a violation. Same options, same run.
 *
 * @throws HarnessError
 */
export async function simulateNetwork(options: NetworkOptions, crypto: CryptoProvider): Promise<NetworkResult> {
  const accounts = options.engines === 'real' ? await createUsers(crypto) : [];
  const world = createWorld(options, crypto, accounts);
  const nodes = populate(world);
  world.stations.push(...nodes);
  const honest = nodes.filter((node) => node.isHonest);
  const clientsOf = honest.filter(({ role }) => role === 'validator');
  for (const node of nodes)
    if (!node.isCopy && (node.role === 'validator' || !options.stateSync))
      // Whoever got a new program before runs already: a home has one process.
      world.time.after(world.prng.below(50), () => node.isAlive || node.start());
  planNewcomers(world, nodes);
  if (options.hasDribblers) planLags(world, nodes);
  else if (world.timing === null && world.sessions === null) planFaults(world, nodes);
  if (world.timing !== null) planClients(honest, world.time.after);
  else if (world.users === null) planWork(world, clientsOf);
  else world.users.plan(clientsOf);
  planMembership(world, clientsOf);
  planUpgrade(world, honest);
  planDeparture(world, nodes);
  planCopy(world, nodes);
  const watch = new ChainWatch();
  let events = 0;
  let target = Number.POSITIVE_INFINITY;
  world.time.after(options.faultsMs, () => {
    target = Math.max(...honest.map((node) => node.height)) + options.blocksAfterFaults;
  });
  const isIncluded = (hash: Hash): boolean => watch.included.has(hash);
  const isThere = (node: SimulatedNode): boolean =>
    node.height >= target && node.isUp && node.accepted.every(isIncluded);
  const isDone = (): boolean =>
    honest.every((node) => hasGivenUp(world, node) || isThere(node)) &&
    honest.every((node) => world.users?.hasExecuted(node) ?? true);
  let violation: string | null = null;
  try {
    while (!isDone()) {
      if (world.time.nowMs > options.faultsMs + options.patienceMs)
        throw new Violation(stuck(honest, target, isIncluded));
      if (events++ > eventsMax || !(await world.time.step())) throw new Violation(`run does not end: ${events} events`);
      for (const { failure } of nodes) if (failure !== null) throw failure;
      watch.check(world, honest);
    }
    for (const node of honest) {
      world.users?.check(node);
      await world.ledger?.check(node);
    }
  } catch (error) {
    violation = findingOf(error, options.seed, world.log);
  }
  world.seen.blocksOfNewVersion =
    options.upgradeAt === null
      ? 0
      : Math.max(0, Math.max(...honest.map((node) => node.height)) - options.upgradeAt + 1);
  world.seen.equivocators = world.observer.equivocators.size;
  world.seen.transactionsIncluded = watch.transactions.size;
  world.seen.actionsIncluded = watch.included.size - watch.transactions.size;
  world.seen.memberChanges = world.oracle.changes;
  world.seen.convictions = world.oracle.convicted;
  return {
    options,
    violation,
    events,
    virtualMs: world.time.nowMs,
    heights: Math.max(...honest.map((node) => node.height)),
    seen: world.seen,
    timing: world.timing,
    trace: [
      `seed ${options.seed}: ${nodes.map(({ label, address }) => `${label} ${address.slice(0, 6)}`).join(', ')} (n follows the protocol, t is a twin, l lies, f forgets)`,
      ...world.log,
    ],
  };
}

/** Another process of the identity goes on, or it left a network that lets nobody in whom nobody named. */
const hasGivenUp = ({ options, stations }: World, node: SimulatedNode): boolean =>
  node.isOver ||
  (options.departure !== null &&
    !isOpen(options) &&
    stations.some(({ roster }) => roster.formerSignersOf(node.address).length > 0));

function stuck(honest: readonly SimulatedNode[], target: number, isIncluded: (hash: Hash) => boolean): string {
  const heights = honest.map((node) => `${node.label} ${node.isUp ? node.height : 'down'}`).join(', ');
  const missing = honest.flatMap((node) => node.accepted).filter((hash) => !isIncluded(hash));
  const where = missing.map((hash) => `\n${hash}: ${honest.map((node) => node.waits(hash)).join('; ')}`);
  return `no progress: wanted is block ${target} everywhere, there are ${heights}; ${missing.length} accepted actions are in no block${where.join('')}`;
}

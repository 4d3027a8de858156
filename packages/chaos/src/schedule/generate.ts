/**
 * Random manifests: a pure function of seed, size and length. Every kind of phase comes once before any comes again, in an order
 * that the seed shuffles, so that a short run is varied and a long one complete.
 */
import { presetBlockIntervalMs } from '@prime/config';
import { threadFaults, threadNames } from '@prime/node';
import { createPrng } from '@prime/primitives';
import { bothWays, Draw, list, phase, type Recipe, shuffled, touching } from './draw.ts';
import { type AttackKind, attacks, type Damage, damages, type Fault } from './faults.ts';
import { type Load, type Manifest, type Phase, usualBlockIntervalMs } from './manifest.ts';
import { memberRecipes } from './memberRecipes.ts';
import { allLinks } from './power.ts';

/** What a random manifest follows from: the same values give the same manifest. */
export interface RandomOptions {
  readonly seed: number;
  /** At least 4: with fewer nobody may be faulty. */
  readonly validators: number;
  /** Membership and snapshots need one. */
  readonly followers: number;
  readonly minutes: number;
  readonly patience: number;
  /** Least time between two blocks; null takes what suits the size. */
  readonly blockIntervalMs: number | null;
}

/** What a phase costs at least beside its faults, ms: coming back, and a moment of peace. So there are always enough of them. */
const recoveryMsLeast = 1_000;

const load: Load = { transfers: 4, orders: 6, trades: 2, deposits: 1, withdrawals: 1, bursts: 1 };

/**
 * Two processors carry so many nodes at the pace of a network on one machine: under load that is ten blocks a second, each some 12 ms of processor
 * time for every node. With more nodes a restart measures the machine, so that they go on at the pace of networks of several machines.
 */
const nodesAtUsualPace = 6;
const suitableIntervalMs = (nodes: number): number =>
  nodes <= nodesAtUsualPace ? usualBlockIntervalMs : presetBlockIntervalMs.testnet;

/** The whole schedule of `prime testnet chaos --random`; of which as much is run as fits into the minutes. */
export function randomManifest(options: RandomOptions): Manifest {
  const { seed, validators, followers, minutes, patience } = options;
  const all = [...recipes, ...(followers > 0 ? memberRecipes : [])];
  const prng = createPrng(seed);
  const phases: Phase[] = [];
  let spentMs = 0;
  let deck: readonly Recipe[] = [];
  while (phases.length === 0 || spentMs < minutes * 60_000) {
    if (deck.length === 0) deck = shuffled(all, prng);
    const [recipe, ...rest] = deck;
    deck = rest;
    const phase = recipe!(new Draw(prng, validators, followers));
    phases.push(phase);
    spentMs += phase.hold_ms + recoveryMsLeast;
  }
  const block_interval_ms = options.blockIntervalMs ?? suitableIntervalMs(validators + followers);
  return { format: 'prime-chaos-1', seed, validators, followers, patience, block_interval_ms, minutes, load, phases };
}

type Ending = 'kill' | 'stop' | 'pause';

/** So few that the others go on. */
const few =
  (kind: Ending, holdMs: (draw: Draw) => number = (draw) => draw.holdMs()): Recipe =>
  (draw) => {
    const validators = draw.some(draw.between(1, draw.faultyMax));
    return phase(`${kind} ${list(validators)}`, 'live', holdMs(draw), [{ kind, validators }]);
  };

/** So many that nobody decides. */
const tooMany =
  (kind: Ending): Recipe =>
  (draw) => {
    const validators = draw.some(draw.validators - draw.quorum + 1);
    return phase(`${kind} ${list(validators)}: too many`, 'halt', draw.holdMs(), [{ kind, validators }]);
  };

function killAll(draw: Draw): Phase {
  const validators = draw.some(draw.validators);
  return phase('kill all', 'halt', draw.between(0, 2_000), [{ kind: 'kill', validators }]);
}

function partitionMinority(draw: Draw): Phase {
  const minority = draw.some(draw.between(1, draw.faultyMax));
  const groups = [minority, draw.others(minority)];
  return phase(`partition ${list(minority)} from the rest`, 'live', draw.holdMs(), [
    { kind: 'partition', groups: draw.divided(groups) },
  ]);
}

function partitionHalves(draw: Draw): Phase {
  const half = draw.some(draw.validators - draw.quorum + 1);
  const groups = [half, draw.others(half)];
  return phase(`partition ${list(half)} from the rest: no majority`, 'halt', draw.holdMs(), [
    { kind: 'partition', groups: draw.divided(groups) },
  ]);
}

/** Everybody reaches about a quorum, itself included, and no two reach the same one. */
function ring(draw: Draw): Phase {
  const order = draw.some(draw.validators);
  const reach = Math.min(Math.ceil((draw.quorum - 1) / 2), Math.floor(draw.validators / 2) - 1);
  const place = new Map(order.map((validator, index) => [validator, index] as const));
  const links = allLinks({ validators: draw.validators }).filter(({ from, to }) => {
    const distance = Math.abs(place.get(from)! - place.get(to)!);
    return Math.min(distance, draw.validators - distance) > reach;
  });
  return phase(`ring ${list(order)}`, 'safe', draw.holdMs(), [{ kind: 'cut', links }]);
}

function cutPair(draw: Draw): Phase {
  const [from, to] = draw.some(2) as [number, number];
  return phase(`cut ${from} – ${to}`, 'live', draw.holdMs(), [{ kind: 'cut', links: bothWays([{ from, to }]) }]);
}

function cutOneWay(draw: Draw): Phase {
  const [from, to] = draw.some(2) as [number, number];
  return phase(`cut ${from} → ${to}, one way`, 'live', draw.holdMs(), [{ kind: 'cut', links: [{ from, to }] }]);
}

function mute(draw: Draw): Phase {
  const group = draw.some(draw.between(1, draw.faultyMax));
  const isMuted = draw.oneOf([true, false]);
  const links = allLinks({ validators: draw.validators }).filter(({ from, to }) => group.includes(isMuted ? from : to));
  const words = isMuted ? 'is not heard' : 'hears nobody';
  return phase(`${list(group)} ${words}`, 'live', draw.holdMs(), [{ kind: 'cut', links }]);
}

function slowAll(draw: Draw): Phase {
  const latency_ms = draw.between(20, 150);
  return phase(`all links ${latency_ms} ms`, 'live', draw.holdMs() + 4_000, [
    { kind: 'degrade', links: 'all', latency_ms, jitter_ms: draw.between(0, latency_ms) },
  ]);
}

function slowSome(draw: Draw): Phase {
  const group = draw.some(draw.between(1, draw.faultyMax));
  const degraded: Fault = {
    kind: 'degrade',
    links: touching(group, draw.validators),
    latency_ms: draw.between(50, 500),
    jitter_ms: draw.between(0, 100),
    bytes_per_second: 64_000,
    loss_per_mille: draw.between(0, 50),
  };
  return phase(`slow, lossy links of ${list(group)}`, 'live', draw.holdMs(), [degraded]);
}

function dribble(draw: Draw): Phase {
  const group = draw.some(draw.between(1, draw.faultyMax));
  const piece_bytes = draw.between(50, 1_000);
  return phase(`links of ${list(group)} dribble`, 'live', draw.holdMs(), [
    { kind: 'degrade', links: touching(group, draw.validators), piece_bytes },
  ]);
}

function resets(draw: Draw): Phase {
  const group = draw.some(draw.between(1, draw.faultyMax));
  return phase(`resets at ${list(group)}`, 'live', draw.holdMs(), [
    { kind: 'reset', links: touching(group, draw.validators), every_ms: draw.between(200, 2_000) },
  ]);
}

/** A fault of one validator, while the others go on. */
const atOne =
  (faultOf: (validator: number, draw: Draw) => readonly [name: string, fault: Fault]): Recipe =>
  (draw) => {
    const [name, fault] = faultOf(draw.one(), draw);
    return phase(name, 'live', draw.holdMs(), [fault]);
  };

const clock = atOne((validator, draw) => {
  const offset_ms = draw.oneOf([-2_000, 2_000, -3_600_000, 3_600_000, draw.between(-10_000, 10_000)]);
  return [`clock of ${validator} is off by ${offset_ms} ms`, { kind: 'clock', validator, offset_ms }];
});

const damage = (what: Damage): Recipe =>
  atOne((validator) => [`damage ${what} of ${validator}`, { kind: 'damage', validator, what }]);

const wipe = atOne((validator, draw) => {
  const gone = draw.oneOf([['state'], ['blocks', 'state'], ['wal'], ['blocks', 'state', 'wal']] as const);
  return [`${gone.join(', ')} of ${validator} gone`, { kind: 'wipe', validator, folders: [...gone] }];
});

const restore =
  (sign_state: 'kept' | 'old'): Recipe =>
  (draw) => {
    const validator = draw.one();
    const words = sign_state === 'old' ? 'old home, sign state as well,' : 'old backup';
    return phase(`${words} restored at ${validator}`, 'live', draw.holdMs() + 4_000, [
      { kind: 'restore', validator, sign_state },
    ]);
  };

function diskFull(draw: Draw): Phase {
  const validator = draw.one();
  return phase(`disk of ${validator} is full`, 'live', draw.between(10_000, 20_000), [
    { kind: 'disk_full', validator, file_bytes: 262_144 * draw.between(1, 8) },
  ]);
}

const crashPoint = atOne((validator, draw) => {
  const at = draw.between(1, 200);
  return [`${validator} dies at its crash point ${at}`, { kind: 'crash_point', validator, at }];
});

const threadFails = atOne((validator, draw) => {
  const thread = draw.oneOf(threadNames);
  const how = draw.oneOf(threadFaults);
  return [`thread ${thread} of ${validator}: ${how}`, { kind: 'thread', validator, thread, how }];
});

const diverges = atOne((validator) => [`${validator} executes differently`, { kind: 'diverge', validator }]);

const rolls = (): Phase => phase('all restart one by one', 'live', 2_000, [{ kind: 'roll' }]);

const attacked = (how: AttackKind): Recipe =>
  atOne((validator) => [`attack on ${validator}: ${how}`, { kind: 'attack', validator, how }]);

const overloaded = atOne((validator) => [`JSON-RPC of ${validator} overloaded`, { kind: 'overload', validator }]);

/** Some are down behind slow links: what comes back finds a network that is slow as well. */
function killBehindSlowLinks(draw: Draw): Phase {
  const validators = draw.some(draw.between(1, draw.faultyMax));
  const latency_ms = draw.between(10, 60);
  return phase(`kill ${list(validators)}, all links ${latency_ms} ms`, 'live', draw.holdMs() + 4_000, [
    { kind: 'degrade', links: 'all', latency_ms, jitter_ms: latency_ms },
    { kind: 'kill', validators },
  ]);
}

const recipes: readonly Recipe[] = [
  few('kill'),
  tooMany('kill'),
  killAll,
  few('stop'),
  few('pause', (draw) => draw.between(2_000, 12_000)),
  tooMany('pause'),
  partitionMinority,
  partitionHalves,
  ring,
  cutPair,
  cutOneWay,
  mute,
  slowAll,
  slowSome,
  dribble,
  resets,
  clock,
  ...damages.map(damage),
  wipe,
  restore('kept'),
  restore('old'),
  diskFull,
  crashPoint,
  killBehindSlowLinks,
  threadFails,
  diverges,
  rolls,
  ...attacks.map(attacked),
  overloaded,
];

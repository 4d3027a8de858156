import { createProtocolSchedule, type Header, type ProtocolSchedule, type Vote } from '@prime/codec';
import type { Hash, Height, Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { SimulatedNode } from '../node/node.ts';
import type { World } from '../world.ts';

/** What a node runs: with the new version; without it, told of the upgrade or not. */
export type Program = 'new' | 'old' | 'untold';

/** Mistakes of programs, to show that the simulation notices. */
export interface UpgradeDamage {
  /** Programs that do not know the new version go on under it. */
  readonly followsUnknown?: boolean;
  /** New programs change over one block late. */
  readonly activatesLate?: boolean;
}

const newVersion = 2;

/** The move of a network to another protocol version: which program follows what, and what each must not do. */
export class Upgrade {
  /** First block of the new version. */
  readonly height: Height;
  readonly #damage: UpgradeDamage;
  readonly #versions = new Map<Hash, number>();

  constructor(height: number, damage: UpgradeDamage) {
    this.height = height as Height;
    this.#damage = damage;
  }

  schedule(program: Program): ProtocolSchedule {
    const { followsUnknown = false, activatesLate = false } = this.#damage;
    const planned = [{ version: newVersion, height: (this.height + (activatesLate ? 1 : 0)) as Height }];
    if (program === 'new' || followsUnknown) return createProtocolSchedule(planned);
    return createProtocolSchedule(program === 'old' ? planned : [], newVersion - 1);
  }

  /** Somebody proposes a block. */
  onProposal(blockHash: Hash, { version }: Header): void {
    this.#versions.set(blockHash, version);
  }

  /** An honest node signs. */
  onVote(label: string, program: Program, { height, round, blockHash }: Vote): void {
    if (program === 'new') return;
    if (program === 'old' && height >= this.height)
      throw new Violation(`${label} signs at ${height}/${round} under a version that it does not know`);
    if (blockHash !== null && this.#versions.get(blockHash) === newVersion)
      throw new Violation(`${label} votes for a block of a version that it does not know at ${height}/${round}`);
  }

  /** An honest node decided. */
  onBlock(label: string, program: Program, { height, version }: Header): void {
    const expected = height < this.height ? newVersion - 1 : newVersion;
    if (version !== expected) throw new Violation(`block ${height} is of version ${version}, it should be ${expected}`);
    if (version === newVersion && program !== 'new')
      throw new Violation(`${label} has block ${height} of a version that it does not know`);
  }
}

/** Operators install the new program: some before the upgrade, some when their node has stopped, the last ones when the faults do. */
export function planUpgrade(world: World, honest: readonly SimulatedNode[]): void {
  const { upgrade, time, options } = world;
  if (upgrade === null) return;
  const prng = world.prng.fork();
  const untold = prng.chance(1, 2) ? honest[prng.below(honest.length)]! : null;
  for (const node of honest) {
    node.program = node === untold ? 'untold' : prng.chance(2, 3) ? 'old' : 'new';
    node.wasUntold = node === untold;
    node.onUpgradeNeeded = () => time.after(50 + prng.below(2_000), () => install(world, node));
    if (prng.chance(1, 3)) time.after(prng.below(options.faultsMs), () => install(world, node));
    time.after(options.faultsMs + prng.below(1_000), () => install(world, node));
  }
}

/** The process ends, if it runs, and starts with the new program in the same home. */
function install(world: World, node: SimulatedNode): void {
  if (node.program === 'new') return;
  if (node.isAlive) node.crash(false);
  node.program = 'new';
  world.seen.programsInstalled += 1;
  world.note(node.label, () => 'gets the new program');
  node.start();
}

/** Early enough for every run, late enough that there are blocks before it. */
export const upgradeHeight = (prng: Prng): number => 3 + prng.below(5);

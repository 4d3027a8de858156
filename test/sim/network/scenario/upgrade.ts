import { createProtocolSchedule, type Header, type ProtocolSchedule, type Vote } from '@prime/codec';
import type { Hash, Height, Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';

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

/** Early enough for every run, late enough that there are blocks before it. */
export const upgradeHeight = (prng: Prng): number => 3 + prng.below(5);

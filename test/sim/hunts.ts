import { type CryptoProvider, createCryptoProvider } from '@prime/crypto';
import { mutants } from './mutants.ts';
import {
  copyMutants,
  departureMutants,
  harsh,
  membershipMutants,
  type NodeMutant,
  nodeMutants,
  syncMutants,
  upgradeMutants,
} from './network/mutants.ts';
import {
  copyOptionsOfSeed,
  departureOptionsOfSeed,
  membershipOptionsOfSeed,
  networkOptionsOfSeed,
  simulateNetwork,
  syncOptionsOfSeed,
  upgradeOptionsOfSeed,
} from './network/simulateNetwork.ts';
import type { NetworkOptions } from './network/world.ts';
import { optionsOfSeed, simulate } from './simulation.ts';

/** A planted bug, and the runs that must notice it. */
export interface Hunt {
  readonly name: string;
  /** Within so many, from 1 on. */
  readonly seeds: number;
  /** One of them that noticed when this was written: it is tried before the others, which take up to a minute. */
  readonly known?: number | undefined;
  /** What counts as having noticed: not any accident of the run. */
  readonly expected: RegExp;
  /** @returns what was violated, or null; @throws HarnessError */
  readonly run: (seed: number) => Promise<string | null>;
}

export interface Catch {
  readonly seed: number;
  readonly violation: string;
}

/** @returns a seed that noticed; null when none did */
export async function hunt({ seeds, known, run }: Hunt): Promise<Catch | null> {
  const all = Array.from({ length: seeds }, (_, index) => index + 1);
  for (const seed of new Set(known === undefined ? all : [known, ...all])) {
    const violation = await run(seed);
    if (violation !== null) return { seed, violation };
  }
  return null;
}

/** Of the core alone: found by an observer that counts for itself. */
const observed = /disagreement|double sign|two proposals|no polka|locked on|a certificate of|no progress/;
const corePatienceMs = 15_000;
export const coreHuntSeeds = 120;

/** Conditions of the hunts in the core, with or without damage. */
export const coreHuntOptions = (seed: number) => ({ ...optionsOfSeed(seed), patienceMs: corePatienceMs });

export const coreHunts: readonly Hunt[] = mutants.map(({ name, ...damage }) => ({
  name,
  seeds: coreHuntSeeds,
  expected: observed,
  run: async (seed) => simulate({ ...coreHuntOptions(seed), ...damage }).violation,
}));

let crypto: Promise<CryptoProvider> | null = null;

const inNetworks = (
  list: readonly NodeMutant[],
  seeds: number,
  optionsOf: (seed: number) => NetworkOptions,
): readonly Hunt[] =>
  list.map(({ name, changes, known, expected }) => ({
    name,
    seeds,
    known,
    expected: expected ?? /./,
    run: async (seed) => {
      crypto ??= createCryptoProvider();
      return (await simulateNetwork({ ...optionsOf(seed), ...changes }, await crypto)).violation;
    },
  }));

export const nodeHunts = inNetworks(nodeMutants, 120, (seed) => ({ ...networkOptionsOfSeed(seed), ...harsh }));
export const membershipHunts = inNetworks(membershipMutants, 20, (seed) => ({
  ...membershipOptionsOfSeed(seed),
  patienceMs: harsh.patienceMs,
}));
export const upgradeHunts = inNetworks(upgradeMutants, 20, upgradeOptionsOfSeed);
export const syncHunts = inNetworks(syncMutants, 30, syncOptionsOfSeed);
export const departureHunts = inNetworks(departureMutants, 30, departureOptionsOfSeed);
export const copyHunts = inNetworks(copyMutants, 30, copyOptionsOfSeed);

export const allHunts: readonly Hunt[] = [
  coreHunts,
  nodeHunts,
  membershipHunts,
  upgradeHunts,
  syncHunts,
  departureHunts,
  copyHunts,
].flat();

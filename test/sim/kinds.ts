import { createCryptoProvider } from '@prime/crypto';
import {
  copyOptionsOfSeed,
  departureOptionsOfSeed,
  dribblerOptionsOfSeed,
  enginesOptionsOfSeed,
  membershipOptionsOfSeed,
  networkOptionsOfSeed,
  simulateNetwork,
  syncOptionsOfSeed,
  upgradeOptionsOfSeed,
} from './network/simulateNetwork.ts';
import { optionsOfSeed, simulate } from './simulation.ts';

/** What the runs of one kind have in common. */
export interface Outcome {
  readonly violation: string | null;
  readonly events: number;
  readonly heights: number;
  readonly seen: object;
  readonly trace: readonly string[];
}

/**
 * First of the seeds that nobody has tried: tests take some of them in every run, beside fixed ones. A run that fails with them found a defect,
 * whatever the change is about; `SIM_SEED=` repeats it.
 */
export function newSeeds(what: string, count: number): number {
  const first = Number(process.env['SIM_SEED'] ?? 1_000_000 + Math.floor(Math.random() * 2 ** 30));
  console.info(`${what}: ${count} seeds from ${first}`);
  return first;
}

export const kindNames = [
  'core',
  'network',
  'membership',
  'engines',
  'sync',
  'upgrade',
  'dribblers',
  'departures',
  'copies',
] as const;
export type KindName = (typeof kindNames)[number];

/** One run in so many is made of the kind: the larger ones cost more. */
export const shares: Readonly<Record<KindName, number>> = {
  core: 1,
  network: 1,
  membership: 10,
  engines: 100,
  sync: 100,
  upgrade: 10,
  dribblers: 100,
  departures: 20,
  copies: 20,
};

export async function runSeed(kind: KindName, seed: number): Promise<Outcome> {
  if (kind === 'core') return simulate(optionsOfSeed(seed));
  const crypto = await createCryptoProvider();
  const options = {
    network: networkOptionsOfSeed,
    membership: membershipOptionsOfSeed,
    engines: enginesOptionsOfSeed,
    sync: syncOptionsOfSeed,
    upgrade: upgradeOptionsOfSeed,
    dribblers: dribblerOptionsOfSeed,
    departures: departureOptionsOfSeed,
    copies: copyOptionsOfSeed,
  };
  return simulateNetwork(options[kind](seed), crypto);
}

/** Sums over runs of one kind. */
export interface Totals {
  runs: number;
  failed: number;
  heights: number;
  events: number;
  /** Names that end in Max hold the largest value, all others sums. */
  seen: Record<string, number>;
}

export const noTotals = (): Totals => ({ runs: 0, failed: 0, heights: 0, events: 0, seen: {} });

export function addSeen(seen: Record<string, number>, more: object): void {
  for (const [what, times] of Object.entries(more) as [string, number][])
    seen[what] = what.endsWith('Max') ? Math.max(seen[what] ?? 0, times) : (seen[what] ?? 0) + times;
}

export function addTotals(totals: Totals, more: Totals): void {
  for (const key of ['runs', 'failed', 'heights', 'events'] as const) totals[key] += more[key];
  addSeen(totals.seen, more.seen);
}

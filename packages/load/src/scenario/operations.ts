import { createPrng, type Prng } from '@prime/primitives';
import type { Draft } from './draft.ts';
import { DraftSigner, feesAt } from './draftSigner.ts';
import { groupOf, groupsOf } from './groups.ts';
import { Keyring, type KeyringOptions } from './keyring.ts';
import { accountsIn, type Layout, layoutOf, type Market, marketsIn, marketsOf } from './layout.ts';
import type { NetworkFacts, Operations, Partition } from './operation.ts';
import { sizeOf } from './parseScenario.ts';
import { programsOf } from './programs/programs.ts';
import type { Scenario } from './schema.ts';
import { highestRate } from './stages.ts';
import type { Program, StreamClock, World } from './world.ts';

/** What the operations of one worker follow from. */
export interface OperationsOptions extends Omit<KeyringOptions, 'scenario'> {
  readonly partition: Partition;
  /** As they are after the setup: its markets are there, its nonces are counted. */
  readonly facts: NetworkFacts;
  /**
   * Operations a second that all workers together will send, about: shapes whose steps have to come one block after another count time in operations.
   * null, or left out: the highest of the scenario's stages.
   */
  readonly rate?: number | null;
}

/** Actions that the setup signs with one key, at most: what the run signs comes behind them. */
const setupActions = ({ symbols }: Layout): number => 2 + symbols.length;

/**
 * The operations of a worker, signed, without an end.
 *
 * @throws LoadError `LOAD_MARKET_MISSING` where the setup was not carried out, `LOAD_SCENARIO_UNFIT`
 */
export function operationsOf(scenario: Scenario, options: OperationsOptions): Operations {
  const { facts, provider } = options;
  const keyring = new Keyring({ ...options, scenario: scenario.name });
  const layout = layoutOf(scenario, keyring, options.seed, options.partition.workers);
  const next = draftsOf(scenario, { ...options, keyring, layout, markets: marketsOf(layout, facts) });
  const signer = new DraftSigner({
    chainId: facts.chainId,
    provider,
    keyring,
    fees: feesAt(facts.baseFee),
    firstActionNonce: facts.timeMs + setupActions(layout),
    nonceOf: (account) => facts.nonceOf(account),
  });
  return { next: () => signer.sign(next()) };
}

/** What the unsigned operations of one worker follow from. */
export interface DraftsOptions extends Omit<OperationsOptions, 'provider' | 'secret'> {
  readonly keyring: Keyring;
  readonly layout: Layout;
  readonly markets: readonly Market[];
}

/** What a worker sends, before it is signed. */
export function draftsOf(scenario: Scenario, options: DraftsOptions): Program {
  const { seed, partition } = options;
  // Workers draw from streams that do not overlap.
  const random = createPrng((seed ^ Math.imul(partition.worker + 1, 0x9e3779b1)) >>> 0);
  const clock = clockOf(scenario, options);
  const programs = mixPrograms(scenario, options, random, clock);
  const totals: number[] = [];
  for (const { weight } of scenario.mix) totals.push((totals.at(-1) ?? 0) + weight);
  const total = totals.at(-1)!;
  return (): Draft => {
    const drawn = (random.next() / 2 ** 32) * total;
    const draft = programs[totals.findIndex((upTo) => drawn < upTo)]!();
    clock.turn++;
    return draft;
  };
}

function clockOf(scenario: Scenario, { facts, partition, rate }: DraftsOptions): StreamClock {
  const own = Math.max(rate ?? highestRate(scenario), 1) / partition.workers;
  const clock = {
    turn: 0,
    gap: Math.max(1, Math.ceil((own * scenario.step_ms) / 1_000)),
    rate: own,
    nowMs: () => facts.timeMs + (clock.turn * 1_000) / own,
  };
  return clock;
}

/** A program for each part of the mix. */
function mixPrograms(scenario: Scenario, options: DraftsOptions, random: Prng, clock: StreamClock): readonly Program[] {
  const groups = groupsOf(scenario);
  const trading = groups.filter(({ market }) => market !== 'none');
  const { layout, partition, keyring, facts } = options;
  const programs = new Map<Scenario['mix'][number], Program>();
  const label = labelsOf(options);
  const total = scenario.mix.reduce((sum, { weight }) => sum + weight, 0);
  for (const [place, group] of groups.entries()) {
    const parts = scenario.mix.filter(({ kind }) => groupOf(kind) === group);
    const world: World = {
      random: random.fork(),
      keyring,
      accounts: accountsIn(layout, partition, place, groups.length),
      allAccounts: layout.accounts,
      markets: marketsIn(options.markets, partition, trading.indexOf(group), trading.length),
      workers: partition.workers,
      share: parts.reduce((sum, { weight }) => sum + weight, 0) / total,
      contracts: layout.contracts,
      facts,
      clock,
      label,
    };
    const made = programsOf(
      world,
      parts.map((item) => ({ kind: item.kind, size: sizeOf(scenario, item) })),
    );
    for (const [index, item] of parts.entries()) programs.set(item, made[index]!);
  }
  return scenario.mix.map((item) => programs.get(item)!);
}

/** Time, worker and a counter: no other worker and no other run has the same. */
function labelsOf({ facts, partition }: DraftsOptions): () => string {
  const head = `0x${facts.timeMs.toString(16).padStart(12, '0')}${partition.worker.toString(16).padStart(6, '0')}`;
  let count = 0;
  return () => `${head}${(++count).toString(16).padStart(14, '0')}`;
}

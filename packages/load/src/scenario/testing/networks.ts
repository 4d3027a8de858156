import { type CryptoProvider, cryptoProvider } from '@prime/crypto';
import type { Draft } from '../draft.ts';
import { Keyring } from '../keyring.ts';
import { layoutOf, marketsOf } from '../layout.ts';
import type { NetworkFacts, Operation, Partition } from '../operation.ts';
import { draftsOf, operationsOf } from '../operations.ts';
import { parseScenario } from '../parseScenario.ts';
import { planOf } from '../plan.ts';
import type { Scenario } from '../schema.ts';

/** A network for tests that is nothing but its facts. */

export const provider: CryptoProvider = await cryptoProvider();

/** As `npm start` makes one. */
export const freshFacts: NetworkFacts = {
  chainId: 7_919,
  timeMs: 1_790_000_000_000,
  baseFee: 10n ** 9n,
  gasLimit: 36_000_000n,
  markets: [
    { symbol: 'PRM/USD', tickSize: 1n, lotSize: 1n },
    { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n },
  ],
  nonceOf: () => 0,
  height: 100,
};

export interface TestRun {
  readonly seed?: number;
  readonly partition?: Partition;
  readonly facts?: NetworkFacts;
  readonly rate?: number;
}

/** The facts of a network in which the setup was carried out. */
export function factsAfterSetup(scenario: Scenario, seed: number, workers: number, facts = freshFacts): NetworkFacts {
  const { markets } = planOf(scenario, { seed, workers, facts, provider, operations: 1 });
  const known = new Set(facts.markets.map(({ symbol }) => symbol));
  const added = markets.filter((symbol) => !known.has(symbol)).map((symbol) => ({ symbol, tickSize: 1n, lotSize: 1n }));
  return { ...facts, markets: [...facts.markets, ...added] };
}

const alone: Partition = { worker: 0, workers: 1 };

/** The first operations of a worker. */
export function firstOperations(scenario: Scenario, count: number, run: TestRun = {}): Operation[] {
  const { seed = 7, partition = alone, facts = freshFacts, ...more } = run;
  const after = factsAfterSetup(scenario, seed, partition.workers, facts);
  const operations = operationsOf(scenario, { ...more, seed, partition, facts: after, provider });
  return Array.from({ length: count }, () => operations.next());
}

/** The same before they are signed, a thousand times faster. */
export function firstDrafts(scenario: Scenario, count: number, run: TestRun = {}): Draft[] {
  const { seed = 7, partition = alone, facts = freshFacts, ...more } = run;
  const after = factsAfterSetup(scenario, seed, partition.workers, facts);
  const keyring = new Keyring({ seed, scenario: scenario.name, provider });
  const layout = layoutOf(scenario, keyring, seed, partition.workers);
  const markets = marketsOf(layout, after);
  const next = draftsOf(scenario, { ...more, seed, partition, facts: after, keyring, layout, markets });
  return Array.from({ length: count }, () => next());
}

/** A scenario of these parts, 1000 operations a second. @param more lines of TOML before the parts */
export const scenarioOf = (parts: readonly string[], more = ''): Scenario =>
  parseScenario(scenarioText(parts, more), 'test.toml');

export const scenarioText = (parts: readonly string[], more = ''): string =>
  [
    'format = "prime-load-scenario-1"',
    'name = "test"',
    'about = "What a test sends."',
    'catches = "Errors."',
    more,
    ...parts.map((part) => `[[mix]]\n${part}`),
    '[[stages]]\nkind = "hold"\nrate = 1000\nseconds = 10',
    '',
  ].join('\n');

import { createCryptoProvider } from '@prime/crypto';
import { parseScenario, withSize } from '../../scenario/parseScenario.ts';
import type { NetworkFacts, Operations } from '../../scenario/operation.ts';
import { operationsOf } from '../../scenario/operations.ts';
import type { Assignment, FactsData } from './messages.ts';

/** {@link FactsData} as signing takes it. */
export const factsOf = ({ nonces, ...facts }: FactsData): NetworkFacts => ({
  ...facts,
  nonceOf: (account) => nonces[account] ?? 0,
});

/** The operations of a worker, as its assignment says. @throws LoadError `LOAD_SCENARIO_…` */
export async function operationsOfWork({ work, facts, ...assignment }: Assignment): Promise<Operations> {
  const scenario = parseScenario(work.toml, work.name);
  const sized = work.size === null ? scenario : withSize(scenario, work.size);
  return operationsOf(sized, { ...assignment, facts: factsOf(facts), provider: await createCryptoProvider() });
}

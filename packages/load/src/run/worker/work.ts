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
export async function operationsOfWork({
  work,
  seed,
  secret,
  rate,
  partition,
  facts,
}: Assignment): Promise<Operations> {
  const scenario = parseScenario(work.toml, work.name);
  return operationsOf(work.size === null ? scenario : withSize(scenario, work.size), {
    seed,
    partition,
    facts: factsOf(facts),
    provider: await createCryptoProvider(),
    ...(secret !== null && { secret }),
    ...(rate !== null && { rate }),
  });
}

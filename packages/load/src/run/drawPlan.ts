import { createCryptoProvider, type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { operationsIn } from '../arrivals.ts';
import type { Plan } from '../scenario/operation.ts';
import { planOf } from '../scenario/plan.ts';
import { patientRpc } from '../rpc.ts';
import { type AccountFacts, readAccounts, readFacts } from './facts.ts';
import type { Funder } from './funding.ts';
import type { Asked, LoadOptions } from './runOptions.ts';
import { factsOf } from './worker/work.ts';

/** A run whose plan is drawn before anything is sent. */
export interface DrawPlanOptions
  extends Pick<LoadOptions, 'scenario' | 'seed' | 'secret' | 'workers' | 'asked' | 'funder'> {
  /** A node of the network. */
  readonly url: string;
}

/** Operations that a search plans for: it is not known before how many it sends. */
const plannedOfSearch = 200_000;
/** A client that waits for its answers sends no more a second. */
const clientRateMax = 100;

/** Operations that are planned for, and signed ahead as far as there is room. */
export function operationsOfAsked(asked: Asked): number {
  if (asked.kind === 'open') return Math.ceil(asked.stages.reduce((sum, stage) => sum + operationsIn(stage), 0));
  return asked.kind === 'closed' ? Math.ceil(asked.clients * asked.seconds * clientRateMax) : plannedOfSearch;
}

/** Highest rate that is asked for; null where that is not known. */
export const rateOfAsked = (asked: Asked): number | null =>
  asked.kind === 'open' ? Math.max(...asked.stages.map(({ fromRate, toRate }) => Math.max(fromRate, toRate))) : null;

/** What a run would send and need: asks the network, and changes nothing. */
export const drawPlan = async (options: DrawPlanOptions): Promise<Plan> =>
  (await planWithAccounts({ ...options, provider: await createCryptoProvider() })).plan;

/** Beside the plan, nonces and wei of its accounts as they are now. */
export async function planWithAccounts(
  given: DrawPlanOptions & { readonly provider: CryptoProvider },
): Promise<{ readonly plan: Plan; readonly before: readonly AccountFacts[] }> {
  const { scenario, url, asked, funder, provider } = given;
  const facts = { ...(await readFacts(url)), nonces: [] };
  const options = {
    ...given,
    operations: operationsOfAsked(asked),
    rate: rateOfAsked(asked),
    administrator: await administratorKey(url, funder, provider),
  };
  // Once to know the accounts, and again with their nonces: a seed may have been used on this network before.
  const { accounts } = planOf(scenario, { ...options, facts: factsOf(facts) });
  const before = await readAccounts(url, accounts);
  const nonces = before.map(({ nonce }) => nonce);
  return { plan: planOf(scenario, { ...options, facts: factsOf({ ...facts, nonces }) }), before };
}

/** The funder's key where its account alone may add markets; null elsewhere. */
async function administratorKey(url: string, funder: Funder, provider: CryptoProvider): Promise<Uint8Array | null> {
  if (funder.kind !== 'key') return null;
  // Builds that do not tell their parameters say so here; the setup will tell whether markets may be added.
  const parameters = await patientRpc<{ readonly clob?: { readonly admin?: string | null } }>(
    url,
    'prime_getParameters',
  ).catch(() => null);
  const own = publicKeyToAddress(provider.publicKey(funder.privateKey));
  return parameters?.clob?.admin === own ? funder.privateKey : null;
}

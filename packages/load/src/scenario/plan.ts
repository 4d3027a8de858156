import type { CryptoProvider } from '@prime/crypto';
import type { Draft } from './draft.ts';
import { DraftSigner, feesAt, type RunFees } from './draftSigner.ts';
import { groupsOf } from './groups.ts';
import { accountOfKey, Keyring, type KeyringOptions } from './keyring.ts';
import { type Layout, layoutOf, type Market, marketsOf, unfit } from './layout.ts';
import type { NetworkFacts, Plan, SetupStep } from './operation.ts';
import { draftsOf, type OperationsOptions } from './operations.ts';
import { firstPrice, lotsMax } from './programs/trading.ts';
import type { Scenario } from './schema.ts';
import { closingSteps, type DraftStep, largestUnit, setupSteps } from './setup.ts';
import { scheduledOperations } from './stages.ts';

/** A run whose setup and funds are planned; nothing is sent for it. */
export interface PlanOptions extends Omit<KeyringOptions, 'scenario'>, Pick<OperationsOptions, 'rate'> {
  readonly workers: number;
  /** Before anything was sent. */
  readonly facts: NetworkFacts;
  /** Who may add markets where genesis names an administrator, a private key; null, or left out: the first account of the run does, as on networks without one. */
  readonly administrator?: Uint8Array | null;
  /**
   * Operations of the run where the stages do not say, wei are counted for so many; null where it hangs on what the network takes, then for
   * {@link unknownOperations}. Default: those of the stages.
   */
  readonly operations?: number | null;
}

/** Wei are counted for so many operations when nobody knows how many there will be. */
export const unknownOperations = 1_000_000;
/** Drafts from which kinds and gas are estimated. */
const sampleMax = 20_000;

/**
 * What a run needs before it begins. Nothing is asked and nothing is sent: a pure function of scenario and options.
 *
 * @throws LoadError `LOAD_SCENARIO_UNFIT`
 */
export function planOf(scenario: Scenario, options: PlanOptions): Plan {
  const { facts, provider, seed, workers, administrator } = options;
  const keyring = new Keyring({ ...options, scenario: scenario.name });
  const layout = layoutOf(scenario, keyring, seed, workers);
  // Those that the setup adds have the ids behind those that are there.
  let marketId = facts.markets.length;
  const markets = marketsOf(layout, facts, (symbol) => ({ symbol, id: ++marketId, tick: 1n, lot: 1n }));
  const operations = options.operations === undefined ? scheduledOperations(scenario) : options.operations;
  const counted = operations ?? unknownOperations;
  const sample = sampleOf(scenario, options, { keyring, layout, markets }, counted);
  checkGas(sample, facts);
  const fees = feesAt(facts.baseFee);
  // Enough for ten thousand open orders, and for positions of thousands of orders in one direction.
  const collateral = BigInt(2 * firstPrice * lotsMax) * 10n ** 6n * largestUnit(markets);
  const steps = setupSteps({
    groups: groupsOf(scenario),
    layout,
    markets,
    facts,
    keyring,
    administrator: administrator == null ? keyring.account(0) : accountOfKey(administrator, provider),
    collateral,
  });
  const wei = weiOf(layout, { steps, sample, operations: counted, fees, keyring });
  return {
    accounts: wei.map((amount, index) => ({ address: keyring.account(index).address, wei: amount })),
    needsGas: [...sample, ...steps.flatMap(({ drafts }) => drafts)].some(({ as }) => as === 'transaction'),
    tokens: layout.contracts.tokens,
    markets: layout.symbols,
    setup: signSteps(signerOf(facts, provider, keyring), steps),
    operations,
    kinds: kindsOf(sample, operations ?? 1_000),
  };
}

/**
 * Steps for after the run: orders that it left are cancelled, and prices that it moved are put back.
 *
 * @param options `facts` as they are after the run
 * @throws LoadError `LOAD_MARKET_MISSING` where the run never began
 */
export function closingOf(
  scenario: Scenario,
  {
    seed,
    workers,
    facts,
    provider,
    secret = null,
  }: Pick<PlanOptions, 'seed' | 'workers' | 'facts' | 'provider' | 'secret'>,
): readonly SetupStep[] {
  const keyring = new Keyring({ seed, provider, secret, scenario: scenario.name });
  const layout = layoutOf(scenario, keyring, seed, workers);
  const groups = groupsOf(scenario);
  const markets = marketsOf(layout, facts);
  const trading = groups.filter(({ market }) => market !== 'none');
  const moved = markets.filter((_, index) => ['liquidate', 'cascade'].includes(trading[index % trading.length]!.name));
  const signer = signerOf(facts, provider, keyring);
  return signSteps(signer, closingSteps({ groups, layout, markets, keyring }, moved));
}

function signerOf(facts: NetworkFacts, provider: CryptoProvider, keyring: Keyring): DraftSigner {
  return new DraftSigner({
    chainId: facts.chainId,
    provider,
    keyring,
    fees: feesAt(facts.baseFee),
    firstActionNonce: facts.timeMs,
    nonceOf: (account) => facts.nonceOf(account),
  });
}

const signSteps = (signer: DraftSigner, steps: readonly DraftStep[]): readonly SetupStep[] =>
  steps.map(({ name, drafts }) => ({ name, operations: drafts.map((draft) => signer.sign(draft)) }));

/** What one worker would send first. */
function sampleOf(
  scenario: Scenario,
  { seed, facts, rate = null }: PlanOptions,
  place: { readonly keyring: Keyring; readonly layout: Layout; readonly markets: readonly Market[] },
  operations: number,
): readonly Draft[] {
  const partition = { worker: 0, workers: 1 };
  const next = draftsOf(scenario, { ...place, seed, facts, partition, rate });
  return Array.from({ length: Math.max(1, Math.min(operations, sampleMax)) }, () => next());
}

function checkGas(sample: readonly Draft[], { gasLimit }: NetworkFacts): void {
  const most = sample.find((draft) => draft.as === 'transaction' && draft.gas > gasLimit);
  if (most?.as === 'transaction')
    unfit(`a transaction of kind ${most.kind} needs ${most.gas} gas, a block of the network has ${gasLimit}`);
}

/** Transactions of one account that wait at once, with their highest possible cost: so many of the usual size, and so many of the largest. */
const waitingMax = { usual: 256, largest: 16 } as const;
/** For transfers of a few wei, thousands of them. */
const smallChange = 10n ** 12n;

/** Wei of each account, the deployer's last. */
function weiOf({ accounts }: Layout, { steps, sample, operations, fees, keyring }: Costs): readonly bigint[] {
  const gas = sample.reduce((sum, draft) => (draft.as === 'transaction' ? sum + draft.gas : sum), 0n);
  const transactions = BigInt(Math.max(1, sample.filter(({ as }) => as === 'transaction').length));
  const each = Math.ceil(operations / accounts);
  const spent = (gas * BigInt(each) * fees.expected) / BigInt(sample.length);
  const largest = sample.reduce(
    (most, draft) => (draft.as === 'transaction' && draft.gas > most ? draft.gas : most),
    0n,
  );
  const waitingGas =
    (gas / transactions) * BigInt(Math.min(waitingMax.usual, each)) +
    largest * BigInt(Math.min(waitingMax.largest, each));
  const waiting = waitingGas * fees.maxFeePerGas;
  const amounts = Array.from({ length: accounts + 1 }, () => spent + waiting + smallChange);
  // The deployer has no part in the run.
  amounts[accounts] = smallChange;
  const indexOf = new Map(amounts.map((_, index) => [keyring.account(index).address, index]));
  for (const draft of steps.flatMap(({ drafts }) => drafts)) {
    if (draft.as === 'transaction') amounts[draft.from]! += draft.value + draft.gas * fees.maxFeePerGas;
    if (draft.as === 'action' && draft.payload.type === 'deposit')
      amounts[indexOf.get(draft.account)!]! += draft.payload.amount;
  }
  return amounts;
}

interface Costs {
  readonly steps: readonly DraftStep[];
  readonly sample: readonly Draft[];
  readonly operations: number;
  readonly fees: RunFees;
  readonly keyring: Keyring;
}

/** Counts of a sample as if it were so many, most first. */
function kindsOf(sample: readonly Draft[], operations: number): Plan['kinds'] {
  const counts = new Map<string, number>();
  for (const { kind } of sample) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count: Math.round((count * operations) / sample.length) }))
    .toSorted((a, b) => b.count - a.count);
}

import { LoadError } from '../errors.ts';
import { type Contracts, contractsOf, creationNames } from './contracts/contracts.ts';
import { type Group, groupsOf } from './groups.ts';
import type { Keyring } from './keyring.ts';
import type { NetworkFacts, Partition } from './operation.ts';
import { sizeOf } from './parseScenario.ts';
import type { Scenario } from './schema.ts';

/** A market of the network: tick in wei of the quote for one base unit, lot in base units. */
export interface Market {
  readonly symbol: string;
  readonly id: number;
  /** Price and size step. */
  readonly tick: bigint;
  readonly lot: bigint;
}

/** How a scenario lies on a network: a function of scenario, seed, number of workers and facts, the same in every worker. */
export interface Layout {
  /** Accounts that send, indices 0 to `accounts` - 1. The one behind them deploys. */
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly contracts: Contracts;
}

/** Open orders that an account may have, in a network that says nothing else. */
const openOrdersMax = 10_000;

/** @throws LoadError `LOAD_SCENARIO_UNFIT` */
export function layoutOf(scenario: Scenario, keyring: Keyring, seed: number, workers: number): Layout {
  const groups = groupsOf(scenario);
  // Accounts go round: to the workers, and in each of them to the groups.
  const perWorker = groups.length * Math.max(...groups.map(({ laneAccounts }) => laneAccounts));
  const accounts = Math.max(scenario.accounts, workers * perWorker);
  const creations = creationNames(scenario);
  // Another one for each set of contracts: its nonces tell which of them are there.
  const deployer = keyring.assign(accounts, `deployer/${creations.join('/')}`).address;
  const symbols = symbolsOf(scenario, groups, seed, workers);
  checkRestingOrders(scenario, accounts, groups.length, symbols.length);
  return { accounts, symbols, contracts: contractsOf(scenario, deployer) };
}

function symbolsOf(scenario: Scenario, groups: readonly Group[], seed: number, workers: number): readonly string[] {
  const trading = groups.filter(({ market }) => market !== 'none');
  if (trading.length === 0) return [];
  const least = trading.length * (trading.some(({ market }) => market === 'own') ? workers : 1);
  if (scenario.symbols.length > 0) {
    if (scenario.symbols.length < least)
      unfit(
        `${scenario.name} names ${scenario.symbols.length} markets, its shapes need ${least} with ${workers} workers`,
      );
    return scenario.symbols;
  }
  const wanted = scenario.markets === 'size' ? scenario.size : scenario.markets;
  // With the largest seed and 10 000 markets a symbol still has its 32 bytes.
  const base = scenario.name.toUpperCase().slice(0, 11).replace(/-$/, '');
  return Array.from({ length: Math.max(wanted, least) }, (_, index) => `${base}-${seed}.${index}/LOAD`);
}

function checkRestingOrders(scenario: Scenario, accounts: number, groups: number, markets: number): void {
  const [first] = scenario.mix.filter(({ kind }) => ['order_gtc', 'replace', 'move', 'cancel'].includes(kind));
  if (first === undefined) return;
  const orders = sizeOf(scenario, first) * markets;
  const most = Math.floor(accounts / groups) * openOrdersMax * 0.5;
  if (orders > most)
    unfit(
      `${orders} orders rest in ${markets} markets, ${accounts} accounts may have ${most} without coming near their limit of ${openOrdersMax}`,
    );
}

/**
 * Ends the reading of a scenario that contradicts itself, or the network.
 *
 * @throws LoadError `LOAD_SCENARIO_UNFIT`
 */
export function unfit(reason: string): never {
  throw new LoadError(reason, { code: 'LOAD_SCENARIO_UNFIT', reason });
}

/**
 * The markets of a layout as the network has them.
 *
 * @param missing what one is that the network does not have
 */
export function marketsOf(
  { symbols }: Layout,
  { markets }: NetworkFacts,
  missing: (symbol: string) => Market = refuseMissing,
): readonly Market[] {
  const idOf = new Map(markets.map(({ symbol }, index) => [symbol, index + 1]));
  return symbols.map((symbol) => {
    const id = idOf.get(symbol);
    if (id === undefined) return missing(symbol);
    const { tickSize, lotSize } = markets[id - 1]!;
    return { symbol, id, tick: tickSize, lot: lotSize };
  });
}

/** @throws LoadError `LOAD_MARKET_MISSING` */
function refuseMissing(symbol: string): never {
  throw new LoadError(`the network has no market ${symbol}: was the setup carried out?`, {
    code: 'LOAD_MARKET_MISSING',
    symbol,
  });
}

/** Indices of a group's accounts in a worker. */
export function accountsIn(
  { accounts }: Layout,
  { worker, workers }: Partition,
  place: number,
  groups: number,
): number[] {
  const own: number[] = [];
  for (let index = worker + place * workers; index < accounts; index += workers * groups) own.push(index);
  return own;
}

/** A group's markets in a worker: its own where there are enough, else those of all workers. @param place of the group among those that trade */
export function marketsIn(
  markets: readonly Market[],
  { worker, workers }: Partition,
  place: number,
  groups: number,
): readonly Market[] {
  const ofGroup = markets.filter((_, index) => index % groups === place);
  return ofGroup.length < workers ? ofGroup : ofGroup.filter((_, index) => index % workers === worker);
}

import { decodeEventFrames, type ClobParams, type ContractAction, type GenesisMarket } from '@prime/codec';
import {
  Model,
  modelAccounts,
  modelAuthority,
  modelEvents,
  modelMoney,
  modelResult,
  modelTriggers,
  textOf,
} from '@prime/model';
import { type Address, createPrng } from '@prime/primitives';
import type { SideIndex } from '../book/orderPool.ts';
import type { ClobOutcome, OracleSet } from '../ports.ts';
import { accountsOf, authorityOf, moneyOf, queueIn, triggersIn } from './comparison.ts';
import { bookkeeping, EventReader, readBookkeeping, readQueue, wrongEnds } from './fromEvents.ts';
import { randomGovernance, streamAdmin } from './governanceStreams.ts';
import { createHarness, defaultMarkets, defaultParams, type Harness, startMs, type Step } from './harness.ts';
import { brokenInvariants } from './invariants.ts';
import { candidateOwners, nextReporters, randomReports, reporters } from './oracleStreams.ts';
import { randomWrites, signed } from './signedStreams.ts';
import { type Magnitude, magnified, unitOf, unmagnified } from './magnitudes.ts';
import { randomBlock, randomQuotes, traders } from './streams.ts';
import { ChangeWatch } from './watches/changeWatch.ts';
import { OracleWatch } from './watches/oracleWatch.ts';

/**
 * Long random runs of the engine beside the model: after every block their answers, events and accounts are the same, all invariants
 * hold, who reads nothing but events has the same orders and accounts, a block that was taken back leaves no trace, an engine restored from its records goes on alike, and one with wide books
 * has the same root.
 */
export interface Run {
  readonly seed: number;
  /** Actions at least; the last block may bring some more. */
  readonly operations: number;
  readonly params?: Partial<ClobParams>;
  readonly markets?: readonly GenesisMarket[];
  /** Furthest that prices go from one block to the next; large steps leave debts that nobody can pay. */
  readonly priceStep?: number;
  /** Whether there are blocks of {@link randomQuotes} between the others. */
  readonly quotes?: boolean;
  /** Whether accounts sign, by themselves and by agents, and contracts write. */
  readonly signs?: boolean;
  /** Whether validators report prices. */
  readonly reports?: boolean;
  /** Whether validators join, leave, and change power and keys meanwhile. */
  readonly rotates?: boolean;
  /** Whether an admin and validators change parameters. */
  readonly governs?: boolean;
  /** Between two blocks, ms. */
  readonly blockMs?: number;
  /** What prices, sizes and amounts are multiplied by; {@link Run.markets} and parameters are as they are. */
  readonly magnitude?: Magnitude;
}

/** How often what happened, so that a run that tests nothing is noticed. */
export interface RunReport {
  readonly seed: number;
  readonly operations: number;
  readonly blocks: number;
  readonly restarts: number;
  readonly rollbacks: number;
  /** By event kind, of ends also with their reason, and by code for refusals. */
  readonly counts: Readonly<Record<string, number>>;
}

const usualBlockMs = 700;
const operationsPerBlockMax = 12;
const priceWalk = { low: 10, high: 400 } as const;

/** @throws Error that names seed and block at the first difference */
export function runAgainstModel({
  seed,
  operations,
  params: changes = {},
  markets = defaultMarkets,
  priceStep = 5,
  quotes = false,
  signs = false,
  reports = false,
  rotates = false,
  governs = false,
  blockMs = usualBlockMs,
  magnitude = unmagnified,
}: Run): RunReport {
  const params = paramsOf(governs, changes);
  const random = createPrng(seed);
  let set = reporters;
  const oracle: { readonly oracle?: () => OracleSet } = reports || governs ? { oracle: () => set } : {};
  const harness = createHarness({ params, markets, ...oracle });
  const twin = createHarness({ params, markets, wideBooks: true, ...oracle });
  const model = new Model(params, markets);
  const reader = new EventReader(params.fees?.treasury ?? null);
  const watches = [new ChangeWatch(harness.state), new OracleWatch(harness.state)];
  const [paid, counts]: [Record<string, bigint>, Record<string, number>] = [{}, {}];
  let [done, blocks, restarts, rollbacks, center, ticket] = [0, 0, 0, 0, 100, 1];
  const writesOf = (): ContractAction[] => (signs ? randomWrites(random, ticket, center) : []);
  while (done < operations) {
    blocks++;
    if (rotates) set = nextReporters(random, set);
    if (random.chance(1, 2)) center = walk(center, random.below(2 * priceStep + 1) - priceStep);
    const timeMs = startMs + blocks * blockMs;
    const { nextOrderId: newestOrder } = harness.state.globals;
    const withdrawable = (account: string): bigint => model.withdrawable(account) / unitOf(magnitude);
    const shown = { center, newestOrder, withdrawable, triggers: params.trigger !== undefined };
    const options = { nowSeconds: Math.floor(timeMs / 1000), risky: true, ...shown };
    const signing = (steps: readonly Step[]): readonly Step[] =>
      signs ? signed(random, steps, { state: harness.state, timeMs }) : steps;
    if (random.chance(1, 20)) {
      const dropped = randomBlock(random, 1 + random.below(operationsPerBlockMax), options);
      harness.drop(signing(magnified(random, dropped, magnitude)), timeMs, writesOf());
      rollbacks++;
    }
    if (random.chance(1, 50)) {
      harness.restart();
      restarts++;
    }
    const length = 1 + random.below(operationsPerBlockMax);
    const plain =
      quotes && random.chance(1, 2)
        ? randomQuotes(random, length, { state: harness.state, accounts: traders, center })
        : randomBlock(random, length, options);
    const told = reports ? randomReports(random, timeMs, { markets: withOracle(markets), center, set }) : [];
    const governed = { state: harness.state, timeMs, progress: done / operations, owners: ownersOf(rotates) };
    const changed = governs ? randomGovernance(random, governed) : [];
    const steps = [...signing(magnified(random, plain, magnitude)), ...told, ...changed];
    const writes = writesOf();
    ticket += writes.length;
    const outcome = harness.block(steps, timeMs, writes);
    const results = model.block(steps, timeMs, writes, oracle.oracle?.());
    const at = `seed ${seed}, block ${blocks}`;
    for (const { to, amount } of outcome.credits) paid[to] = (paid[to] ?? 0n) + amount;
    expectAlike(at, { harness, model, outcome, paid, governs }, { results, events: model.events });
    for (const watch of watches) expectSame(`${at}: watch`, watch.block(harness.state, harness.events(), timeMs), []);
    expectToldByEvents(at, harness, reader, params.orderMemoryBlocks > 0);
    expectSame(`${at}: root of wide books`, twin.block(steps, timeMs, writes).ordersRoot, outcome.ordersRoot);
    count(counts, outcome);
    done += steps.length;
  }
  return { seed, operations: done, blocks, restarts, rollbacks, counts };
}

/** Who may propose and vote, if only at times. */
const ownersOf = (rotates: boolean): readonly Address[] =>
  rotates ? candidateOwners : reporters.reporters.map(({ validator }) => validator);

/** Events alone tell what records hold, and how each order that is remembered ended. */
function expectToldByEvents(at: string, harness: Harness, reader: EventReader, remembersEnds: boolean): void {
  const { height } = harness.given()!;
  reader.block(height, harness.events());
  for (const market of harness.state.markets)
    for (const [place, side] of (['buy', 'sell'] as const).entries()) {
      const queue = queueIn(harness, market, place as SideIndex);
      expectSame(`${at}: queue of market ${market.id}, ${side}`, readQueue(reader, market.id, side), queue);
    }
  expectSame(`${at}: read from events`, readBookkeeping(reader), bookkeeping(harness.records.values()));
  if (remembersEnds) expectSame(`${at}: ends`, wrongEnds(reader, harness.records.values(), height), []);
}

const paramsOf = (governs: boolean, changes: Partial<ClobParams>): ClobParams => ({
  ...defaultParams,
  maxOpenOrders: 6,
  orderMemoryBlocks: 5,
  ...(governs ? { admin: streamAdmin } : {}),
  ...changes,
});

/** What is compared after a block. */
interface Compared {
  readonly harness: Harness;
  readonly model: Model;
  readonly outcome: ClobOutcome;
  readonly paid: Readonly<Record<string, bigint>>;
  readonly governs: boolean;
}

/** @throws Error at the first difference @param expected what the model said of the block */
function expectAlike(
  at: string,
  { harness, model, outcome, paid, governs }: Compared,
  expected: { readonly results: unknown; readonly events: unknown },
): void {
  expectSame(`${at}: results`, outcome.results.map(modelResult), expected.results);
  expectSame(`${at}: events`, modelEvents(decodeEventFrames(outcome.events)), expected.events);
  expectSame(`${at}: money`, moneyOf(harness, outcome.escrow, paid), modelMoney(model));
  expectSame(`${at}: accounts`, accountsOf(harness), modelAccounts(model));
  expectSame(`${at}: triggers`, triggersIn(harness), modelTriggers(model));
  expectSame(`${at}: authority`, authorityOf(harness), modelAuthority(model));
  // Limits that are lowered leave positions beyond them.
  const broken = brokenInvariants(harness.state).filter((words) => !governs || !words.startsWith('I17'));
  expectSame(`${at}: invariants`, broken, []);
}

/** Ids of the markets with prices from outside. */
const withOracle = (markets: readonly GenesisMarket[]): number[] =>
  markets.flatMap((market, index) => (market.oracle === true ? [index + 1] : []));

const walk = (center: number, by: number): number => Math.min(priceWalk.high, Math.max(priceWalk.low, center + by));

function count(counts: Record<string, number>, { events, results }: ClobOutcome): void {
  const names = [
    ...decodeEventFrames(events).flatMap(({ kind, data }) =>
      'reason' in data && kind !== 'action_rejected' ? [kind, `${kind} ${String(data['reason'])}`] : [kind],
    ),
    ...results.flatMap((result) => (result.ok ? [] : [result.error.code])),
  ];
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
}

function expectSame(what: string, engine: unknown, model: unknown): void {
  const [left, right] = [textOf(engine), textOf(model)];
  if (left !== right) throw new Error(`${what} differ\nengine ${left}\nmodel  ${right}`);
}

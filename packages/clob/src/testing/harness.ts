import {
  factsOf,
  type ActionPayload,
  type ActionResult,
  type ClobParams,
  type ContractAction,
  defaultClobParams,
  defaultMarketDecimals,
  type DomainEvent,
  encodeResultFrames,
  decodeEventFrames,
  type GenesisMarket,
  type OrderFields,
  type SignatureKind,
  type VerifiedAction,
} from '@prime/codec';
import {
  type Address,
  assert,
  bytesEqual,
  type Hash,
  type Height,
  type MarketId,
  type OrderId,
  type TimestampMs,
} from '@prime/primitives';
import { createInspectableEngine } from '../engine.ts';
import type { ClobBlock, ClobEngine, ClobOutcome, DepositFunding, OracleSet } from '../ports.ts';
import type { RecordTrie } from '../records/recordTrie.ts';
import type { PoolCounts } from '../shards/front.ts';
import type { ClobState } from '../state/state.ts';
import { checkDecodable } from './decodable.ts';
import { createLocalPool } from './localPool.ts';

/** Drives an engine block by block, with actions written as what they say. */

export const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
export const [alice, bob, carol] = [addressOf(0xa11ce), addressOf(0xb0b), addressOf(0xca201)] as const;
export const gateway = addressOf(0x6a7e);
export const marketId = (id: number): MarketId => id as MarketId;
export const orderId = (id: number): OrderId => id as OrderId;

export const defaultParams: ClobParams = { ...defaultClobParams, maxOpenOrders: 100 };
/** Market 1: tick 5, lot 10. Market 2: tick 1, lot 1. */
export const defaultMarkets: readonly GenesisMarket[] = [
  { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n, ...defaultMarketDecimals },
  { symbol: 'BTC/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals },
];

export const startMs = 1_700_000_000_000;

/** An order of market 2, where every price and size is on the grid. */
export const order = (
  side: 'buy' | 'sell',
  price: bigint,
  size: bigint,
  more: Partial<OrderFields> = {},
): ActionPayload => ({
  type: 'order',
  marketId: marketId(2),
  side,
  price,
  size,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  ...more,
});

export interface Step {
  readonly account: Address;
  readonly payload: ActionPayload;
  readonly signer?: Address;
  readonly signatureKind?: SignatureKind;
  readonly nonce?: number;
  readonly expiresAt?: number;
  /** Of a deposit; funded unless told otherwise. */
  readonly funded?: boolean;
  readonly faucetAmount?: bigint;
  /** The signer holds nothing outside of the order book. */
  readonly outsider?: boolean;
}

export interface Harness {
  readonly engine: ClobEngine;
  readonly state: ClobState;
  readonly trie: RecordTrie;
  /** What its pool of shards did, if it has one. */
  pool(): PoolCounts;
  /** Runs one block and commits it. */
  block(steps: readonly Step[], atMs?: number, writes?: readonly ContractAction[]): ClobOutcome;
  /** Runs one block and takes it back. */
  drop(steps: readonly Step[], atMs?: number, writes?: readonly ContractAction[]): ClobOutcome;
  /** Runs one block and leaves it pending. */
  propose(steps: readonly Step[], atMs?: number, writes?: readonly ContractAction[]): ClobOutcome;
  /** Commits the pending block. */
  keep(outcome: ClobOutcome): void;
  /** Goes on with a new engine that has nothing but the committed records. */
  restart(): void;
  /** Runs one action in a block of its own. */
  act(account: Address, payload: ActionPayload, more?: Partial<Step>): ActionResult;
  deposit(account: Address, amount: bigint): void;
  events(): readonly DomainEvent[];
  /** What the engine was given last; null before the first block. */
  given(): ClobBlock | null;
  /** All records that committed blocks wrote. */
  readonly records: Map<string, readonly [Uint8Array, Uint8Array]>;
  now(): number;
}

export interface HarnessOptions {
  readonly params?: Partial<ClobParams>;
  readonly actionsMode?: 'open' | 'signed';
  readonly wideBooks?: boolean;
  readonly markets?: readonly GenesisMarket[];
  /** Who reports prices: in all blocks, or in the next one. */
  readonly oracle?: OracleSet | (() => OracleSet);
  /** Has the engine work with so many shards. */
  readonly shards?: number;
}

let hashCounter = 0;

const verified = (step: Step, nonceOf: (step: Step) => number): VerifiedAction => ({
  raw: new Uint8Array(0),
  hash: `0x${(++hashCounter).toString(16).padStart(64, '0')}` as Hash,
  signer: step.signer ?? (step.signatureKind === 'raw' ? step.account : gateway),
  facts: factsOf(step.payload),
  transaction: {
    chainId: 1,
    nonce: nonceOf(step),
    expiresAt: step.expiresAt ?? 0,
    account: step.account,
    payload: step.payload,
    signatureKind: step.signatureKind ?? 'gateway',
    signature: new Uint8Array(65),
  },
});

const fundingsOf = (steps: readonly Step[]): DepositFunding[] =>
  steps.flatMap(({ payload, funded = true, faucetAmount = 0n }, actionIndex) =>
    payload.type === 'deposit' || payload.type === 'enqueueEvmToOrders' ? [{ actionIndex, funded, faucetAmount }] : [],
  );

const blockOf = (
  steps: readonly Step[],
  height: number,
  timeMs: number,
  nonceOf: (step: Step) => number,
): ClobBlock => ({
  height: height as Height,
  timestampMs: timeMs as TimestampMs,
  actions: steps.map((step) => verified(step, nonceOf)),
  deposits: fundingsOf(steps),
  outsiders: steps.flatMap(({ outsider = false }, index) => (outsider ? [index] : [])),
});

/** Whatever the engine says must have an encoding: it goes into blocks. */
function expectEncodable({ events, results, resultFrames }: ClobOutcome): void {
  decodeEventFrames(events);
  assert(bytesEqual(resultFrames, encodeResultFrames(results)), 'results that are written from rows differ');
}

/** An engine, with shards where there are to be some. */
function createInside({ params, actionsMode = 'open', wideBooks = false, shards }: HarnessOptions) {
  const options = { params: { ...defaultParams, ...params }, actionsMode, wideBooks };
  return shards === undefined ? { ...createInspectableEngine(options), front: null } : createLocalPool(options, shards);
}

const noCounts: PoolCounts = { shared: 0, repeated: 0, alone: 0 };
const added = (a: PoolCounts, b: PoolCounts): PoolCounts => ({
  shared: a.shared + b.shared,
  repeated: a.repeated + b.repeated,
  alone: a.alone + b.alone,
});

const oracleOf = ({ oracle }: HarnessOptions): Pick<ClobBlock, 'oracle'> =>
  oracle === undefined ? {} : { oracle: typeof oracle === 'function' ? oracle() : oracle };

export function createHarness(options: HarnessOptions = {}): Harness {
  let inside = createInside(options);
  let earlier = noCounts;
  const counts = (): PoolCounts => added(earlier, inside.front?.counts ?? noCounts);
  const records: Harness['records'] = new Map();
  let height = 0;
  let [timeMs, nonce] = [startMs, startMs * 1000];
  let lastEvents: readonly DomainEvent[] = [];
  let given: ClobBlock | null = null;

  const note = (outcome: ClobOutcome): ClobOutcome => {
    inside.engine.commit();
    for (const write of outcome.writes) {
      checkDecodable(write);
      const { key, value } = write;
      if (value === null) records.delete(String(key));
      else records.set(String(key), [key, value]);
    }
    return outcome;
  };
  const nonceOf = (step: Step): number =>
    step.nonce ?? (step.signatureKind === 'raw' ? timeMs + height + hashCounter : ++nonce);
  const propose: Harness['propose'] = (steps, atMs, writes = []) => {
    timeMs = atMs ?? timeMs + 100;
    height++;
    given = { ...blockOf(steps, height, timeMs, nonceOf), contractActions: writes, ...oracleOf(options) };
    const outcome = inside.engine.execute(given);
    expectEncodable(outcome);
    lastEvents = decodeEventFrames(outcome.events);
    return outcome;
  };
  const block: Harness['block'] = (...args) => note(propose(...args));
  const drop: Harness['drop'] = (...args) => {
    const before = { height, timeMs, nonce };
    const outcome = propose(...args);
    inside.engine.rollback();
    ({ height, timeMs, nonce } = before);
    return outcome;
  };
  const act: Harness['act'] = (account, payload, more = {}) => block([{ account, payload, ...more }]).results[0]!;
  note(inside.engine.genesis(options.markets ?? defaultMarkets));
  return {
    get engine() {
      return inside.engine;
    },
    get state() {
      return inside.state;
    },
    get trie() {
      return inside.trie;
    },
    pool: counts,
    restart() {
      const root = inside.engine.ordersRoot();
      earlier = counts();
      inside = createInside(options);
      inside.engine.restore(records.values());
      assert(inside.engine.ordersRoot() === root, 'a restored engine has another root');
    },
    block,
    drop,
    propose,
    keep: (outcome) => void note(outcome),
    act,
    deposit: (account, amount) => void act(account, { type: 'deposit', amount }),
    events: () => lastEvents,
    given: () => given,
    records,
    now: () => timeMs,
  };
}

/** An order's result value. */
export function orderValue(
  result: ActionResult,
): Extract<Extract<ActionResult, { ok: true }>['value'], { type: 'order' }> {
  if (!result.ok) throw new Error(`the order was refused: ${result.error.message}`);
  if (result.value.type !== 'order') throw new Error(`not an order's result: ${result.value.type}`);
  return result.value;
}

/** A refusal's words; the empty text for a success. */
export const wordsOf = (result: ActionResult): string => (result.ok ? '' : result.error.message);

import {
  type ActionPayload,
  type ActionResult,
  type ClobParams,
  type ContractPayload,
  type GenesisMarket,
  leafKeyOf,
  type VerifiedAction,
} from '@prime/codec';
import { assert, bigintAbs, type Hash } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { addMarket, runAction } from './actions.ts';
import { dequeueAll } from './bridge.ts';
import { depositsFirst, runContractAction } from './contractActions.ts';
import { type Answer, catchOrders, concludeAction, refuseMissed } from './conclude.ts';
import { refusal } from './errors.ts';
import { hasShortWay, runFast } from './fastLane.ts';
import { type FirstRoom, usualRoom } from './firstRoom.ts';
import { advanceFunding, countMark } from './funding.ts';
import { checkConservation, escrowOf, keepWorth } from './ledger.ts';
import { liquidateRiskiest } from './liquidate.ts';
import { type Market, nextMarkPrice, rawPriceOf } from './markets.ts';
import type { ClobBlock, ClobEngine, ClobOutcome, DepositFunding } from './ports.ts';
import { onlyCancels } from './missedCancels.ts';
import { RecordBatch } from './recordBatch.ts';
import { loadRecords, loadTrie } from './loading.ts';
import { writeDirty } from './records.ts';
import { type RecordProof, RecordTrie } from './recordTrie.ts';
import { authorize, takeNonces } from './replay.ts';
import { restAfter } from './rest.ts';
import { ClobState } from './state.ts';
import { StoredRecords } from './storedRecords.ts';

/** Orders that one block takes out because their time is over; what is left comes with the next blocks. */
const expiriesPerBlockMax = 1000;

export interface ClobEngineOptions {
  readonly params: ClobParams;
  readonly actionsMode: 'open' | 'signed';
  /** Counts in bigints from the start: for tests that compare both kinds of book. */
  readonly wideBooks?: boolean;
  /** Of its tables; for tests that compare engines which grow at other times. */
  readonly firstRoom?: FirstRoom;
}

/** An engine and its inside, for tests that check invariants. */
export interface InspectableEngine {
  readonly engine: Engine;
  readonly state: ClobState;
  readonly trie: RecordTrie;
}

/** The order book domain; see {@link ClobEngine}. */
export const createClobEngine = (params: ClobParams, actionsMode: 'open' | 'signed'): ClobEngine =>
  createInspectableEngine({ params, actionsMode }).engine;

export function createInspectableEngine(options: ClobEngineOptions): InspectableEngine {
  const { actionsMode, wideBooks = false, firstRoom = usualRoom } = options;
  const state = new ClobState(options.params, hasShortWay(options.params), firstRoom);
  const trie = new RecordTrie(firstRoom);
  return { engine: new Engine(state, trie, { actionsMode, wideBooks }, firstRoom), state, trie };
}

/** An object with properties that are made when they are asked for first, and stay. */
function withLazy<T extends object, L extends Readonly<Record<string, () => unknown>>>(
  known: T,
  makers: L,
): T & { readonly [K in keyof L]: ReturnType<L[K]> } {
  for (const [name, make] of Object.entries(makers)) {
    let made: { readonly value: unknown } | null = null;
    const get = (): unknown => (made ??= { value: make() }).value;
    Object.defineProperty(known, name, { enumerable: true, get });
  }
  return known as T & { readonly [K in keyof L]: ReturnType<L[K]> };
}

/** @internal The front of a pool of shards drives a block by its parts: {@link Engine.open}, {@link Engine.close}. */
export class Engine implements ClobEngine {
  readonly state: ClobState;
  readonly rules: BlockRules;
  readonly #trie: RecordTrie;
  #pending = false;
  /** Of the pending block: markets whose mark is not at the raw price yet. */
  #moving: readonly Market[] = [];
  #fresh = true;
  /** Of the open block, or of the latest one. */
  readonly #records: RecordBatch;
  /** Blocks that ran, to know which one an outcome is of. */
  #blocks = 0;
  #restored: StoredRecords;
  readonly #firstRoom: FirstRoom;
  #escrowBefore = 0n;

  constructor(state: ClobState, trie: RecordTrie, rules: BlockRules, firstRoom: FirstRoom) {
    this.#firstRoom = firstRoom;
    this.#records = new RecordBatch(firstRoom);
    this.#restored = new StoredRecords(firstRoom);
    this.state = state;
    this.rules = rules;
    this.#trie = trie;
  }

  restore(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): void {
    assert(this.#fresh, 'the order book is in use, it can not be restored');
    for (const [key, value] of records) this.#restored.add(key, value);
  }

  genesis(markets: readonly GenesisMarket[]): ClobOutcome {
    assert(this.#fresh && this.#restored.size === 0, 'genesis is for an empty order book');
    return this.#run(() => addGenesisMarkets(this.state, markets, this.rules.wideBooks));
  }

  ordersRoot(): Hash {
    this.#load();
    return this.#trie.root();
  }

  prove(key: Uint8Array): RecordProof {
    this.#load();
    return this.#trie.proveCommitted(leafKeyOf(key));
  }

  execute(block: ClobBlock): ClobOutcome {
    return this.#run(() => executeBlock(this.state, block, this.rules));
  }

  commit(): void {
    assert(this.#pending, 'no block of the order book is pending');
    const { state } = this;
    state.accept();
    state.orders.recycle();
    this.#trie.commit();
    keepWorth(state);
    state.holders.commit(state.dirtyAccounts);
    state.memory.commit(state.height);
    state.refused.commit(state.height);
    state.transfers.commit();
    keepMoving(state, this.#moving);
    clearBlock(state);
    this.#pending = false;
  }

  rollback(): void {
    assert(this.#pending, 'no block of the order book is pending');
    this.state.undoTo({ steps: 0, events: 0, ends: 0 });
    this.state.forgetPrices();
    this.#trie.rollback();
    clearBlock(this.state);
    this.#pending = false;
  }

  /** Restoring may come in several calls; the state is built when the first use shows that all are here. */
  #load(): void {
    if (this.#restored.size === 0) return;
    const records = this.#restored;
    this.#restored = new StoredRecords(this.#firstRoom);
    this.#fresh = false;
    loadRecords(this.state, records, this.rules.wideBooks);
    loadTrie(this.#trie, records);
    this.#trie.commit();
  }

  /** Runs a block's work and leaves it pending; when it throws, nothing of it stays. */
  #run(work: () => readonly Answer[]): ClobOutcome {
    this.open();
    try {
      return this.close(work());
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Begins a block, which is pending from now on. */
  open(): void {
    assert(!this.#pending, 'a block of the order book is pending');
    this.#load();
    this.#pending = true;
    this.#fresh = false;
    this.#blocks++;
    this.state.log.reset();
    this.#escrowBefore = escrowOf(this.state);
  }

  /** Ends the work of a block: marks, checks, records and root. */
  close(answers: readonly Answer[]): ClobOutcome {
    const state = this.state;
    const before = this.#escrowBefore;
    this.#moving = updateMarks(state);
    checkConservation(state);
    const escrow = escrowOf(state);
    const records = this.#records;
    records.reset();
    writeDirty(state, records);
    this.#trie.apply(records);
    const { log, credits } = state;
    const block = this.#blocks;
    /** What is made late is made of what the next block writes over. */
    const ofThis = <T>(made: () => T): T => {
      assert(this.#blocks === block, 'the outcome of a block is asked for after the next one has begun');
      return made();
    };
    const known = {
      ordersRoot: this.#trie.root(),
      credits: [...credits],
      escrow,
      escrowChange: escrow - before,
      rest: restAfter(state),
    };
    return withLazy(known, {
      results: () => ofThis(() => answers.map((answer) => (typeof answer === 'number' ? log.answer(answer) : answer))),
      events: () => ofThis(() => log.eventFrames()),
      writes: () => ofThis(() => records.effectiveWrites()),
    });
  }
}

function addGenesisMarkets(state: ClobState, markets: readonly GenesisMarket[], wideBooks: boolean): ActionResult[] {
  return markets.map((market) => {
    const result = addMarket(state, market, wideBooks);
    assert(result.ok, `genesis market ${market.symbol} is not valid`);
    return result;
  });
}

/** Whether an action runs before the others of its block: what brings collateral in, sets parameters or takes risk out. */
export function runsFirst(payload: ActionPayload | ContractPayload): boolean {
  switch (payload.type) {
    case 'deposit':
    case 'setMargin':
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'revokeAgent':
      return true;
    case 'batch':
      return onlyCancels(payload.items);
    default:
      return false;
  }
}

export interface BlockRules {
  readonly actionsMode: 'open' | 'signed';
  readonly wideBooks: boolean;
}

/** What a block does by itself before its actions, and takes their nonces. @returns the refusals of those that have none left */
export function beginBlock(state: ClobState, block: ClobBlock): ReadonlyMap<number, ActionResult> {
  state.height = block.height;
  state.timestampMs = block.timestampMs;
  state.actionIndex = null;
  const hasMoved = advanceFunding(state);
  // Funding is a part of margin; what a parameter that is not known makes of it is asked anew in each block.
  if (hasMoved || !state.hasShortWay) state.repriced();
  expireOrders(state);
  if (state.params.autoDequeue) dequeueAll(state);
  // Nonces are taken in proposed order: running cancels first must not make the numbers before them too old.
  return takeNonces(state, block);
}

function executeBlock(state: ClobState, block: ClobBlock, rules: BlockRules): Answer[] {
  const refusals = beginBlock(state, block);
  const deposits = new Map(block.deposits.map((deposit) => [deposit.actionIndex, deposit]));
  const answers = Array<Answer>(block.actions.length).fill(0);
  const contractActions = depositsFirst(block.contractActions ?? []);
  const work = { actions: block.actions, contractActions, rules, refusals, deposits, answers };
  if (state.params.cancelFirst) {
    runTurn(state, work, 'first');
    // After deposits, which may save an account, and cancels, which makers may need; before anybody takes.
    liquidateRiskiest(state);
    runTurn(state, work, 'second');
  } else {
    liquidateRiskiest(state);
    runTurn(state, work, 'only');
  }
  refuseMissed(state);
  return answers;
}

/** A block that is being executed. */
interface BlockWork {
  readonly actions: ClobBlock['actions'];
  /** Of contracts, in the order in which they run. */
  readonly contractActions: NonNullable<ClobBlock['contractActions']>;
  readonly rules: BlockRules;
  /** By the place of the action, as {@link deposits}. */
  readonly refusals: ReadonlyMap<number, ActionResult>;
  readonly deposits: ReadonlyMap<number, DepositFunding>;
  readonly answers: Answer[];
}

/** When an action runs: in the only turn, or in one of two. */
type Turn = 'only' | 'first' | 'second';

const isIn = (turn: Turn, payload: ActionPayload | ContractPayload): boolean =>
  turn === 'only' || (turn === 'first') === runsFirst(payload);

/**
 * Runs the actions whose turn it is. Not a function that is made for each block: what the compiler makes of such a one goes with the last of them, at
 * each large collection.
 */
function runTurn(state: ClobState, work: BlockWork, turn: Turn): void {
  const { actions, contractActions, rules, refusals, deposits, answers } = work;
  for (const action of contractActions) {
    if (!isIn(turn, action.payload)) continue;
    runContractAction(state, action);
    catchOrders(state, action, answers);
  }
  for (let index = 0; index < actions.length; index++) {
    const action = actions[index]!;
    if (!isIn(turn, action.transaction.payload)) continue;
    state.actionIndex = index;
    const refused = refusals.size === 0 ? null : (refusals.get(index) ?? null);
    const deposit = deposits.size === 0 ? undefined : deposits.get(index);
    answers[index] = runOne(state, action, refused, deposit, rules);
    catchOrders(state, action.transaction, answers);
  }
  state.actionIndex = null;
}

/** Why an action does not run at all: its nonce, its time, or who signed it. */
export function refusedBefore(
  state: ClobState,
  action: VerifiedAction,
  known: Account | undefined,
  refused: ActionResult | null,
  actionsMode: BlockRules['actionsMode'],
): ActionResult | null {
  const { expiresAt } = action.transaction;
  const isExpired = expiresAt !== 0 && state.timestampMs > expiresAt;
  return refused ?? (isExpired ? refusal.expired() : authorize(state, action, known, actionsMode));
}

export function runOne(
  state: ClobState,
  action: VerifiedAction,
  refused: ActionResult | null,
  deposit: DepositFunding | undefined,
  { actionsMode, wideBooks }: BlockRules,
): Answer {
  const { account, payload } = action.transaction;
  const known = state.accountOf.get(account);
  const before = refusedBefore(state, action, known, refused, actionsMode);
  const fast = before === null && known !== undefined ? runFast(state, known, payload) : null;
  const mark = fast === null ? state.mark() : null;
  const result = before ?? fast ?? runAction(state, { action, deposit: deposit ?? null, wideBooks });
  if (mark !== null && typeof result !== 'number' && !result.ok) state.undoTo(mark);
  return concludeAction(state, action, result);
}

function expireOrders(state: ClobState): void {
  for (let count = 0; count < expiriesPerBlockMax; count++) {
    const handle = state.expiries.last();
    if (handle < 0 || !state.isExpired(handle)) return;
    state.cancelOrder(handle, 'expired');
  }
}

/**
 * Mark prices of the next block, for the markets whose book or last price may have moved, and for those whose mark was still on its
 * way. @returns the markets that are on their way now
 */
function updateMarks(state: ClobState): Market[] {
  const { mark: params } = state.params;
  const moving: Market[] = [];
  let most = 0;
  for (const market of new Set([...state.dirtyMarkets, ...state.movingMarkets])) {
    if (state.market(market.id) !== market) continue;
    if (market.tradedAt === state.height && market.tradeBlocks < params.minTrades)
      state.changeMarket(market).tradeBlocks++;
    const told = state.sharing?.rawPrices.get(market);
    const raw = told === undefined ? rawPriceOf(market, params) : told;
    const mark = nextMarkPrice(market.markPrice, raw, params);
    if (mark !== raw) moving.push(market);
    const { markPrice: before } = market;
    if (mark === before) continue;
    countMark(state, market);
    state.changeMarket(market).markPrice = mark;
    if (mark === null || before === null) state.repriced();
    else most = Math.max(most, Number(bigintAbs(mark - before)) / Number(before));
  }
  if (most > 0) state.marksMoved(most);
  return moving;
}

function keepMoving({ movingMarkets }: ClobState, moving: readonly Market[]): void {
  movingMarkets.clear();
  for (const market of moving) movingMarkets.add(market);
}

/** What a block noted for itself. */
export function clearBlock(state: ClobState): void {
  state.credits.length = 0;
  state.solvency.reset();
  state.holders.rankings.reset();
  state.refused.current.length = 0;
  state.missed.clear();
  state.transfers.dirty.clear();
  state.orders.forgetTouched();
  state.dirtyAccounts.clear();
  state.dirtyMarkets.clear();
  state.levels?.clear();
  state.dirtyGateways.clear();
  state.dirtySigners.clear();
  state.dirtyAgents.clear();
}

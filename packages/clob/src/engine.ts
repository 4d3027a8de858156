import { type ActionResult, type ClobParams, type GenesisMarket, leafKeyOf } from '@prime/codec';
import { assert, type Hash } from '@prime/primitives';
import { addMarket } from './rules/actions.ts';
import { type BlockRules, executeBlock } from './rules/block.ts';
import { clearBlock, forgetPrices } from './state/changes.ts';
import type { Answer } from './records/blockLog.ts';
import { hasRooms } from './orders/sureOrders.ts';
import { type FirstRoom, usualRoom } from './book/firstRoom.ts';
import { checkConservation, escrowOf, keepWorth } from './margin/ledger.ts';
import { loadRecords, loadTrie } from './records/loading.ts';
import type { Market } from './state/markets.ts';
import { payAllLosses } from './margin/claims.ts';
import { repayDebts } from './margin/insurance.ts';
import { keepMoving, updateMarks } from './margin/marks.ts';
import { settleLosses } from './margin/settleLosses.ts';
import type { ClobBlock, ClobEngine, ClobOutcome } from './ports.ts';
import { RecordBatch } from './records/recordBatch.ts';
import { type RecordProof, RecordTrie } from './records/recordTrie.ts';
import { writeDirty } from './records/records.ts';
import { restAfter } from './rules/rest.ts';
import { queueTriggers } from './triggers/fireTriggers.ts';
import { ClobState } from './state/state.ts';
import { StoredRecords } from './records/storedRecords.ts';
import { undoTo } from './state/undo.ts';

/** Rules of a chain by which an engine runs, and what tests vary without changing a result. */
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

/** An empty engine, with the state and the trie that it drives. */
export function createInspectableEngine(options: ClobEngineOptions): InspectableEngine {
  const { actionsMode, wideBooks = false, firstRoom = usualRoom } = options;
  const state = new ClobState(options.params, hasRooms(options.params), firstRoom);
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
    state.storedParams = state.params;
    state.transfers.commit();
    keepMoving(state, this.#moving);
    clearBlock(state);
    this.#pending = false;
  }

  rollback(): void {
    assert(this.#pending, 'no block of the order book is pending');
    undoTo(this.state, { steps: 0, events: 0, ends: 0 });
    forgetPrices(this.state);
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
    payAllLosses(state);
    settleLosses(state);
    repayDebts(state);
    queueTriggers(state);
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
      results: () => ofThis(() => answers.map((answer) => log.answer(answer))),
      resultFrames: () => ofThis(() => log.resultFrames(answers)),
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

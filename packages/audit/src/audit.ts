import { type ActionResult, type Genesis, isValidatorAction } from '@prime/codec';
import { Model, modelEvents, modelResult, openOrders, textOf } from '@prime/model';
import { bookOf, type Level } from './book.ts';
import type { DecidedBlock } from './decidedBlock.ts';
import { AuditError } from './errors.ts';
import { factsAsAnswered, modelAction } from './modelAction.ts';
import { AuditedValidators } from './validators.ts';

/** What the model says of an action that is in a block, for the answer that its client got. */
export interface JudgedAction {
  readonly height: number;
  readonly account: string;
  readonly type: string;
  /** The model's result; a refusal is its code. */
  readonly expected: unknown;
  /** Words of a refusal, as the validator keeps them. */
  readonly words: string | null;
}

/** One level of a book, or an order in it, at a height. */
export interface ModelOrderView {
  readonly size: bigint;
  readonly remaining: bigint;
}

/** What streams are compared with: the model as it was after a block. */
export interface StreamExpectation {
  readonly stateRoot: string;
  readonly events: readonly string[];
  readonly kinds: readonly string[];
  /** Of the markets that a stream told of at the height: price and size of each level, both sides ascending. */
  readonly books: ReadonlyMap<number, { readonly bids: readonly Level[]; readonly asks: readonly Level[] }>;
  /** Open orders of the accounts that streams are about, when the block touched any order. */
  readonly orders: ReadonlyMap<string, ReadonlyMap<number, ModelOrderView>>;
}

/** What has to be known of the past when the streams are judged. */
export interface Wanted {
  /** Markets by height. */
  readonly books: ReadonlyMap<number, ReadonlySet<number>>;
  readonly accounts: readonly string[];
}

/** What a caller of an audit may watch or replace; all of it may be left out. */
export interface AuditOptions {
  /** Sees each block with the model's events of it. */
  readonly see?: (block: DecidedBlock, events: readonly string[]) => void;
  /** What the model is told about an action; by default what the answer says. */
  readonly facts?: typeof factsAsAnswered;
}

/** What of a genesis an audit goes by. */
export type AuditedGenesis = Pick<Genesis, 'clob' | 'markets' | 'validators' | 'consensus' | 'staking'>;

/** What a block has to have made. */
interface Expected {
  readonly results: readonly unknown[];
  readonly events: readonly string[];
}

const nothingWanted: Wanted = { books: new Map(), accounts: [] };

/** Replays decided blocks in the model, and compares what the validators made of each with what the model makes of it. */
export class Audit {
  readonly model: Model;
  /** A line for each difference. */
  readonly faults: string[] = [];
  readonly #see: NonNullable<AuditOptions['see']>;
  readonly #facts: typeof factsAsAnswered;
  readonly #validators: AuditedValidators;
  readonly #hasStaking: boolean;
  #height = 0;

  constructor(genesis: AuditedGenesis, options: AuditOptions = {}) {
    this.model = new Model(genesis.clob, genesis.markets);
    this.#validators = new AuditedValidators(genesis);
    this.#hasStaking = genesis.staking !== undefined;
    this.#see = options.see ?? (() => undefined);
    this.#facts = options.facts ?? factsAsAnswered;
  }

  /** Next block. */
  get next(): number {
    return this.#height + 1;
  }

  /**
   * @returns what the actions should have been answered, by hash, and what streams should have told, by height
   * @throws AuditError `AUDIT_BLOCK_OUT_OF_ORDER`
   */
  replay(
    blocks: readonly DecidedBlock[],
    wanted: Wanted = nothingWanted,
  ): { readonly actions: Map<string, JudgedAction>; readonly streams: Map<number, StreamExpectation> } {
    const actions = new Map<string, JudgedAction>();
    const streams = new Map<number, StreamExpectation>();
    for (const block of blocks) {
      const expected = this.#next(block);
      this.#compare(block, expected);
      this.#see(block, expected.events);
      block.actions.forEach(({ hash, transaction }, index) => {
        const stored = block.results[index];
        const words = stored?.ok === false ? stored.error.message : null;
        const { account, payload } = transaction;
        // Sent twice, an action is executed once: its client was told of that.
        if (!actions.has(hash))
          actions.set(hash, {
            height: block.height,
            account,
            type: payload.type,
            expected: expected.results[index],
            words,
          });
      });
      streams.set(block.height, this.#expectation(block, expected.events, wanted));
    }
    return { actions, streams };
  }

  #next(block: DecidedBlock): Expected {
    const { height, actions, results, timeMs, writes } = block;
    if (height !== this.next)
      throw new AuditError(`block ${this.next} is next, got ${height}`, {
        code: 'AUDIT_BLOCK_OUT_OF_ORDER',
        expected: this.next,
        height,
      });
    this.#height = height;
    const told = actions.map((action, index) => modelAction(action, this.#facts(action, results[index])));
    const answers = this.model.block(told, timeMs, writes, this.#validators.reporters);
    this.faults.push(...this.#validators.add(block));
    return this.#withValidators(block, answers);
  }

  /**
   * With refusals of validators' actions that the order book let pass. Whether an owner may is not judged here, so the answer is believed; only where
   * validators never change it is known.
   */
  #withValidators({ actions, results }: DecidedBlock, answers: readonly unknown[]): Expected {
    const events = [...this.model.events];
    const expected = answers.map((answer, index) => {
      if (typeof answer === 'string' || !isValidatorAction(actions[index]!.transaction.payload)) return answer;
      const refused = this.#hasStaking ? stakingCode(results[index]) : 'STAKING_FIXED_VALIDATORS';
      if (refused !== null) events.push('rejected');
      return refused ?? answer;
    });
    return { results: expected, events };
  }

  #compare(block: DecidedBlock, { results: expected, events: all }: Expected): void {
    if (block.results.length !== expected.length)
      this.faults.push(`block ${block.height}: ${block.results.length} results of ${expected.length} actions`);
    block.results.forEach((result, index) => {
      const { transaction } = block.actions[index]!;
      const what = `block ${block.height}, action ${index} (${transaction.payload.type} of ${transaction.account})`;
      this.#same(`${what}: result`, modelResult(result), expected[index]);
    });
    const events = modelEvents(block.events);
    if (textOf(events) === textOf(all)) return;
    const at = all.findIndex((event, index) => event !== events[index]);
    const place = at < 0 ? all.length : at;
    const what = `block ${block.height}, event ${place} of ${events.length} (model: ${all.length})`;
    this.faults.push(`${what}: validator ${String(events[place])}, model ${String(all[place])}`);
  }

  #same(what: string, stored: unknown, expected: unknown): void {
    const [left, right] = [textOf(stored), textOf(expected)];
    if (left !== right) this.faults.push(`${what}: validator ${short(left)}, model ${short(right)}`);
  }

  #expectation(block: DecidedBlock, events: readonly string[], { books, accounts }: Wanted): StreamExpectation {
    const told = [...(books.get(block.height) ?? [])];
    const isQuiet = block.actions.length === 0 && block.writes.length === 0 && events.length === 0;
    const ordersOf = (account: string): ReadonlyMap<number, ModelOrderView> =>
      new Map(openOrders(this.model, account).map(({ id, size, remaining }) => [id, { size, remaining }] as const));
    return {
      stateRoot: block.stateRoot,
      events,
      kinds: block.events.map(({ kind }) => kind),
      books: new Map(told.map((market) => [market, bookOf(this.model, market)])),
      orders: new Map(isQuiet ? [] : accounts.map((account) => [account, ordersOf(account)])),
    };
  }
}

const stakingCode = (result: ActionResult | undefined): string | null =>
  result?.ok === false && result.error.code.startsWith('STAKING_') ? result.error.code : null;

const shown = 400;
const short = (text: string): string => (text.length <= shown ? text : `${text.slice(0, shown)}…`);

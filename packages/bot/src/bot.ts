import type { BotOptions, Decision, HaltReason, PullReason } from './botState.ts';
import { type PlannedItem, planQuotes } from './execution/planQuotes.ts';
import type { BotFill, BotFunding, FillLedger, UnsettledFunding } from './ledger.ts';
import { type AccountView, type Book, withoutOwn } from './market.ts';
import type { Outcome } from './ports.ts';
import { type Silence, silenceOf } from './risk/deadMan.ts';
import { limitQuotes } from './risk/limits.ts';
import type { LossRecord } from './risk/lossRecord.ts';
import { ProfitCount } from './risk/profitCount.ts';
import { createTokenBucket, type TokenBucket } from './risk/tokenBucket.ts';
import type { Wanted } from './strategy/strategy.ts';

/** Pauses after refusals, ms: the first, doubled up to the last. */
const backoffFirstMs = 250;
const backoffLastMs = 8_000;
/** Pause between two attempts to take everything back. */
const pullAgainMs = 1_000;
/** Refusals that follow from what others did meanwhile: the next block says what to do. */
const usual: ReadonlySet<string> = new Set([
  'post_only',
  'unknown_order',
  'order_filled',
  'order_cancelled',
  'block_full',
]);

/** Price of the account that a bot is told with each step. */
export interface StepInput {
  readonly nowMs: number;
  /** Wei for one base unit; null where nobody knows. */
  readonly fairPrice: bigint | null;
}

/**
 * The decisions of a bot: what to send next, from what was told so far. It has no clock and sends nothing; whoever drives it tells what
 * happens and carries out what `step` answers.
 *
 * One batch at a time is on its way. The next one is decided by the account of a block that has the former one, so nothing is ever
 * counted twice.
 */
export class Bot {
  readonly #options: BotOptions;
  readonly #bucket: TokenBucket;
  #book: Book | null = null;
  #bookIsLive = false;
  #bookMs: number | null = null;
  #view: AccountView | null = null;
  #isSure = false;
  #accountMs: number | null = null;
  #head: bigint | null = null;
  #headMs: number | null = null;
  #strategyMs: number | null = null;
  #strategyError: string | null = null;
  readonly #profit = new ProfitCount();
  #halted: HaltReason | null = null;
  /** What was said to what was refused for good. */
  #refusal: string | null = null;
  #canCancel = true;
  #pulled: PullReason | null = null;
  #lastPullMs: number | null = null;
  #batchIsInFlight = false;
  #cancelIsInFlight = false;
  /** Decisions wait for the account of this block; null until it is known what earlier processes left behind. */
  #barrier: bigint | null = null;
  #pauseUntilMs = 0;
  #backoffMs = backoffFirstMs;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#bucket = createTokenBucket(options.itemsPerSecond);
  }

  get halted(): HaltReason | null {
    return this.#halted;
  }
  /** What the chain said when the bot halted for a refusal; null where it did for something else. */
  get refusal(): string | null {
    return this.#refusal;
  }
  /** Whether it may still take orders back; false once that was refused for good, as to an agent that was revoked. */
  get canCancel(): boolean {
    return this.#canCancel;
  }
  /** Why there are no quotes; null while there may be. */
  get pulled(): PullReason | null {
    return this.#pulled;
  }
  get ledger(): FillLedger | null {
    return this.#profit.ledger;
  }
  /** What has to be kept, so that the loss limit counts on after this process; null while nothing is known to count from. */
  get lossRecord(): LossRecord | null {
    const { record } = this.#profit;
    return record === null ? null : { ...record, isReached: this.#halted === 'loss_limit' };
  }
  get account(): AccountView | null {
    return this.#view;
  }
  get isSure(): boolean {
    return this.#isSure;
  }
  get strategyError(): string | null {
    return this.#strategyError;
  }
  get isIdle(): boolean {
    return !this.#batchIsInFlight && !this.#cancelIsInFlight;
  }
  /** Whether the account shows everything that was ever sent. */
  get isSettled(): boolean {
    const { blockNumber = -1n } = this.#view ?? {};
    return this.isIdle && this.#isSure && this.#barrier !== null && blockNumber >= this.#barrier;
  }
  /** Orders of this bot that rest. */
  get ownOrders(): AccountView['orders'] {
    return (this.#view?.orders ?? []).filter(({ clientId }) => this.#options.ids.isOwn(clientId));
  }

  /** Nothing that was sent before this block's state is on its way any more. */
  begin(fence: bigint): void {
    this.#barrier = fence;
  }

  /** The loss counts on from what an earlier process kept; where that had passed its limit, this one only takes orders back. */
  resume(record: LossRecord): void {
    this.#profit.resume(record);
    if (record.isReached) this.halt('loss_limit');
  }

  onBook(book: Book, nowMs: number): void {
    this.#book = book;
    this.#bookIsLive = true;
    this.#bookMs = nowMs;
  }

  onBookStatus(isLive: boolean): void {
    this.#bookIsLive = isLive;
  }

  /** Funding of a block was settled. Told before the account of the block, or before the first account with what came before it. */
  onFunding(payments: readonly BotFunding[]): void {
    this.#profit.settle(payments);
  }

  /** What the position is owed of funding, newer than what was told before. */
  onUnsettledFunding(unsettled: UnsettledFunding): void {
    this.#profit.owe(unsettled);
  }

  /** @param price fair price @returns profit at it, wei; null before it is known what to count from */
  profit(price: bigint): bigint | null {
    return this.#profit.at(price);
  }

  /** @param fills of the block; empty where nothing traded */
  onAccount(view: AccountView, isSure: boolean, fills: readonly BotFill[], nowMs: number): void {
    this.#view = view;
    this.#isSure = isSure;
    if (isSure) this.#accountMs = nowMs;
    this.#profit.apply(fills);
    if (isSure && !this.#profit.compare(view)) this.halt('positions_disagree');
  }

  /**
   * Fills are missing: the position is counted from here on, on top of the profit so far.
   *
   * @param price fair price; null where nobody knows, then the position counts from the first one on
   * @param earlier of a bot that was resumed, at its first account: the fills since then; null where nobody can tell all of them
   */
  onAccountReset(view: AccountView, price: bigint | null, earlier: readonly BotFill[] | null = []): void {
    this.#view = view;
    if (!this.#profit.restart(view, price, earlier)) this.halt('loss_unknown');
  }

  /** There is a new block, and the account is as it was told last. */
  onHead(head: bigint, nowMs: number): void {
    if (this.#head !== null && head <= this.#head) return;
    this.#head = head;
    this.#headMs = nowMs;
    if (this.#view !== null && head > this.#view.blockNumber) this.#view = { ...this.#view, blockNumber: head };
  }

  /** Everything is taken back, and nothing is sent any more but for that. */
  halt(reason: HaltReason): void {
    this.#halted ??= reason;
  }

  /** @param of what `step` had answered */
  onOutcome(of: 'send' | 'cancelAll', outcome: Outcome, nowMs: number): void {
    if (of === 'send') this.#batchIsInFlight = false;
    else this.#cancelIsInFlight = false;
    if (outcome.kind !== 'refused' && this.#barrier !== null && outcome.blockNumber > this.#barrier)
      this.#barrier = outcome.blockNumber;
    if (outcome.kind === 'refused' && outcome.isFatal) {
      this.#refusal ??= outcome.reason;
      if (of === 'cancelAll') this.#canCancel = false;
      this.halt('refused_for_good');
    }
    const isBad =
      outcome.kind === 'refused' || (outcome.kind === 'included' && outcome.refusals.some((kind) => !usual.has(kind)));
    if (isBad) {
      this.#pauseUntilMs = nowMs + this.#backoffMs;
      this.#backoffMs = Math.min(2 * this.#backoffMs, backoffLastMs);
    } else this.#backoffMs = backoffFirstMs;
  }

  /** Judges the loss at a fair price. {@link step} does so too; before it, whoever keeps {@link lossRecord} has the newest. */
  onPrice(price: bigint | null): void {
    const { lossMax } = this.#options.limits;
    const profit = price === null ? null : this.#profit.at(price);
    if (this.#view !== null && this.#isSure) this.#profit.compare(this.#view);
    if (profit !== null && lossMax !== null && profit < -lossMax) this.halt('loss_limit');
  }

  /** Decides what to do now. What it answers has to be carried out, and its outcome told with {@link onOutcome}. */
  step(input: StepInput): Decision {
    const { nowMs, fairPrice } = input;
    this.onPrice(fairPrice);
    if (this.#bookIsLive) this.#bookMs = nowMs;
    if (this.#isSure) this.#accountMs = nowMs;
    const reason = this.#halted ?? this.#silence(nowMs);
    if (reason !== null) return this.#pull(reason, input);
    if (this.#barrier === null || this.#view === null || this.#book === null) return { kind: 'wait', why: 'starting' };
    if (!this.isIdle) return { kind: 'wait', why: 'in_flight' };
    if (!this.#isSure || !this.#bookIsLive || this.#view.blockNumber < this.#barrier)
      return { kind: 'wait', why: 'block' };
    const wanted = this.#ask(input, this.#view, this.#book);
    if (wanted === null) return { kind: 'wait', why: 'block' };
    this.#pulled = null;
    if (nowMs < this.#pauseUntilMs) return { kind: 'wait', why: 'backoff' };
    return this.#plan(wanted, this.#view, input);
  }

  #silence(nowMs: number): Silence | null {
    return silenceOf(
      {
        nowMs,
        headMs: this.#headMs,
        bookMs: this.#bookMs,
        accountMs: this.#accountMs,
        strategyMs: this.#strategyMs,
      },
      this.#options.deadMan,
    );
  }

  /** Null where the strategy has no answer: what rests stays until its silence is too long. */
  #ask({ nowMs, fairPrice }: StepInput, account: AccountView, book: Book): Wanted | null {
    const { strategy, market } = this.#options;
    this.#strategyMs ??= nowMs;
    try {
      const others = withoutOwn(book, account.orders);
      const wanted = strategy.decide({ market, nowMs, book: others, account, fairPrice });
      this.#strategyMs = nowMs;
      this.#strategyError = null;
      return wanted;
    } catch (thrown) {
      this.#strategyError = thrown instanceof Error ? thrown.message : String(thrown);
      return null;
    }
  }

  /** Also while a batch is on its way: if it brings orders afterwards, they are taken back in turn. */
  #pull(reason: PullReason, input: StepInput): Decision {
    const { nowMs } = input;
    const isNew = this.#pulled === null;
    this.#pulled = reason;
    // One that was silent is asked again, so that the bot can come back.
    if (reason === 'strategy_silent' && this.#view !== null && this.#book !== null)
      this.#ask(input, this.#view, this.#book);
    const mayHaveOrders = !this.isSettled || (this.#view?.orders.length ?? 0) > 0;
    const isTime = isNew || this.#lastPullMs === null || nowMs - this.#lastPullMs >= pullAgainMs;
    if (!this.#canCancel || this.#cancelIsInFlight || !mayHaveOrders || !isTime) return { kind: 'wait', why: 'pulled' };
    this.#lastPullMs = nowMs;
    this.#cancelIsInFlight = true;
    return { kind: 'cancelAll', why: reason, expiresAtMs: nowMs + this.#options.actionTtlMs };
  }

  #plan(wanted: Wanted, account: AccountView, { nowMs, fairPrice }: StepInput): Decision {
    const { market, limits, execution, ids, openOrdersMax, actionTtlMs } = this.#options;
    const price = fairPrice ?? wanted.quotes[0]?.price ?? wanted.takes[0]?.price ?? 0n;
    const limited = limitQuotes(wanted, account, market, price, limits);
    const live = this.ownOrders;
    const plan = planQuotes({
      quotes: limited.quotes,
      takes: limited.takes,
      live,
      openOrdersMax: openOrdersMax - (account.openOrders - live.length),
      nowSeconds: Math.floor(nowMs / 1000),
      tickSize: market.tickSize,
      basisBlock: account.blockNumber,
      ids,
      settings: execution,
    });
    if (plan.items.length === 0) return { kind: 'wait', why: 'nothing_to_do' };
    const items = this.#withinRate(plan.items, nowMs);
    if (items.length === 0) return { kind: 'wait', why: 'rate' };
    this.#batchIsInFlight = true;
    return {
      kind: 'send',
      items,
      expiresAtMs: nowMs + actionTtlMs,
      kept: plan.kept,
      cut: [
        ...limited.cut,
        ...(items.length < plan.items.length ? (['rate'] as const) : []),
        ...(plan.postponed > 0 ? (['batch'] as const) : []),
      ],
    };
  }

  /** All cancels, and of the rest as many as the rate allows: they stand behind the cancels, and their order is kept. */
  #withinRate(items: readonly PlannedItem[], nowMs: number): readonly PlannedItem[] {
    const cancels = items.filter(({ type }) => type === 'cancel').length;
    const allowed = Math.min(items.length - cancels, this.#bucket.available(nowMs));
    this.#bucket.take(allowed, nowMs);
    return items.slice(0, cancels + allowed);
  }
}

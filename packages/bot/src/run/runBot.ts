import { Bot } from '../bot.ts';
import type { BotOptions, Decision, HaltReason } from '../botState.ts';
import { withoutOwn, type Book, type OwnOrder } from '../market.ts';
import type { BotLog, Clock, Outcome, PriceSource, Venue } from '../ports.ts';
import type { LossKeeper } from './lossKeeper.ts';
import type { BotMetrics } from './metrics.ts';

/** A bot with its loop, until it is stopped or halts by itself. */
export interface RunningBot {
  readonly bot: Bot;
  /** Newest fair price, wei; null while nobody knows. */
  readonly price: bigint | null;
  /** Takes all orders back and ends. Resolves when nothing of the bot rests any more, it may take nothing back, or nobody can be reached for so long. */
  stop(timeoutMs: number): Promise<void>;
  /** Resolves when the bot halted by itself and has taken its orders back, as far as it may. */
  readonly halted: Promise<HaltReason>;
}

/** A bot and the effects that its loop carries out. */
export interface RunBotOptions {
  readonly bot: BotOptions;
  readonly venue: Venue;
  readonly prices: PriceSource;
  readonly clock: Clock;
  readonly log: BotLog;
  readonly metrics: BotMetrics;
  /** Where the loss of the bot outlives the process; null where it does not. */
  readonly loss: LossKeeper | null;
  /** Between two steps where nothing happens, ms. */
  readonly tickMs: number;
}

/** Between two lines that say how the account stands, ms. */
const statusMs = 10_000;

/** Drives a bot: hands it what the venue tells, carries out what it decides. */
export function runBot(options: RunBotOptions): RunningBot {
  return new Runner(options);
}

class Runner implements RunningBot {
  readonly bot: Bot;
  readonly halted: Promise<HaltReason>;
  readonly #options: RunBotOptions;
  readonly #endTicks: () => void;
  #tellHalted: (reason: HaltReason) => void = () => undefined;
  #tellIdle: () => void = () => undefined;
  #book: Book = { bids: [], asks: [] };
  #isStepping = false;
  #wasHalted = false;
  #wasSure = false;
  #hasEnded = false;
  #statusMs = 0;

  constructor(options: RunBotOptions) {
    this.#options = options;
    this.bot = new Bot(options.bot);
    this.halted = new Promise((resolve) => (this.#tellHalted = resolve));
    const { venue, clock, log } = options;
    const kept = options.loss?.record ?? null;
    if (kept !== null) {
      this.bot.resume(kept);
      log.info(textFields({ ...kept }), 'loss counts on');
    }
    venue.start({
      onBook: (book) => {
        this.#book = book;
        this.bot.onBook(book, clock.now());
        this.#step();
      },
      onBookStatus: (isLive) => {
        this.bot.onBookStatus(isLive);
        log.info({ live: isLive }, 'book');
      },
      onFunding: (payments) => {
        this.bot.onFunding(payments);
        for (const payment of payments) log.info(textFields({ ...payment }), 'funding');
      },
      onUnsettledFunding: (unsettled) => {
        this.bot.onUnsettledFunding(unsettled);
        this.#step();
      },
      onAccount: (view, { isSure, fills }) => {
        this.bot.onAccount(view, isSure, fills, clock.now());
        options.metrics.fills(fills.length);
        for (const fill of fills) log.info(textFields({ ...fill }), 'fill');
        if (isSure !== this.#wasSure) this.#tellStatus();
        this.#wasSure = isSure;
        this.#step();
      },
      onAccountReset: (view, why, earlier) => {
        this.bot.onAccountReset(view, this.price, earlier);
        log.info(textFields({ why, earlier: earlier?.length, ...accountFields(this.bot) }), 'account read');
        this.#step();
      },
      onTrouble: (message, code) => {
        options.metrics.trouble(code);
        log.warn({ code }, message);
      },
    });
    this.#endTicks = clock.every(options.tickMs, () => this.#step());
    void venue.fence().then((fence) => {
      log.info({ block: `${fence}` }, 'ready');
      this.bot.begin(fence);
      this.#step();
    });
  }

  get price(): bigint | null {
    const own = this.bot.account?.orders ?? [];
    return this.#options.prices.price(withoutOwn(this.#book, own), this.#options.clock.now());
  }

  async stop(timeoutMs: number): Promise<void> {
    this.bot.halt('stopped');
    const { clock, venue, prices } = this.#options;
    const end = clock.now() + timeoutMs;
    let cancelCheck = (): void => undefined;
    await new Promise<void>((resolve) => {
      this.#tellIdle = resolve;
      if (this.#hasEnded) resolve();
      cancelCheck = clock.every(this.#options.tickMs, () => clock.now() >= end && resolve());
      this.#step();
    });
    cancelCheck();
    this.#endTicks();
    venue.stop();
    prices.stop();
  }

  #step(): void {
    // What a decision causes may come at once, and is judged in the next round.
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      const { venue, clock } = this.#options;
      const nowMs = clock.now();
      if (venue.head !== null) this.bot.onHead(venue.head, nowMs);
      const fairPrice = this.price;
      this.bot.onPrice(fairPrice);
      this.#keepLoss();
      const decision = this.bot.step({ nowMs, fairPrice });
      this.#carryOut(decision);
      if (this.bot.isSure && nowMs - this.#statusMs >= statusMs) this.#tellStatus();
      this.#tellEnds();
    } finally {
      this.#isStepping = false;
    }
  }

  /** Before anything is sent: what was decided may be the last thing that this process does. */
  #keepLoss(): void {
    const record = this.bot.lossRecord;
    const reason = record === null ? null : (this.#options.loss?.keep(record) ?? null);
    if (reason !== null) this.bot.halt(reason);
  }

  #tellStatus(): void {
    this.#statusMs = this.#options.clock.now();
    this.#options.log.info(textFields({ sure: this.bot.isSure, ...accountFields(this.bot) }), 'account');
  }

  #carryOut(decision: Decision): void {
    const { venue, metrics, log } = this.#options;
    metrics.decided(decision);
    if (decision.kind === 'wait') return;
    if (decision.kind === 'cancelAll') {
      log.warn({ why: decision.why, strategy: this.bot.strategyError }, 'cancel all');
      return this.#follow('cancelAll', venue.cancelAll(decision.expiresAtMs));
    }
    const { items, kept, cut, expiresAtMs } = decision;
    log.debug({ items: items.length, kept, cut }, 'send');
    this.#follow('send', venue.submit(items, expiresAtMs));
  }

  #follow(of: 'send' | 'cancelAll', outcome: Promise<Outcome>): void {
    const { clock, metrics, log } = this.#options;
    const begun = clock.now();
    void outcome.then((known) => {
      const nowMs = clock.now();
      metrics.finished(known, nowMs - begun);
      if (known.kind === 'refused')
        log.warn({ of, refusal: known.refusal, reason: known.reason, fatal: known.isFatal }, 'refused');
      else if (known.kind === 'expired') log.warn({ of }, 'expired');
      else if (known.refusals.length > 0) log.debug({ of, refusals: known.refusals }, 'items refused');
      this.bot.onOutcome(of, known, nowMs);
      this.#step();
    });
  }

  #tellEnds(): void {
    const { bot } = this;
    if (bot.halted === null) return;
    if (!this.#wasHalted && bot.halted !== 'stopped')
      this.#options.log.error(textFields({ why: bot.halted, refusal: bot.refusal, ...accountFields(bot) }), 'halted');
    this.#wasHalted = true;
    const remaining = bot.account?.orders ?? [];
    if (this.#hasEnded || !bot.isSettled || (remaining.length > 0 && bot.canCancel)) return;
    this.#hasEnded = true;
    if (remaining.length > 0) this.#tellRemaining(remaining);
    this.#tellIdle();
    this.#tellHalted(bot.halted);
  }

  /** The bot may not cancel any more: whoever may is told what rests, and until when. */
  #tellRemaining(orders: readonly OwnOrder[]): void {
    const { bot } = this;
    const own = new Set(bot.ownOrders.map(({ orderId }) => orderId));
    const listed = orders.map(({ orderId, side, price, size, expiresAtSeconds }) =>
      textFields({ orderId, side, price, size, expiresAtSeconds, isOwn: own.has(orderId) }),
    );
    this.#options.log.error({ refusal: bot.refusal, orders: listed }, 'orders remain');
  }
}

const accountFields = ({ account, ledger }: Bot): object =>
  account === null
    ? {}
    : {
        block: account.blockNumber,
        position: account.position,
        fromFills: ledger?.position ?? null,
        collateral: account.collateral,
        orders: account.orders.length,
      };

/** Amounts as decimal text: JSON has no bigints. */
const textFields = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'bigint' ? `${value}` : value]),
  );

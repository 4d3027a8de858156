import type { ModelAction } from '@prime/model';
import type { GenesisMarket } from '@prime/codec';
import { Bot } from '../bot.ts';
import type { BotOptions } from '../botState.ts';
import { type Book, withoutOwn, type MarketRules } from '../market.ts';
import type { Outcome, PriceSource } from '../ports.ts';
import { fillsOf, ModelMarket, modelAddress, refusalsOf, toPayload } from '../simulation/modelMarket.ts';
import { BotError } from '../errors.ts';
import { type FlowLine, FlowOrders, type FlowStep } from './flowOrders.ts';
import { type BacktestReport, BacktestRecord } from './report.ts';

/** A recorded flow, and the bot that trades against it. */
export interface BacktestOptions {
  /** What `parseFlow` of `@prime/load` reads. */
  readonly flow: AsyncIterable<FlowLine>;
  /** The bot for the market of the flow. @param market as the header has it */
  readonly bot: (market: MarketRules) => BotOptions;
  /** @param last newest price that somebody traded at */
  readonly prices: (market: MarketRules, last: () => bigint | null) => PriceSource;
  /** Symbol or id in the flow. */
  readonly market: string | number;
  /** Between a decision and the first block that can have it, ms. */
  readonly latencyMs: number;
  /** Where nothing happens in the flow there is a block after so long, ms. */
  readonly idleBlockMs: number;
}

/** Its place among the accounts of the model: before those of the flow. */
const botAddress = modelAddress(0);

/** Amounts of a flow are those of the chain. */
const noDecimals = { baseDecimals: 0, quoteDecimals: 18 } as const;

interface Sent {
  readonly of: 'send' | 'cancelAll';
  readonly action: ModelAction;
  readonly dueMs: number;
}

/**
 * Runs a strategy through what a network recorded: the flow's orders and the bot's meet in one book with the chain's rules, and the bot
 * is the same one that runs live. Others do not react to it: they send what they sent.
 *
 * @throws BotError `BOT_FLOW_UNFIT`; LoadError for lines that are none
 */
export async function backtest(options: BacktestOptions): Promise<BacktestReport> {
  let run: BacktestRun | null = null;
  for await (const line of options.flow) {
    if (line.kind === 'flow') run = new BacktestRun(options, line);
    else run?.take(line);
  }
  if (run === null) throw unfit('the flow is empty');
  return run.end();
}

const unfit = (reason: string): BotError => new BotError(`no backtest: ${reason}`, { code: 'BOT_FLOW_UNFIT', reason });

class BacktestRun {
  readonly #options: BacktestOptions;
  readonly #market: MarketRules;
  readonly #model: ModelMarket;
  readonly #orders = new FlowOrders();
  readonly #bot: Bot;
  readonly #prices: PriceSource;
  readonly #record: BacktestRecord;
  readonly #beganMs: number;
  /** Steps of the block that is being read, and its time since the begin. */
  #waiting: FlowStep[] = [];
  #waitingMs = 0;
  #blockMs: number | null = null;
  #sent: Sent[] = [];

  constructor(options: BacktestOptions, header: Extract<FlowLine, { readonly kind: 'flow' }>) {
    this.#options = options;
    this.#beganMs = header.beganMs;
    const wanted = `${options.market}`.toLowerCase();
    const found = header.markets.find(
      ({ market, symbol }) => `${market}` === wanted || symbol.toLowerCase() === wanted,
    );
    if (found === undefined)
      throw unfit(
        `the flow has no market ${options.market}; it has ${header.markets.map(({ symbol }) => symbol).join(', ')}`,
      );
    const { market: marketId, symbol, tick, lot } = found;
    this.#market = { marketId, symbol, tickSize: BigInt(tick), lotSize: BigInt(lot) };
    // Ids of the model count from 1 without a gap.
    const ids = Math.max(...header.markets.map(({ market }) => market));
    const markets = Array.from({ length: ids }, (_, index): GenesisMarket => {
      const known = header.markets.find(({ market }) => market === index + 1);
      const grid = { tickSize: BigInt(known?.tick ?? 1), lotSize: BigInt(known?.lot ?? 1), ...noDecimals };
      return { symbol: known?.symbol ?? `NONE${index}/NONE`, ...grid };
    });
    this.#model = new ModelMarket(markets);
    this.#bot = new Bot(options.bot(this.#market));
    this.#prices = options.prices(this.#market, () => this.#model.lastPrice(marketId));
    this.#record = new BacktestRecord(this.#market);
    this.#bot.begin(0n);
    this.#bot.onAccountReset(this.#model.account(botAddress, marketId), null);
  }

  take(line: FlowLine): void {
    switch (line.kind) {
      case 'earlier':
        this.#waiting.push(...this.#orders.stepsOf(line));
        return;
      case 'action':
      case 'contract':
      case 'network':
        if (line.ms !== this.#waitingMs) {
          this.#blockAt(this.#waitingMs);
          this.#idleUntil(line.ms);
          this.#waitingMs = line.ms;
        }
        this.#waiting.push(...this.#orders.stepsOf(line));
        return;
      default:
        return;
    }
  }

  end(): BacktestReport {
    this.#blockAt(this.#waitingMs);
    this.#prices.stop();
    return this.#record.report(this.#bot, this.#price());
  }

  /** Blocks where the flow has none, so that the bot goes on and orders end. */
  #idleUntil(ms: number): void {
    const { idleBlockMs } = this.#options;
    for (let at = this.#waitingMs + idleBlockMs; at < ms; at += idleBlockMs) this.#blockAt(at);
  }

  #blockAt(ms: number): void {
    const timeMs = this.#beganMs + ms;
    if (this.#blockMs !== null && timeMs <= this.#blockMs && this.#waiting.length === 0) return;
    this.#blockMs = timeMs;
    const steps = this.#waiting;
    this.#waiting = [];
    const due = this.#sent.filter(({ dueMs }) => dueMs <= timeMs);
    this.#sent = this.#sent.filter(({ dueMs }) => dueMs > timeMs);
    const actions = [...steps.map(({ action }) => action), ...due.map(({ action }) => action)];
    const { results, trades } = this.#model.block(actions, timeMs);
    steps.forEach((step, index) => this.#orders.learn(step, results[index]));
    const { marketId } = this.#market;
    const own = fillsOf(trades, botAddress, this.#model.blockNumber);
    this.#bot.onHead(this.#model.blockNumber, timeMs);
    this.#bot.onAccount(this.#model.account(botAddress, marketId), true, own, timeMs);
    due.forEach(({ of }, index) => {
      const refusals = refusalsOf(results[steps.length + index]);
      const outcome: Outcome = { kind: 'included', blockNumber: this.#model.blockNumber, refusals };
      this.#record.tally.finished(outcome);
      this.#bot.onOutcome(of, outcome, timeMs);
    });
    const book = this.#model.book(marketId);
    this.#bot.onBook(book, timeMs);
    this.#record.block({ timeMs, fills: own, bot: this.#bot, price: this.#price(book), book });
    this.#decide(timeMs);
  }

  #price(book: Book = this.#model.book(this.#market.marketId)): bigint | null {
    return this.#prices.price(withoutOwn(book, this.#bot.account?.orders ?? []), this.#blockMs ?? 0);
  }

  #decide(nowMs: number): void {
    const decision = this.#bot.step({ nowMs, fairPrice: this.#price() });
    this.#record.tally.decided(decision);
    if (decision.kind === 'wait') return;
    const { marketId } = this.#market;
    const payload: ModelAction['payload'] =
      decision.kind === 'send'
        ? toPayload(decision.items, marketId)
        : ({ type: 'cancelAll', marketId } as ModelAction['payload']);
    // Not in the block that it was decided by.
    const dueMs = nowMs + Math.max(1, this.#options.latencyMs);
    this.#sent.push({ of: decision.kind, action: { account: botAddress, payload }, dueMs });
  }
}

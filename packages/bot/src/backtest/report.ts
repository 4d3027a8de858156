import { bigintAbs, bigintMax, bigintMin } from '@prime/primitives';
import type { Bot } from '../bot.ts';
import type { BotFill } from '../ledger.ts';
import type { Book, MarketRules } from '../market.ts';
import { Tally } from '../tally.ts';

/** What a backtest says. Amounts are decimal text: wei, and base units. */
export interface BacktestReport {
  readonly market: string;
  /** Virtual time, ms. */
  readonly durationMs: number;
  readonly blocks: number;
  readonly fills: { readonly all: number; readonly maker: number; readonly taker: number };
  /** Base units, and what they were traded for. */
  readonly volume: string;
  readonly turnover: string;
  /** After fees, with the position at the last fair price; null where nobody knew one. */
  readonly profit: string | null;
  readonly fees: string;
  readonly position: string;
  /** Greatest position either way. */
  readonly positionMost: string;
  /** Greatest fall of the profit from its height. */
  readonly drawdown: string;
  /** Share of the time with quotes on both sides, millionths. */
  readonly quotedPpm: number;
  /** Mean distance of the own best quotes while there were both, hundredths of a basis point of the bid. */
  readonly spreadCentiBps: number | null;
  /** By type. */
  readonly items: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly pulls: Readonly<Record<string, number>>;
  /** Why it stopped for good; null while it runs. */
  readonly halted: string | null;
}

interface BlockFacts {
  readonly timeMs: number;
  readonly fills: readonly BotFill[];
  readonly bot: Bot;
  readonly price: bigint | null;
  readonly book: Book;
}

const million = 1_000_000;

/** Adds up what a backtest sees. */
export class BacktestRecord {
  readonly #market: MarketRules;
  readonly tally = new Tally();
  #blocks = 0;
  #firstMs: number | null = null;
  #lastMs = 0;
  #maker = 0;
  #taker = 0;
  #quotedMs = 0;
  #wasQuoted = false;
  #positionMost = 0n;
  #highest = 0n;
  #drawdown = 0n;
  #spreads = { sum: 0n, count: 0n };

  constructor(market: MarketRules) {
    this.#market = market;
  }

  block({ timeMs, fills, bot, price }: BlockFacts): void {
    this.#blocks++;
    this.#firstMs ??= timeMs;
    if (this.#wasQuoted) this.#quotedMs += timeMs - this.#lastMs;
    this.#lastMs = timeMs;
    for (const { liquidity } of fills)
      if (liquidity === 'maker') this.#maker++;
      else this.#taker++;
    this.#positionMost = bigintMax(this.#positionMost, bigintAbs(bot.account?.position ?? 0n));
    if (price !== null && bot.ledger !== null) {
      const profit = bot.ledger.profit(price);
      this.#highest = bigintMax(this.#highest, profit);
      this.#drawdown = bigintMax(this.#drawdown, this.#highest - profit);
    }
    this.#measureQuotes(bot);
  }

  #measureQuotes({ ownOrders }: Bot): void {
    const prices = (side: 'buy' | 'sell'): bigint[] =>
      ownOrders.filter((order) => order.side === side).map((order) => order.price);
    const [bids, asks] = [prices('buy'), prices('sell')];
    this.#wasQuoted = bids.length > 0 && asks.length > 0;
    if (!this.#wasQuoted) return;
    const bid = bids.reduce(bigintMax);
    const ask = asks.reduce(bigintMin);
    this.#spreads.sum += ((ask - bid) * BigInt(million)) / bid;
    this.#spreads.count++;
  }

  report({ ledger, halted }: Bot, price: bigint | null): BacktestReport {
    const durationMs = this.#lastMs - (this.#firstMs ?? this.#lastMs);
    return {
      market: this.#market.symbol,
      durationMs,
      blocks: this.#blocks,
      fills: { all: this.#maker + this.#taker, maker: this.#maker, taker: this.#taker },
      volume: `${ledger?.volume ?? 0n}`,
      turnover: `${ledger?.turnover ?? 0n}`,
      profit: ledger === null || price === null ? null : `${ledger.profit(price)}`,
      fees: `${ledger?.fees ?? 0n}`,
      position: `${ledger?.position ?? 0n}`,
      positionMost: `${this.#positionMost}`,
      drawdown: `${this.#drawdown}`,
      quotedPpm: durationMs === 0 ? 0 : Math.round((this.#quotedMs / durationMs) * million),
      spreadCentiBps: this.#spreads.count === 0n ? null : Number(this.#spreads.sum / this.#spreads.count),
      items: Object.fromEntries(this.tally.items),
      refusals: Object.fromEntries(this.tally.refusals),
      pulls: Object.fromEntries(this.tally.pulls),
      halted,
    };
  }
}

/** How people read amounts of the market. */
export interface ReportUnits {
  formatSize(size: bigint): string;
  formatQuoteAmount(amount: bigint): string;
}

/** The report for people. */
export function backtestText(report: BacktestReport, { formatSize, formatQuoteAmount }: ReportUnits): string {
  const counts = (of: Readonly<Record<string, number>>): string =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const amount = (text: string): string => formatQuoteAmount(BigInt(text));
  const size = (text: string): string => formatSize(BigInt(text));
  const { fills, spreadCentiBps } = report;
  const rows: readonly (readonly [string, string])[] = [
    ['market', report.market],
    ['time', `${(report.durationMs / 1000).toFixed(1)} s, ${report.blocks} blocks`],
    ['fills', `${fills.all} (${fills.maker} as maker, ${fills.taker} as taker)`],
    ['volume', `${size(report.volume)} base for ${amount(report.turnover)} quote`],
    [
      'profit',
      report.profit === null ? 'no price' : `${amount(report.profit)} quote, after ${amount(report.fees)} of fees`,
    ],
    ['drawdown', `${amount(report.drawdown)} quote`],
    ['position', `${size(report.position)} base at the end, ${size(report.positionMost)} at most`],
    ['quoted', `${(report.quotedPpm / 10_000).toFixed(2)} % of the time on both sides`],
    ['own spread', spreadCentiBps === null ? 'none' : `${(spreadCentiBps / 100).toFixed(2)} bps in the mean`],
    ['sent', counts(report.items)],
    ['refused', counts(report.refusals)],
    ['pulled', counts(report.pulls)],
    ...(report.halted === null ? [] : [['halted', report.halted] as const]),
  ];
  return rows.map(([name, text]) => `${name.padEnd(11)}${text}`).join('\n');
}

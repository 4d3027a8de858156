import { type Candle, type CandleInterval, candleIntervalMs, type Market, type Ohlc } from '@prime/sdk';
import { type Command, Option } from 'commander';
import { marketOf, type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { parseWholeNumber, usageError } from '../../errors.ts';
import { print } from '../../terminal/output.ts';
import { left, right, table } from '../../terminal/table.ts';

interface CandleFlags extends NodeFlags {
  readonly interval: CandleInterval;
  readonly limit: string;
  readonly from?: string;
  readonly to?: string;
}

/** `prime candles`: what a market traded over time, and where its mark and its index stood. */
export function addCandlesCommand(program: Command): void {
  const times = 'such as 2026-01-31, 2026-01-31T12:00 or 2026-01-31T12:00:05, in UTC';
  withNode(program.command('candles'))
    .description('Trades, mark and index of a market over time')
    .argument('<market>', 'symbol such as ETH-USD, or its id')
    .addOption(
      new Option('--interval <interval>', 'length of a candle').choices(Object.keys(candleIntervalMs)).default('1m'),
    )
    .option('--limit <count>', 'newest intervals, 1 to 1000; those without a trade or another price are left out', '20')
    .option('--from <time>', `the first candle holds it: ${times}`)
    .option('--to <time>', 'the last candle holds it (default: now)')
    .action(show);
}

/** The year, and what is finer as far as it is given. */
const timePattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;

const dateLength = '2026-01-31'.length;

/** A time of people in UTC, ms since 1970. @throws CliError `CLI_USAGE` */
function parseTime(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const bare = text.replace(/Z$/, '');
  const timeMs = timePattern.test(bare) ? Date.parse(bare.includes('T') ? `${bare}Z` : bare) : Number.NaN;
  // The 31st of February is read as the 3rd of March.
  if (!Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(bare.slice(0, dateLength))) return timeMs;
  throw usageError(`${option} must be a time such as 2026-01-31T12:00, in UTC, got ${text}`, option);
}

async function show(named: string, flags: CandleFlags): Promise<void> {
  const { interval } = flags;
  const limit = parseWholeNumber(flags.limit, '--limit', 1, 1_000);
  const [fromTimeMs, toTimeMs] = [parseTime(flags.from, '--from'), parseTime(flags.to, '--to')];
  await onNode(flags, async (connection) => {
    const market = await marketOf(connection, named);
    const candles = await connection.client.getCandles({ market, interval, fromTimeMs, toTimeMs, limit });
    const views = candles.map((candle) => viewCandle(candle, market));
    print(flags, { market: market.symbol, interval, candles: views }, () => linesOf(views, interval));
  });
}

function viewCandle(candle: Candle, { formatPrice, formatSize, formatQuoteAmount }: Market) {
  const price = (value: bigint | null): string | null => (value === null ? null : formatPrice(value));
  const prices = (of: Ohlc | null): Readonly<Record<keyof Ohlc, string>> | null =>
    of === null
      ? null
      : {
          open: formatPrice(of.open),
          high: formatPrice(of.high),
          low: formatPrice(of.low),
          close: formatPrice(of.close),
        };
  return {
    openTimeMs: candle.openTimeMs,
    closeTimeMs: candle.closeTimeMs,
    open: price(candle.open),
    high: price(candle.high),
    low: price(candle.low),
    close: price(candle.close),
    volume: formatSize(candle.volume),
    quoteVolume: formatQuoteAmount(candle.quoteVolume),
    trades: candle.trades,
    mark: prices(candle.mark),
    index: prices(candle.index),
  };
}

type CandleView = ReturnType<typeof viewCandle>;

/** Characters of a time that say something about candles of an interval. */
const timeLength = (interval: CandleInterval): number =>
  interval === '1d' ? dateLength : interval === '1s' ? '2026-01-31T12:00:05'.length : '2026-01-31T12:00'.length;

/** Mark and index stand with where they closed; --json has all of them. */
function linesOf(candles: readonly CandleView[], interval: CandleInterval): readonly string[] {
  const begin = (timeMs: number): string =>
    new Date(timeMs).toISOString().slice(0, timeLength(interval)).replace('T', ' ');
  const lines = table(candles, [
    left('begin (UTC)', ({ openTimeMs }) => begin(openTimeMs)),
    right('open', ({ open }) => open ?? '-'),
    right('high', ({ high }) => high ?? '-'),
    right('low', ({ low }) => low ?? '-'),
    right('close', ({ close }) => close ?? '-'),
    right('volume', ({ volume }) => volume),
    right('trades', ({ trades }) => `${trades}`),
    right('mark', ({ mark }) => mark?.close ?? '-'),
    right('index', ({ index }) => index?.close ?? '-'),
  ]);
  return lines.length === 0 ? ['nothing was traded, and no price moved'] : lines;
}

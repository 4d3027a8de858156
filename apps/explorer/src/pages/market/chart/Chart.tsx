import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { candleIntervalMs, candleIntervals } from '@prime/codec';
import type { CandleInterval, Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useNode } from '../../../app/context.ts';
import { openMemory } from '../../../app/storage.ts';
import { digitsOf, Empty, ErrorState, formatDecimal } from '../../../kit/index.ts';
import type { CandleChart } from './candleChart.ts';
import { drawn, type DrawnCandle, withoutGaps, withPrice } from './candles.ts';
import { useColours } from './colours.ts';
import { type LiveCandles, openCandles } from './liveCandles.ts';
import { type Drawn, useDrawn } from './useDrawn.ts';

const intervalKey = 'prime.interval';
const isInterval = (text: string | null): text is CandleInterval =>
  candleIntervals.some((interval) => interval === text);

/** Candles of the market, with a choice of their length. */
export function Candles({ market }: { readonly market: Market }): JSX.Element {
  const memory = useMemo(openMemory, []);
  const [interval, setInterval] = useState<CandleInterval>(() => {
    const kept = memory.getItem(intervalKey);
    return isInterval(kept) ? kept : '1m';
  });
  const choose = (next: CandleInterval): void => {
    memory.setItem(intervalKey, next);
    setInterval(next);
  };
  return (
    <div class="candles">
      <div class="choices" role="group" aria-label="Length of a candle">
        {candleIntervals.map((one) => (
          <button key={one} type="button" aria-pressed={one === interval} onClick={() => choose(one)}>
            {one}
          </button>
        ))}
      </div>
      <Chart key={interval} market={market} interval={interval} />
    </div>
  );
}

interface ChartProps {
  readonly market: Market;
  readonly interval: CandleInterval;
}

function Chart({ market, interval }: ChartProps): JSX.Element {
  const { live, shown } = useCandles(market, interval);
  const pointed = useSignal<number | null>(null);
  const { place, failed } = useChart({ market, interval, shown, pointed });
  return (
    <>
      <Legend market={market} shown={shown} pointed={pointed} />
      <div class="canvas" role="img" aria-label={`Candles of ${interval} of ${market.symbol}`} ref={place} />
      {live.error.value !== null && shown.value === null && (
        <div class="over">
          <ErrorState what="The candles" error={live.error.value} onRetry={live.reload} />
        </div>
      )}
      {(shown.value?.length === 0 || failed) && (
        <div class="over">
          {failed ? (
            <Empty title="The chart could not be loaded">Reload the window to try again.</Empty>
          ) : (
            <Empty title="Nobody traded yet">The first candle appears with the first trade.</Empty>
          )}
        </div>
      )}
    </>
  );
}

/** Candles as they are drawn: what the node has, and the price of trades that came since. */
function useCandles(
  market: Market,
  interval: CandleInterval,
): { readonly live: LiveCandles; readonly shown: ReadonlySignal<readonly DrawnCandle[] | null> } {
  const { client, trades, connection } = useNode();
  const live = useMemo(
    () => openCandles({ client: client.sdk, market, interval }),
    // A market that is read anew has the same units.
    [client, market.marketId, interval],
  );
  useEffect(() => live.close, [live]);
  const newest = useComputed(() => trades.byMarket.value.get(market.marketId)?.[0] ?? null);
  useSignalEffect(() => {
    if (newest.value !== null) live.refresh();
  });
  const wasAway = useRef(false);
  useSignalEffect(() => {
    const { kind } = connection.value;
    if (kind === 'unreachable') wasAway.current = true;
    if (kind !== 'live' || !wasAway.current) return;
    wasAway.current = false;
    live.reload();
  });
  const whole = useComputed(() =>
    live.candles.value === null
      ? null
      : withoutGaps(
          live.candles.value.map((candle) => drawn(candle, market)).filter((candle) => candle !== null),
          candleIntervalMs[interval],
        ),
  );
  const shown = useComputed(() => {
    const candles = whole.value;
    const last = candles?.at(-1);
    if (candles == null || last === undefined || newest.value === null) return candles;
    return [...candles.slice(0, -1), withPrice(last, Number(market.formatPrice(newest.value.price)))];
  });
  return { live, shown };
}

interface ChartParts extends ChartProps {
  readonly shown: ReadonlySignal<readonly DrawnCandle[] | null>;
  readonly pointed: { value: number | null };
}

/** Draws them, and goes on with what comes. */
function useChart({ market, interval, shown, pointed }: ChartParts): Drawn<CandleChart> {
  const colours = useColours();
  const digits = digitsOf(market.formatPrice(market.tickSize));
  const onPoint = (time: number | null): void => {
    pointed.value = time;
  };
  const drawn = useDrawn<CandleChart>(async () => {
    const { drawCandles } = await import('./candleChart.ts');
    return (element) => drawCandles({ element, colours, digits, hasSeconds: interval === '1s', onPoint });
  }, []);
  const { chart } = drawn;
  useEffect(() => chart.peek()?.colour(colours), [colours]);
  const before = useRef<readonly DrawnCandle[]>([]);
  useSignalEffect(() => {
    const candles = shown.value;
    if (chart.value === null || candles === null) return;
    const old = before.current;
    before.current = candles;
    const from = old.at(-1)?.time;
    const isMore = from !== undefined && old[0]?.time === candles[0]?.time && candles.length >= old.length;
    if (!isMore) return chart.value.set(candles);
    for (const candle of candles.slice(old.length - 1)) chart.value.update(candle);
  });
  return drawn;
}

interface LegendProps {
  readonly market: Market;
  readonly shown: ReadonlySignal<readonly DrawnCandle[] | null>;
  readonly pointed: ReadonlySignal<number | null>;
}

/** Figures of the candle that is pointed at, else of the newest. */
function Legend({ market, shown, pointed }: LegendProps): JSX.Element {
  const digits = digitsOf(market.formatPrice(market.tickSize));
  const candle =
    (pointed.value === null ? undefined : shown.value?.find(({ time }) => time === pointed.value)) ??
    shown.value?.at(-1);
  const text = (value: number | undefined): string =>
    value === undefined ? '–' : formatDecimal(value.toFixed(digits), { digits });
  const tone = candle === undefined ? 'faint' : candle.close >= candle.open ? 'buy' : 'sell';
  return (
    <dl class="legend">
      {(['open', 'high', 'low', 'close'] as const).map((name) => (
        <div key={name}>
          <dt title={name}>{name[0]!.toUpperCase()}</dt>
          <dd class={`number ${tone}`}>{text(candle?.[name])}</dd>
        </div>
      ))}
      <div class="volume">
        <dt>Volume</dt>
        <dd class="number muted">
          {candle === undefined ? '–' : formatDecimal(candle.volume.toFixed(4), { digitsMax: 4 })} {market.base}
        </dd>
      </div>
    </dl>
  );
}

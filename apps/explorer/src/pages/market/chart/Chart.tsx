import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { type CandleInterval, candleIntervalMs, type Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useNode } from '../../../app/context.ts';
import { openMemory } from '../../../app/storage.ts';
import { digitsOf, Empty, ErrorState, formatDecimal } from '../../../kit/index.ts';
import { browserFrames } from '../../../live/frames.ts';
import type { CandleChart } from './candleChart.ts';
import { candlesMax, createDrawing, type DrawnCandle, withoutGaps } from './candles.ts';
import { useColours } from './colours.ts';
import { type LiveCandles, openCandles } from './liveCandles.ts';
import { type Drawn, useDrawn } from './useDrawn.ts';

const candleIntervals = Object.keys(candleIntervalMs) as readonly CandleInterval[];
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

/** Candles as they are drawn. */
function useCandles(
  market: Market,
  interval: CandleInterval,
): { readonly live: LiveCandles; readonly shown: ReadonlySignal<readonly DrawnCandle[] | null> } {
  const { client, streams } = useNode();
  // A market that is read anew has the same units.
  const same = [client, streams, market.marketId, interval];
  const live = useMemo(
    () => openCandles({ client: client.sdk, streams, market, interval, requestFrame: browserFrames }),
    same,
  );
  useEffect(() => live.close, [live]);
  const drawing = useMemo(() => createDrawing(market), same);
  const shown = useComputed(() => {
    const candles = live.candles.value;
    return candles === null ? null : withoutGaps(candles.map(drawing), candleIntervalMs[interval]);
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
  const told = useRef<{ readonly newest: number; readonly count: number } | null>(null);
  useSignalEffect(() => {
    const candles = shown.value;
    if (chart.value === null || candles === null) return;
    const more = told.current === null ? null : moreOf(candles, told.current.newest);
    const count = (told.current?.count ?? 0) + (more?.length ?? 0);
    // A chart that has grown for long is begun anew, so that it stays as small as what is kept.
    const isAnew = more === null || count > drawnMax;
    told.current = { newest: candles.at(-1)?.time ?? 0, count: isAnew ? candles.length : count };
    if (isAnew) return chart.value.set(candles);
    for (const candle of more) chart.value.update(candle);
  });
  return drawn;
}

/** Candles that a chart may have before it is begun anew. */
const drawnMax = 2 * candlesMax;

/** From the one that was the newest on; null where that is none of them. */
function moreOf(candles: readonly DrawnCandle[], newest: number): readonly DrawnCandle[] | null {
  const at = candles.findLastIndex(({ time }) => time === newest);
  return at < 0 ? null : candles.slice(at);
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
  const text = (value: number | null | undefined): string =>
    value == null ? '–' : formatDecimal(value.toFixed(digits), { digits });
  const bar = candle?.bar ?? null;
  const tone = bar === null ? 'faint' : bar.close >= bar.open ? 'buy' : 'sell';
  const lines = [
    { name: 'mark', title: 'Mark', value: candle?.mark },
    ...(market.oracle === undefined ? [] : [{ name: 'index', title: 'Index', value: candle?.index }]),
  ];
  return (
    <dl class="legend">
      {(['open', 'high', 'low', 'close'] as const).map((name) => (
        <div key={name}>
          <dt title={name}>{name[0]!.toUpperCase()}</dt>
          <dd class={`number ${tone}`}>{text(bar?.[name])}</dd>
        </div>
      ))}
      {lines.map(({ name, title, value }) => (
        <div key={name} class={`line ${name}`}>
          <dt>{title}</dt>
          <dd class="number">{text(value)}</dd>
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

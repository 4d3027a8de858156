import { useSignal, useSignalEffect } from '@preact/signals';
import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { digitsOf, Empty, formatDecimal } from '../../../kit/index.ts';
import { useColours } from './colours.ts';
import { depthOf } from './depth.ts';
import type { DepthChart } from './depthChart.ts';
import type { LiveBook } from '../book/liveBook.ts';

/** How much rests up to each price. */
export function Depth({ market, live }: { readonly market: Market; readonly live: LiveBook }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const chart = useSignal<DepthChart | null>(null);
  const colours = useColours();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    const digits = digitsOf(market.formatPrice(market.tickSize));
    import('./depthChart.ts').then(
      ({ drawDepth }) => {
        if (isOver || place.current === null) return;
        chart.value = drawDepth({
          element: place.current,
          colours,
          price: (value) => formatDecimal(value.toFixed(digits), { digits }),
          size: (value) => formatDecimal(value.toFixed(4), { digitsMax: 4 }),
        });
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      chart.peek()?.close();
      chart.value = null;
    };
  }, [colours]);
  useSignalEffect(() => {
    if (live.book.value !== null) chart.value?.set(depthOf(live.book.value, market));
  });
  const isEmpty = live.book.value?.bids.length === 0 && live.book.value.asks.length === 0;
  return (
    <div class="depth">
      <div class="canvas" role="img" aria-label={`Depth of the order book of ${market.symbol}`} ref={place} />
      {(failed || isEmpty) && (
        <div class="over">
          <Empty title={failed ? 'The chart could not be loaded' : 'Nobody rests here'} />
        </div>
      )}
    </div>
  );
}

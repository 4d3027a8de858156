import { useSignalEffect } from '@preact/signals';
import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { digitsOf, Empty, formatDecimal } from '../../../kit/index.ts';
import type { LiveBook } from '../book/liveBook.ts';
import { useColours } from './colours.ts';
import { depthOf } from './depth.ts';
import type { DepthChart } from './depthChart.ts';
import { useDrawn } from './useDrawn.ts';

/** How much rests up to each price. */
export function Depth({ market, live }: { readonly market: Market; readonly live: LiveBook }): JSX.Element {
  const colours = useColours();
  const { place, chart, failed } = useDrawn<DepthChart>(async () => {
    const { drawDepth } = await import('./depthChart.ts');
    const digits = digitsOf(market.formatPrice(market.tickSize));
    const price = (value: number): string => formatDecimal(value.toFixed(digits), { digits });
    const size = (value: number): string => formatDecimal(value.toFixed(4), { digitsMax: 4 });
    return (element) => drawDepth({ element, colours, price, size });
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

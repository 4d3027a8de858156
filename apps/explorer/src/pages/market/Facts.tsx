import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { Card, formatBps, formatDecimal, KeyValue } from '../../kit/index.ts';
import { leverageText } from './facts.ts';

/** How the market works: steps, margin, fees. */
export function Facts({ market }: { readonly market: Market }): JSX.Element {
  const { fees, funding, riskTiers } = market;
  return (
    <Card title="The market" flush>
      <div class="facts">
        <KeyValue
          entries={[
            { name: 'Tick', value: unit(market.formatPrice(market.tickSize), market.quote) },
            { name: 'Lot', value: unit(market.formatSize(market.lotSize), market.base) },
            {
              name: 'Initial margin',
              value: `${formatBps(market.initialMarginBps)}, up to ${leverageText(market.initialMarginBps)}`,
            },
            { name: 'Maintenance', value: formatBps(market.maintenanceMarginBps) },
            {
              name: 'Fees',
              value:
                fees === undefined
                  ? 'none on this network'
                  : `taker ${formatBps(fees.takerPpm / 100)}, maker ${makerText(fees.makerPpm)}`,
            },
            {
              name: 'Larger positions',
              value: `${riskTiers?.length ?? 0} tiers with more margin`,
              absent: (riskTiers?.length ?? 0) === 0,
            },
            {
              name: 'Index price',
              value:
                funding === undefined
                  ? 'none: the mark comes from this book'
                  : 'the slow average of the mark, for funding',
            },
            { name: 'Market id', value: market.marketId },
          ]}
        />
      </div>
    </Card>
  );
}

const unit = (decimal: string, name: string): JSX.Element => (
  <>
    <span class="number">{formatDecimal(decimal)}</span> <span class="faint">{name}</span>
  </>
);

/** A maker may get something back. */
const makerText = (ppm: number): string => (ppm < 0 ? `gets ${formatBps(-ppm / 100)}` : formatBps(ppm / 100));

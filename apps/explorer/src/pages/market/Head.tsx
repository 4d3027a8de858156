import type { Market, Ticker } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useExplorer } from '../../app/context.ts';
import {
  Badge,
  Change,
  clock,
  formatChange,
  formatDecimal,
  ofKnown,
  orNone,
  PageHead,
  priceText,
  Select,
  Skeleton,
} from '../../kit/index.ts';
import { marketSlug } from '../../router/routes.ts';
import { countdown, fundingShare } from './facts.ts';
import { LastPrice } from './LastPrice.tsx';

interface HeadProps {
  readonly market: Market;
  /** null until it was read. */
  readonly ticker: Ticker | null;
  readonly markets: readonly Market[];
}

/** What traders look at first, in one line. */
export function Head({ market, ticker, markets }: HeadProps): JSX.Element {
  return (
    <section class="card market-head">
      <PageHead title={market.symbol} kind={`${market.base} priced in ${market.quote}`}>
        {market.status !== 'trading' && <Badge tone="warn">{market.status}</Badge>}
        {markets.length > 1 && <MarketChoice market={market} markets={markets} />}
      </PageHead>
      <dl class="figures">
        <Figure name="Last price" isFirst>
          <LastPrice market={market} />
        </Figure>
        <Figure name="Mark" hint="Margin and liquidation are judged by it">
          {price(market, ticker?.markPrice ?? market.markPrice, 'none yet')}
        </Figure>
        <Figure name="Change, 24 h">
          {ofKnown(ticker, ({ day }) => orNone(day.changeBps, '–', (bps) => <Change bps={bps} />))}
        </Figure>
        <Figure name="High, 24 h">{ofKnown(ticker, ({ day }) => price(market, day.high, '–'))}</Figure>
        <Figure name="Low, 24 h">{ofKnown(ticker, ({ day }) => price(market, day.low, '–'))}</Figure>
        <Figure name="Volume, 24 h">
          {ofKnown(ticker, ({ day }) => amount(market.formatQuoteAmount(day.quoteVolume), market.quote))}
        </Figure>
        <Figure name="Open interest" hint="What longs hold; shorts hold as much">
          {ofKnown(ticker, ({ openInterest }) => amount(market.formatSize(openInterest), market.base))}
        </Figure>
        {ticker?.funding !== undefined && <Funding markPrice={ticker.markPrice} {...ticker.funding} />}
      </dl>
    </section>
  );
}

const amount = (decimal: string, unit: string): JSX.Element => (
  <>
    {formatDecimal(decimal, { digitsMax: 2 })} <span class="faint">{unit}</span>
  </>
);
const price = (market: Market, value: bigint | null, none: string): ComponentChildren =>
  orNone(value, none, (known) => priceText(market, known));

interface FigureProps {
  readonly name: string;
  readonly hint?: string;
  readonly isFirst?: boolean;
  /** null until it is known. */
  readonly children: ComponentChildren;
}

const Figure = ({ name, hint, isFirst = false, children }: FigureProps): JSX.Element => (
  <div class={isFirst ? 'first' : ''} title={hint}>
    <dt>{name}</dt>
    <dd class="number">{children ?? <Skeleton width="7ch" />}</dd>
  </div>
);

type FundingProps = NonNullable<Ticker['funding']> & Pick<Ticker, 'markPrice'>;

/** What a long paid lately, as a share of the mark, and when it pays again. */
function Funding({ rate, nextMs, markPrice }: FundingProps): JSX.Element {
  const share = fundingShare(rate, markPrice);
  const tone = rate > 0n ? 'sell' : rate < 0n ? 'buy' : '';
  return (
    <Figure
      name="Funding"
      hint="What a long paid a short in the latest interval; the next one ends in the time beside it"
    >
      <span class={tone}>{share === null ? '–' : formatChange(share, 4)}</span>{' '}
      <span class="faint">{countdown(nextMs - clock.value)}</span>
    </Figure>
  );
}

function MarketChoice({ market, markets }: Pick<HeadProps, 'market' | 'markets'>): JSX.Element {
  const { router } = useExplorer();
  return (
    <Select
      label="Another market"
      value={market.symbol}
      options={markets.map(({ symbol }) => ({ value: symbol, text: symbol }))}
      onChoose={(symbol) => router.go({ page: 'market', market: marketSlug(symbol) })}
    />
  );
}

import type { Market, Ticker } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useExplorer } from '../../app/context.ts';
import { Badge, clock, formatChange, formatDecimal, PageHead, priceText, Skeleton } from '../../kit/index.ts';
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
        {market.status !== 'open' && <Badge tone="warn">{market.status}</Badge>}
        {markets.length > 1 && <MarketChoice market={market} markets={markets} />}
      </PageHead>
      <dl class="figures">
        <Figure name="Last price" isFirst>
          <LastPrice market={market} />
        </Figure>
        <Figure name="Mark" hint="Margin and liquidation are judged by it">
          {price(market, ticker?.markPrice ?? market.markPrice, 'none yet')}
        </Figure>
        <Figure name="Change, 24 h">{ticker === null ? null : <Change ticker={ticker} />}</Figure>
        <Figure name="High, 24 h">{ticker === null ? null : price(market, ticker.day.high, '–')}</Figure>
        <Figure name="Low, 24 h">{ticker === null ? null : price(market, ticker.day.low, '–')}</Figure>
        <Figure name="Volume, 24 h">
          {ticker === null ? null : (
            <>
              {amount(market.formatQuoteAmount(ticker.day.quoteVolume))} <span class="faint">{market.quote}</span>
            </>
          )}
        </Figure>
        <Figure name="Open interest" hint="What longs hold; shorts hold as much">
          {ticker === null ? null : (
            <>
              {amount(market.formatSize(ticker.openInterest))} <span class="faint">{market.base}</span>
            </>
          )}
        </Figure>
        {ticker?.funding !== undefined && <Funding market={market} ticker={ticker} funding={ticker.funding} />}
      </dl>
    </section>
  );
}

const amount = (decimal: string): string => formatDecimal(decimal, { digitsMax: 2 });
const price = (market: Market, value: bigint | null, none: string): ComponentChildren =>
  value === null ? <span class="faint">{none}</span> : priceText(market, value);

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

function Change({ ticker: { day } }: { readonly ticker: Ticker }): JSX.Element {
  if (day.changeBps === null) return <span class="faint">–</span>;
  const tone = day.changeBps > 0 ? 'buy' : day.changeBps < 0 ? 'sell' : '';
  return <span class={tone}>{formatChange(day.changeBps / 10_000)}</span>;
}

interface FundingProps {
  readonly market: Market;
  readonly ticker: Ticker;
  readonly funding: NonNullable<Ticker['funding']>;
}

/** What a long paid lately, as a share of the mark, and when it pays again. */
function Funding({ ticker, funding }: FundingProps): JSX.Element {
  const share = fundingShare(funding.rate, ticker.markPrice);
  const tone = funding.rate > 0n ? 'sell' : funding.rate < 0n ? 'buy' : '';
  return (
    <Figure
      name="Funding"
      hint="What a long paid a short in the latest interval; the next one ends in the time beside it"
    >
      <span class={tone}>{share === null ? '–' : formatChange(share, 4)}</span>{' '}
      <span class="faint">{countdown(funding.nextMs - clock.value)}</span>
    </Figure>
  );
}

function MarketChoice({ market, markets }: Pick<HeadProps, 'market' | 'markets'>): JSX.Element {
  const { router } = useExplorer();
  return (
    <select
      class="select"
      aria-label="Another market"
      value={market.marketId.toString()}
      onChange={(event) => {
        const chosen = markets.find(({ marketId }) => marketId === Number(event.currentTarget.value));
        if (chosen !== undefined) router.go({ page: 'market', market: marketSlug(chosen.symbol) });
      }}
    >
      {markets.map(({ marketId, symbol }) => (
        <option key={marketId} value={marketId.toString()}>
          {symbol}
        </option>
      ))}
    </select>
  );
}

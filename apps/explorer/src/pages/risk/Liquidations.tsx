import { bigintAbs } from '@prime/primitives';
import { type DomainEventOf, getDomainEvents, type Market } from '@prime/sdk';
import {
  amountText,
  type LiquidationStory,
  liquidationStory,
  type LiquidationWords,
  liquidationWords,
} from '@prime/sdk/explain';
import type { ComponentChildren, JSX } from 'preact';
import { useHref } from '../../app/context.ts';
import { useMarket } from '../../app/useMarkets.ts';
import { useResource } from '../../app/useResource.ts';
import { eventsOf, FeedEnd, useEventFeed } from '../../chain/EventFeed.tsx';
import { AccountLink } from '../../chain/links.tsx';
import {
  Badge,
  Card,
  Empty,
  Fact,
  formatInteger,
  Known,
  marketWords,
  ofKnown,
  orPlace,
  sizeText,
  Skeleton,
} from '../../kit/index.ts';

type Liquidation = DomainEventOf<'liquidation'>;

/** Positions that the protocol closed, with the figures that decided how. */
export function Liquidations(): JSX.Element {
  const feed = useEventFeed({ kind: 'liquidation' });
  const read = eventsOf(feed);
  const events = read.value as readonly Liquidation[] | null;
  return (
    <Card title="Liquidations" flush>
      <Known what="The liquidations" of={read}>
        {feed === null || events === null ? (
          <p class="wait">
            <Skeleton width="30ch" />
          </p>
        ) : events.length === 0 ? (
          <Empty title="Nobody was liquidated">
            {feed.end.value === 'genesis'
              ? 'Not once since genesis.'
              : 'As far as was looked back. It appears here within a block.'}
          </Empty>
        ) : (
          <>
            <ol class="liquidations" aria-label="Liquidations">
              {events.map((event) => (
                <Story key={`${event.blockNumber} ${event.index}`} event={event} />
              ))}
            </ol>
            <FeedEnd feed={feed} />
          </>
        )}
      </Known>
    </Card>
  );
}

function Story({ event }: { readonly event: Liquidation }): JSX.Element {
  const href = useHref();
  const { address, marketId, size } = event.data;
  const market = useMarket(marketId);
  const story = useResource(`${event.blockNumber} ${event.index}`, async ({ client }) => {
    const block = event.blockNumber;
    return liquidationStory(event, await getDomainEvents(client.sdk, { fromBlock: block, toBlock: block, address }));
  });
  return (
    <li>
      <div class="row head">
        <Badge tone="warn">{size > 0n ? 'long' : 'short'} closed</Badge>
        <strong>{sizeOf(market, size)}</strong>
        <span class="muted">in {market?.symbol ?? `market ${marketId}`} of</span>
        <AccountLink address={address} copy={false} />
        <a class="at number" href={href({ page: 'block', block: event.blockNumber.toString() })}>
          block {formatInteger(event.blockNumber)}
        </a>
      </div>
      <Known what="How it was closed" of={story}>
        <Figures story={story.value} market={market} />
      </Known>
    </li>
  );
}

const sizeOf = (market: Market | undefined, size: bigint): string =>
  market === undefined ? formatInteger(bigintAbs(size)) : `${sizeText(market, bigintAbs(size))} ${market.base}`;

interface FiguresProps {
  readonly story: LiquidationStory | null;
  readonly market: Market | undefined;
}

function Figures({ story, market }: FiguresProps): JSX.Element {
  const words = ofKnown(story, (known) => liquidationWords(known, ofKnown(market, marketWords)));
  const value = (show: (words: LiquidationWords) => ComponentChildren) => orPlace(words, '12ch', show);
  return (
    <>
      <dl class="figures">
        <Fact name="The book took">{value(({ inBook }) => inBook)}</Fact>
        <Fact name="Closed against others">{value(({ against }) => against)}</Fact>
        <Fact name="Fee to the insurance fund">{value(({ fee }) => fee)}</Fact>
        <Fact name="Insurance fund paid">{value(({ insurancePaid }) => insurancePaid)}</Fact>
        <Fact name="Loss that nobody paid">
          {value(({ badDebt }) => (story?.badDebt === 0n ? badDebt : <span class="sell">{badDebt}</span>))}
        </Fact>
      </dl>
      {story !== null && story.deleveraged.length > 0 && (
        <ul class="against">
          {story.deleveraged.map(({ counterparty, size, value: closedFor }, index) => (
            <li key={index} class="row">
              <Badge>deleveraged</Badge>
              <AccountLink address={counterparty} copy={false} />
              <span class="muted">
                gave up {sizeOf(market, size)} for {amountText(closedFor)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

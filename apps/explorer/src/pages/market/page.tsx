import './market.css';
import './book/book.css';
import './chart/chart.css';
import './own/own.css';
import './ticket/ticket.css';
import { useComputed } from '@preact/signals';
import { getTickers, type Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useHeld, useNode } from '../../app/context.ts';
import { openMemory } from '../../app/storage.ts';
import { usePoll } from '../../app/useResource.ts';
import { MarketLink } from '../../chain/links.tsx';
import { Card, Empty, Known, orPlace, PageHead, Tabs } from '../../kit/index.ts';
import { browserFrames } from '../../live/frames.ts';
import { resourceOf } from '../../live/poll.ts';
import { marketSlug } from '../../router/routes.ts';
import { sessionOf, type WalletSession } from '../../wallet/session.ts';
import type { PageProps } from '../props.ts';
import { Book, ladderRows } from './book/Book.tsx';
import { type LiveBook, openBook } from './book/liveBook.ts';
import { Candles } from './chart/Chart.tsx';
import { Depth } from './chart/Depth.tsx';
import { Facts } from './Facts.tsx';
import { Head } from './Head.tsx';
import { type LiveAccount, openAccount } from './own/liveAccount.ts';
import { Own } from './own/Own.tsx';
import { openProof } from './proof/liveProof.ts';
import { Ticket } from './ticket/Ticket.tsx';
import { createTicketState, TicketProvider } from './ticket/ticketState.ts';
import { Trades } from './Trades.tsx';

/** One market: its book, its trades, its candles, and what somebody does in it. */
export function Page({ route: { market: name } }: PageProps<'market'>): JSX.Element {
  const { markets } = useNode();
  useHeld(markets);
  const known = markets.value.value;
  const wanted = name.toLowerCase();
  const market = known?.find(
    ({ symbol, marketId }) => marketSlug(symbol).toLowerCase() === wanted || `${marketId}` === name,
  );
  if (market !== undefined) return <MarketPage key={market.marketId} market={market} markets={known ?? []} />;
  return (
    <div class="stack">
      <PageHead title={name} kind="Market" />
      <Card>
        <Known what="The markets" of={resourceOf(markets)}>
          {orPlace(known, '100%', (all) => (
            <Unknown name={name} markets={all} />
          ))}
        </Known>
      </Card>
    </div>
  );
}

function Unknown({ name, markets }: { readonly name: string; readonly markets: readonly Market[] }): JSX.Element {
  return (
    <Empty title={`This network has no market ${name}`}>
      {markets.length === 0 ? 'It has none at all yet.' : 'It has '}
      {markets.slice(0, 12).map(({ marketId, symbol }, index) => (
        <span key={marketId}>
          {index > 0 && ', '}
          <MarketLink symbol={symbol} />
        </span>
      ))}
    </Empty>
  );
}

const tickerEveryMs = 1_500;
const nobody: ReadonlySet<bigint> = new Set();

interface MarketPageProps {
  readonly market: Market;
  readonly markets: readonly Market[];
}

function MarketPage({ market, markets }: MarketPageProps): JSX.Element {
  const node = useNode();
  const { streams, trades } = node;
  const { marketId } = market;
  useHeld(trades);
  const tickers = usePoll('ticker', ({ client }) => getTickers(client.sdk, { market: marketId }), tickerEveryMs);
  const live = useMemo(() => openBook({ streams, marketId, requestFrame: browserFrames }), []);
  useEffect(() => live.close, []);
  const ticket = useMemo(createTicketState, []);
  const { session, account } = useOwnAccount();
  const ownPrices = useComputed(() => {
    const orders = account?.view.value?.openOrders.filter((order) => order.marketId === marketId) ?? [];
    return orders.length === 0 ? nobody : new Set(orders.map(({ price }) => price));
  });
  const shown = useRef(account);
  shown.current = account;
  const proof = useMemo(
    () =>
      openProof({
        node,
        market,
        memory: openMemory(),
        books: live.recent,
        account: () => shown.current?.view.peek() ?? null,
        levels: ladderRows,
      }),
    [],
  );
  useEffect(() => proof.close, []);
  return (
    <TicketProvider value={ticket}>
      <div class="stack market">
        <Head market={market} markets={markets} ticker={tickers.value?.[0] ?? null} />
        <div class="market-grid">
          <div class="market-left">
            <Charts market={market} live={live} />
            <Own market={market} session={session} account={account} />
          </div>
          <div class="market-middle">
            <Book market={market} live={live} ownPrices={ownPrices} proof={proof} />
            <Trades market={market} />
          </div>
          <div class="market-right">
            <Ticket market={market} live={live} session={session} account={account} />
            <Facts market={market} />
          </div>
        </div>
      </div>
    </TicketProvider>
  );
}

/** Who trades here, and what that account has; followed while the page is open. */
function useOwnAccount(): { readonly session: WalletSession | null; readonly account: LiveAccount | null } {
  const node = useNode();
  const network = node.network.value;
  const session = useMemo(() => (network === null ? null : sessionOf(node, network, openMemory())), [network]);
  const address = session?.identity.value?.address ?? null;
  const account = useMemo(() => (address === null ? null : openAccount(node, address, browserFrames)), [address]);
  useEffect(() => () => account?.close(), [account]);
  const held = useMemo(() => (account === null ? [] : [account.margin]), [account]);
  useHeld(...held);
  return { session, account };
}

/** Prices over time, or how much rests at which price. */
function Charts({ market, live }: { readonly market: Market; readonly live: LiveBook }): JSX.Element {
  return (
    <Card flush>
      <div class="charts">
        <Tabs
          label="Chart"
          tabs={[
            { title: 'Candles', show: () => <Candles market={market} /> },
            { title: 'Depth', show: () => <Depth market={market} live={live} /> },
          ]}
        />
        <p class="attribution">
          Candles are drawn by Lightweight Charts™, copyright © TradingView, Inc.{' '}
          <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
            tradingview.com
          </a>
        </p>
      </div>
    </Card>
  );
}

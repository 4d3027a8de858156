import { AccountLink, MarketLink } from '../../chain/links.tsx';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { useMarkets } from '../../app/useMarkets.ts';
import { absolute } from '../../chain/absolute.ts';
import type { Agent, Market, OpenOrder, Position } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  Amount,
  Badge,
  Card,
  type Column,
  Empty,
  formatInteger,
  formatMoment,
  priceText,
  SideBadge,
  sizeText,
  Table,
  Tabs,
} from '../../kit/index.ts';
import type { ExchangeAccount } from './readAccount.ts';

/** The market of a row, by its number where it is not known. */
const marketOf = (markets: ReadonlyMap<number, Market>, id: number): JSX.Element => {
  const symbol = markets.get(id)?.symbol;
  return symbol === undefined ? <span>market {id}</span> : <MarketLink symbol={symbol} />;
};

const inMarket = (market: Market | undefined, show: (market: Market) => ComponentChildren): ComponentChildren =>
  market === undefined ? '' : show(market);

type Part = 'positions' | 'orders' | 'agents';

/** What it holds, what it wants, and who may act for it. */
export function Holdings({ exchange }: { readonly exchange: ExchangeAccount | null }): JSX.Element {
  const [part, setPart] = useState<Part>('positions');
  const tabs = [
    { id: 'positions', title: 'Positions', count: exchange?.account.positions.length },
    { id: 'orders', title: 'Open orders', count: exchange?.orders.length },
    { id: 'agents', title: 'Agents', count: exchange?.agents.length },
  ] as const;
  return (
    <Card flush>
      <Tabs label="On the exchange" tabs={tabs} selected={part} onSelect={setPart}>
        {part === 'positions' && <Positions positions={exchange?.account.positions ?? null} />}
        {part === 'orders' && <Orders orders={exchange?.orders ?? null} />}
        {part === 'agents' && <Agents agents={exchange?.agents ?? null} />}
      </Tabs>
    </Card>
  );
}

function Positions({ positions }: { readonly positions: readonly Position[] | null }): JSX.Element {
  const markets = useMarkets();
  const columns: readonly Column<Position>[] = [
    { title: 'Market', cell: ({ marketId }) => marketOf(markets, marketId) },
    {
      title: 'Side',
      cell: ({ size }) => <span class={size > 0n ? 'buy' : 'sell'}>{size > 0n ? '▲ long' : '▼ short'}</span>,
    },
    {
      title: 'Size',
      align: 'right',
      cell: ({ marketId, size }) =>
        inMarket(markets.get(marketId), (market) => (
          <span class="number">
            {sizeText(market, absolute(size))} <span class="faint">{market.base}</span>
          </span>
        )),
    },
    {
      title: 'Entry price',
      align: 'right',
      cell: ({ marketId, size, entry }) =>
        inMarket(markets.get(marketId), (market) => (
          <span class="number">{priceText(market, entry / absolute(size))}</span>
        )),
    },
    {
      title: 'Mark price',
      align: 'right',
      cell: ({ marketId }) =>
        inMarket(markets.get(marketId), (market) =>
          market.markPrice === null ? (
            <span class="faint">none</span>
          ) : (
            <span class="number">{priceText(market, market.markPrice)}</span>
          ),
        ),
    },
    {
      title: 'Unrealized',
      align: 'right',
      cell: ({ unrealized }) =>
        unrealized === null ? <span class="faint">no mark yet</span> : <Amount wei={unrealized} signed />,
    },
  ];
  return (
    <Table
      label="Positions"
      columns={columns}
      rows={positions}
      keyOf={({ marketId }) => marketId}
      expected={2}
      onPhone="cards"
      empty={<Empty title="No position">It neither holds nor owes anything in any market.</Empty>}
    />
  );
}

function Orders({ orders }: { readonly orders: readonly OpenOrder[] | null }): JSX.Element {
  const markets = useMarkets();
  const columns: readonly Column<OpenOrder>[] = [
    { title: 'Order', cell: ({ orderId }) => <span class="number">{formatInteger(orderId)}</span> },
    { title: 'Market', cell: ({ marketId }) => marketOf(markets, marketId) },
    { title: 'Side', cell: ({ side }) => <SideBadge side={side} /> },
    {
      title: 'Price',
      align: 'right',
      cell: ({ marketId, price }) =>
        inMarket(markets.get(marketId), (market) => <span class="number">{priceText(market, price)}</span>),
    },
    {
      title: 'Left of',
      align: 'right',
      cell: ({ marketId, remaining, size }) =>
        inMarket(markets.get(marketId), (market) => (
          <span class="number">
            {sizeText(market, remaining)} <span class="faint">of {sizeText(market, size)}</span>
          </span>
        )),
    },
    { title: 'Since block', align: 'right', cell: ({ createdBlock }) => <BlockLink number={createdBlock} /> },
  ];
  return (
    <Table
      label="Open orders"
      columns={columns}
      rows={orders}
      keyOf={({ orderId }) => orderId}
      expected={2}
      onPhone="cards"
      empty={<Empty title="No open order" />}
    />
  );
}

function Agents({ agents }: { readonly agents: readonly Agent[] | null }): JSX.Element {
  const columns: readonly Column<Agent>[] = [
    { title: 'Key', cell: ({ agent }) => <AccountLink address={agent} /> },
    { title: 'Name', cell: ({ name }) => (name === '' ? <span class="faint">none</span> : name) },
    { title: 'May', cell: ({ permissions }) => permissions.join(', ') },
    {
      title: 'Until',
      cell: ({ validUntilMs }) =>
        validUntilMs === 0 ? (
          <span class="faint">for ever</span>
        ) : (
          <span class="number">{formatMoment(validUntilMs)}</span>
        ),
    },
    {
      title: 'State',
      align: 'right',
      cell: ({ status }) => <Badge tone={status === 'live' ? 'good' : 'plain'}>{status}</Badge>,
    },
  ];
  return (
    <Table
      label="Agents"
      columns={columns}
      rows={agents}
      keyOf={({ agent }) => agent}
      expected={1}
      onPhone="cards"
      empty={<Empty title="No agent">Only its own key signs for it.</Empty>}
    />
  );
}

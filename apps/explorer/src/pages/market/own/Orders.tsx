import { useMarkets } from '../../../app/useMarkets.ts';
import { type Signal, useSignal } from '@preact/signals';
import type { Market, OpenOrder } from '@prime/sdk';
import type { JSX } from 'preact';
import { Button, type Column, Empty, priceText, SideBadge, sizeText, Table, toast } from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { type Trader, whyNot } from '../../../wallet/trader.ts';
import { number } from './ownCells.tsx';

/** Runs what somebody asked for, and says what became of it. */
function run(
  session: WalletSession,
  busy: Signal<number | null>,
  id: number,
  act: (trader: Trader) => Promise<unknown>,
): void {
  busy.value = id;
  session
    .trader()
    .then(act)
    .catch((error: unknown) => toast(whyNot(error), 'bad'))
    .finally(() => {
      busy.value = null;
    });
}

/** Stands for all orders where one of them has its number. */
const allOrders = -1;

interface OrdersProps {
  readonly orders: readonly OpenOrder[] | null;
  readonly market: Market;
  readonly session: WalletSession;
}

type Busy = Signal<number | null>;

const columnsOf = (
  markets: ReadonlyMap<number, Market>,
  session: WalletSession,
  busy: Busy,
): readonly Column<OpenOrder>[] => [
  { title: 'Market', cell: ({ marketId }) => markets.get(marketId)?.symbol ?? marketId },
  { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
  { title: 'Price', align: 'right', cell: (order) => number(markets, order.marketId, order.price, priceText) },
  { title: 'Left', align: 'right', cell: (order) => number(markets, order.marketId, order.remaining, sizeText) },
  { title: 'Filled', align: 'right', cell: (order) => number(markets, order.marketId, order.filled, sizeText) },
  {
    title: 'Order',
    align: 'right',
    wideOnly: true,
    cell: ({ orderId }) => <span class="number faint">{orderId}</span>,
  },
  {
    title: '',
    align: 'right',
    width: '86px',
    cell: ({ orderId }) => (
      <Button
        size="small"
        disabled={busy.value !== null}
        onClick={() => run(session, busy, orderId, (trader) => trader.cancel(orderId))}
      >
        {busy.value === orderId ? '…' : 'Cancel'}
      </Button>
    ),
  },
];

/** Orders that rest, each with the way out. */
export function Orders({ orders, market, session }: OrdersProps): JSX.Element {
  const markets = useMarkets();
  const busy = useSignal<number | null>(null);
  const columns = columnsOf(markets, session, busy);
  const here = orders?.filter(({ marketId }) => marketId === market.marketId).length ?? 0;
  return (
    <>
      <Table
        label="Open orders"
        columns={columns}
        rows={orders === null ? null : orders.toReversed()}
        keyOf={({ orderId }) => orderId}
        expected={3}
        onPhone="cards"
        empty={<Empty title="No open orders">Orders that rest in the book appear here.</Empty>}
      />
      {here > 1 && (
        <div class="own-foot">
          <Button
            size="small"
            disabled={busy.value !== null}
            onClick={() => run(session, busy, allOrders, (trader) => trader.cancelAll(market.marketId))}
          >
            Cancel all {here} in {market.symbol}
          </Button>
        </div>
      )}
    </>
  );
}

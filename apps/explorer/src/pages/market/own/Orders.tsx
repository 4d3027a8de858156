import type { Market, OpenOrder } from '@prime/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { MarketPrice, MarketSize, MarketSymbol } from '../../../chain/marketCells.tsx';
import { Button, type Column, Empty, SideBadge, Table, toast } from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { type Trader, whyNot } from '../../../wallet/trader.ts';

/** Stands for all orders where one of them has its number. */
const allOrders = -1;

interface OrdersProps {
  readonly orders: readonly OpenOrder[] | null;
  readonly market: Market;
  readonly session: WalletSession;
}

/** Cancels orders: one by its number, or all in the market. */
interface Cancelling {
  /** What is being cancelled; null while nothing is. */
  readonly busy: number | null;
  readonly cancel: (id: number, act: (trader: Trader) => Promise<unknown>) => void;
}

function useCancelling(session: WalletSession): Cancelling {
  const [busy, setBusy] = useState<number | null>(null);
  const cancel: Cancelling['cancel'] = (id, act) => {
    setBusy(id);
    session
      .trader()
      .then(act)
      .catch((error: unknown) => toast(whyNot(error), 'bad'))
      .finally(() => setBusy(null));
  };
  return { busy, cancel };
}

const columnsOf = ({ busy, cancel }: Cancelling): readonly Column<OpenOrder>[] => [
  { title: 'Market', cell: ({ marketId }) => <MarketSymbol id={marketId} /> },
  { title: 'Side', width: '62px', cell: ({ side }) => <SideBadge side={side} /> },
  { title: 'Price', align: 'right', cell: ({ marketId, price }) => <MarketPrice id={marketId} price={price} /> },
  { title: 'Left', align: 'right', cell: ({ marketId, remaining }) => <MarketSize id={marketId} size={remaining} /> },
  { title: 'Filled', align: 'right', cell: ({ marketId, filled }) => <MarketSize id={marketId} size={filled} /> },
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
      <Button size="small" disabled={busy !== null} onClick={() => cancel(orderId, (trader) => trader.cancel(orderId))}>
        {busy === orderId ? '…' : 'Cancel'}
      </Button>
    ),
  },
];

/** Orders that rest, each with the way out. */
export function Orders({ orders, market, session }: OrdersProps): JSX.Element {
  const cancelling = useCancelling(session);
  const here = orders?.filter(({ marketId }) => marketId === market.marketId).length ?? 0;
  return (
    <>
      <Table
        label="Open orders"
        columns={columnsOf(cancelling)}
        rows={orders && orders.toReversed()}
        keyOf={({ orderId }) => orderId}
        expected={3}
        onPhone="cards"
        empty={<Empty title="No open orders">Orders that rest in the book appear here.</Empty>}
      />
      {here > 1 && (
        <div class="own-foot">
          <Button
            size="small"
            disabled={cancelling.busy !== null}
            onClick={() => cancelling.cancel(allOrders, (trader) => trader.cancelAll(market.marketId))}
          >
            Cancel all {here} in {market.symbol}
          </Button>
        </div>
      )}
    </>
  );
}

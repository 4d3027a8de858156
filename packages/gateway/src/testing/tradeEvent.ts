import type { DomainEvent, Side } from '@prime/codec';
import type { Address, MarketId } from '@prime/primitives';
import { addressOf } from './fakeNode.ts';

interface Trade {
  readonly marketId: MarketId;
  readonly tradeId: number;
  readonly price: bigint;
  readonly size: bigint;
  readonly maker: Address;
  readonly taker: Address;
  readonly side: Side;
}

const usual = {
  tradeId: 1,
  price: 1n,
  size: 1n,
  maker: addressOf('maker'),
  taker: addressOf('taker'),
  side: 'buy',
} as const;

/** The event of a trade that no action caused, of which a test says what it is about. */
export function tradeEvent(said: Pick<Trade, 'marketId'> & Partial<Trade>): DomainEvent {
  const { marketId, tradeId, price, size, maker, taker, side } = { ...usual, ...said };
  const data = {
    trade_id: tradeId,
    market_id: marketId,
    price,
    size,
    maker_order_id: 1,
    taker_order_id: 2,
    maker,
    taker,
    side,
    fees: 0n,
  };
  return { domain: 'orders', kind: 'trade', actionIndex: null, data };
}

import type { Address } from '../../types/primitives.ts';
import type { DomainEventOf, DomainEventData } from '../domainEvents.ts';
import type { BlockPosition, Fill } from '../types.ts';
import { magnitude } from './positions.ts';

const against = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');

type TradeData = DomainEventData['trade'];

function fillOf(
  trade: TradeData,
  liquidity: 'maker' | 'taker',
  makerFee: bigint,
  isLiquidation: boolean,
): Omit<Fill, keyof BlockPosition> {
  const isTaker = liquidity === 'taker';
  return {
    tradeId: trade.tradeId,
    orderId: isTaker ? trade.takerOrderId : trade.makerOrderId,
    marketId: trade.marketId,
    side: isTaker ? trade.side : against(trade.side),
    price: trade.price,
    size: trade.size,
    value: trade.price * trade.size,
    fee: isTaker ? trade.fees : makerFee,
    liquidity,
    kind: isLiquidation ? 'liquidation' : 'trade',
  };
}

function deleveragingOf(
  data: DomainEventData['deleveraged'],
  whose: 'address' | 'counterparty',
): Omit<Fill, keyof BlockPosition> {
  const isLong = data.size > 0n === (whose === 'address');
  return {
    tradeId: null,
    orderId: whose === 'address' ? data.orderId : null,
    marketId: data.marketId,
    side: isLong ? 'sell' : 'buy',
    price: null,
    size: magnitude(data.size),
    value: data.value,
    fee: 0n,
    liquidity: null,
    kind: 'deleveraging',
  };
}

/**
 * What a block did to the positions of an account, in the order in which it did, as the node's `fills` stream tells it.
 *
 * @param events of the block: all that name the account, and all liquidations
 */
export function fillsFromEvents(
  events: readonly DomainEventOf[],
  account: Address,
  position: BlockPosition,
): readonly Fill[] {
  const liquidations = new Set<number>();
  const makerFees = new Map<number, bigint>();
  for (const { kind, data } of events)
    if (kind === 'liquidation') liquidations.add(data.orderId);
    else if (kind === 'trade_fees') makerFees.set(data.tradeId, data.makerFee);
  const fills: Fill[] = [];
  for (const { kind, data } of events) {
    if (kind === 'trade') {
      for (const liquidity of ['maker', 'taker'] as const)
        if (data[liquidity] === account) {
          const isLiquidation = liquidations.has(data.takerOrderId);
          fills.push({ ...position, ...fillOf(data, liquidity, makerFees.get(data.tradeId) ?? 0n, isLiquidation) });
        }
    } else if (kind === 'deleveraged')
      for (const whose of ['address', 'counterparty'] as const)
        if (data[whose] === account) fills.push({ ...position, ...deleveragingOf(data, whose) });
  }
  return fills;
}

import { bigintAbs } from '@prime/primitives';
import type { Address } from '../../types/primitives.ts';
import type { DomainEventOf, DomainEventData } from '../domainEvents.ts';
import type { BlockPosition, Fill } from '../types.ts';

const against = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');

type TradeData = DomainEventData['trade'];
/** A fill without its place. */
type FillBody = Omit<Fill, keyof BlockPosition | 'eventIndex'>;

function fillOf(trade: TradeData, liquidity: 'maker' | 'taker', makerFee: bigint, isLiquidation: boolean): FillBody {
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

function deleveragingOf(data: DomainEventData['deleveraged'], whose: 'address' | 'counterparty'): FillBody {
  const isLong = data.size > 0n === (whose === 'address');
  return {
    tradeId: null,
    orderId: whose === 'address' ? data.orderId : null,
    marketId: data.marketId,
    side: isLong ? 'sell' : 'buy',
    price: null,
    size: bigintAbs(data.size),
    value: data.value,
    fee: 0n,
    liquidity: null,
    kind: 'deleveraging',
  };
}

/**
 * What events did to the positions of everybody, in the order in which they did, as the node's `fills` streams tell it: of a trade the maker's first.
 *
 * @param events of whole blocks, from `getDomainEvents`, `getNativeBlock` or `watchDomainEvents`
 */
export function allFillsFromEvents(
  events: readonly DomainEventOf[],
): readonly (Fill & { readonly account: Address })[] {
  const liquidations = new Set<number>();
  const makerFees = new Map<number, bigint>();
  for (const { kind, data } of events)
    if (kind === 'liquidation') liquidations.add(data.orderId);
    else if (kind === 'trade_fees') makerFees.set(data.tradeId, data.makerFee);
  const fills: (Fill & { readonly account: Address })[] = [];
  for (const { kind, data, blockNumber, blockHash, timeMs, index } of events) {
    const place = { blockNumber, blockHash, timeMs, eventIndex: index };
    if (kind === 'trade') {
      const isLiquidation = liquidations.has(data.takerOrderId);
      for (const liquidity of ['maker', 'taker'] as const) {
        const fill = fillOf(data, liquidity, makerFees.get(data.tradeId) ?? 0n, isLiquidation);
        fills.push({ account: data[liquidity], ...place, ...fill });
      }
    } else if (kind === 'deleveraged')
      for (const whose of ['address', 'counterparty'] as const)
        fills.push({ account: data[whose], ...place, ...deleveragingOf(data, whose) });
  }
  return fills;
}

/**
 * What events did to the positions of an account, in the order in which they did, as the node's `fills` stream tells it.
 *
 * @param events of whole blocks: all that name the account, and all liquidations; from `getDomainEvents` or `watchDomainEvents`
 * @param account in lower case
 */
export const fillsFromEvents = (events: readonly DomainEventOf[], account: Address): readonly Fill[] =>
  allFillsFromEvents(events).flatMap(({ account: whose, ...fill }) => (whose === account ? [fill] : []));

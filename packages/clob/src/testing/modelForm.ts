import type { ActionResult, DomainEvent, TradeValue } from '@prime/codec';

/** What the engine answers, in the form in which the model answers. */

/** A trade in one line. */
export const tradeText = (trade: TradeValue): string =>
  `${trade.tradeId} ${trade.size}@${trade.price} ${trade.makerOrderId}/${trade.maker} ${trade.takerOrderId}/${trade.taker} ${trade.side}`;

/** An engine's result in the model's form. */
export function modelResult(result: ActionResult): unknown {
  if (!result.ok) return result.error.code;
  const { value } = result;
  switch (value.type) {
    case 'order': {
      const { type, orderId: id, filled, remaining, trades, status } = value;
      return { type, id, filled, remaining, trades: trades.map(tradeText), status };
    }
    case 'cancel':
      return { type: 'cancel', id: value.orderId, remaining: value.remaining };
    case 'deposit':
      return { type: 'deposit', collateral: value.collateral };
    case 'cancelAll':
      return { type: 'cancelAll', orderIds: value.orderIds };
    case 'batch':
      return { type: 'batch', results: value.results.map(modelResult) };
    default:
      return { type: value.type };
  }
}

/** The events that the model also makes, in its form. */
export const modelEvents = (events: readonly DomainEvent[]): string[] =>
  events.flatMap(({ kind, data }) => {
    switch (kind) {
      case 'order_accepted':
        return [`accepted ${data['order_id']}`];
      case 'order_cancelled':
        return [`cancelled ${data['order_id']} ${data['reason']} ${data['remaining']}`];
      case 'trade':
        return [
          `trade ${data['trade_id']} ${data['size']}@${data['price']} ${data['maker_order_id']}/${data['maker']} ${data['taker_order_id']}/${data['taker']} ${data['side']}`,
        ];
      case 'action_rejected':
        return ['rejected'];
      default:
        return [];
    }
  });

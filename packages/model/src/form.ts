import type { ActionResult, DomainEvent, TradeValue } from '@prime/codec';

/** What the engine answers, in the form in which the model answers. */

/** A trade in one line. */
export const tradeText = (trade: TradeValue): string =>
  `${trade.tradeId} ${trade.size}@${trade.price} ${trade.makerOrderId}/${trade.maker} ${trade.takerOrderId}/${trade.taker} ${trade.side} ${trade.fee}`;

/** A transfer between the domains in one line. */
export const transferText = (transfer: {
  readonly id: number;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}): string => `${transfer.id} ${transfer.direction} ${transfer.from} ${transfer.to} ${transfer.amount}`;

/** An engine's result in the model's form. */
export function modelResult(result: ActionResult): unknown {
  if (!result.ok) return result.error.code;
  const { value } = result;
  switch (value.type) {
    case 'order': {
      const { type, orderId: id, filled, remaining, trades, status, decremented, reason } = value;
      return { type, id, filled, remaining, trades: trades.map(tradeText), status, decremented, reason };
    }
    case 'cancel':
      return { type: 'cancel', id: value.orderId, remaining: value.remaining };
    case 'deposit':
      return { type: 'deposit', collateral: value.collateral };
    case 'cancelAll':
      return { type: 'cancelAll', orderIds: value.orderIds };
    case 'liquidate': {
      const positions = value.positions.map(
        ({ marketId: market, size, closed, remaining, trades, fee, insurancePaid: paid, adl }) => ({
          market,
          size,
          closed,
          remaining,
          trades: trades.map(tradeText),
          fee,
          paid,
          adl,
        }),
      );
      return { ...value, positions };
    }
    case 'transferQueued':
      return { type: value.type, id: value.transferId };
    case 'dequeued':
      return {
        type: value.type,
        ids: value.processed.map(({ transferId }) => transferId),
        pending: value.pending,
      };
    case 'batch':
      return { type: 'batch', results: value.results.map(modelResult) };
    default:
      return { type: value.type };
  }
}

/** What happened to a trigger, in one line. */
function triggerText(kind: string, data: DomainEvent['data']): string {
  const id = data['order_id'];
  switch (kind) {
    case 'trigger_placed':
      return `trigger ${id} ${data['size']} of ${data['parent_order_id'] ?? 0}`;
    case 'trigger_changed':
      return `trigger ${id} at ${data['trigger_price']} ${data['size']} of ${data['parent_order_id'] ?? 0}`;
    case 'trigger_ended':
      return `trigger ${id} ended ${data['reason']} ${data['refusal']}`;
    default:
      return `trigger ${id} fired ${data['mark_price']} ${data['placed_order_id']}`;
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
      case 'order_reduced':
        return [`reduced ${data['order_id']} ${data['by']} ${data['amount']} ${data['remaining']}`];
      case 'debt_covered':
        return [`covered ${data['address']} ${data['amount']}`];
      case 'trade':
        return [
          `trade ${data['trade_id']} ${data['size']}@${data['price']} ${data['maker_order_id']}/${data['maker']} ${data['taker_order_id']}/${data['taker']} ${data['side']} ${data['fees']}`,
        ];
      case 'funding_index':
        return [
          `funding ${data['market_id']} ${data['index']} ${data['change']} ${data['average']} ${data['reference']}`,
        ];
      case 'funding_paid':
        return [
          `settled ${data['address']} ${data['market_id']} ${data['size']} ${data['amount']} ${data['index']} ${data['insurance']}`,
        ];
      case 'trade_fees':
        return [
          `fees ${data['taker']} ${data['taker_fee']} ${data['maker']} ${data['maker_fee']} ${data['insurance']} ${data['treasury']}`,
        ];
      case 'liquidation':
        return [
          `liquidation ${data['order_id']} ${data['address']} ${data['market_id']} ${data['size']} ${data['fee']} ${data['insurance_paid']}`,
        ];
      case 'insurance_changed':
        return [`fund ${data['amount']} ${data['balance']}`];
      case 'deleveraged':
        return [
          `deleveraged ${data['order_id']} ${data['address']} ${data['counterparty']} ${data['market_id']} ${data['size']} ${data['value']}`,
        ];
      case 'bad_debt':
        return [`bad debt ${data['address']} ${data['amount']}`];
      case 'transfer_queued':
      case 'transfer_completed':
      case 'transfer_failed': {
        const { transfer_id: id, direction, from, to, amount } = data;
        return [`${kind.slice('transfer_'.length)} ${id} ${direction} ${from} ${to} ${amount}`];
      }
      case 'agent_approved':
        return [`approved ${data['account']} ${data['agent']} ${data['expiry']} ${data['permissions']}`];
      case 'agent_revoked':
        return [`revoked ${data['account']} ${data['agent']}`];
      case 'cancel_scheduled':
        return [`scheduled ${data['account']} ${data['at_ms']}`];
      case 'scheduled_cancel':
        return [`schedule over ${data['account']} ${data['at_ms']}`];
      case 'sub_account_created':
        return [`sub-account ${data['address']} ${data['owner']} ${data['sub_account_index']}`];
      case 'oracle_stale':
        return [`stale ${data['market_id']} ${data['index']}`];
      case 'oracle_resumed':
        return [`resumed ${data['market_id']} ${data['median']} ${data['until_ms']}`];
      case 'oracle_missing':
        return [`missing ${data['validator']} ${data['reported_minutes']} of ${data['minutes']}`];
      case 'index_set':
        return [`index ${data['market_id']} ${data['index']}`];
      case 'oracle_refused':
      case 'action_rejected':
        return ['rejected'];
      default:
        return kind.startsWith('trigger_') ? [triggerText(kind, data)] : changeEvents(kind, data);
    }
  });

/** Those of changes of parameters, and of settlements. */
function changeEvents(kind: string, data: DomainEvent['data']): string[] {
  switch (kind) {
    case 'parameter_changed':
      return [`changed ${data['market_id']} ${data['parameter']} ${data['new_value']} ${data['proposal']}`];
    case 'market_status_set':
      return [`status ${data['market_id']} ${data['status']} ${data['settlement_price']}`];
    case 'position_settled':
      return [`closed ${data['address']} ${data['market_id']} ${data['size']} ${data['price']} ${data['amount']}`];
    case 'proposed':
      return [
        `proposed ${data['proposal']} ${data['proposer']} ${data['parameter']} ${data['activation_height']} ${data['expiry_height']}`,
      ];
    case 'voted':
      return [
        `voted ${data['proposal']} ${data['validator']} ${data['yes']} ${data['yes_power']} ${data['total_power']}`,
      ];
    case 'proposal_passed':
      return [`passed ${data['proposal']} ${data['activation_height']}`];
    case 'proposal_ended':
      return [`proposal over ${data['proposal']}`];
    default:
      return debtEvents(kind, data);
  }
}

/** Of debts, and of what a liquidation brings its sender. */
function debtEvents(kind: string, data: DomainEvent['data']): string[] {
  switch (kind) {
    case 'market_debt':
      return [`debt ${data['market_id']} ${data['address']} ${data['amount']} ${data['debt']}`];
    case 'debt_repaid':
      return [`repaid ${data['market_id']} ${data['amount']} ${data['debt']}`];
    case 'loss_settled':
      return [
        `loss ${data['address']} ${data['market_id']} ${data['size']} ${data['price']} ${data['amount']} ${data['entry']}`,
      ];
    case 'liquidation_reward':
      return [`reward ${data['address']} ${data['liquidator']} ${data['amount']}`];
    default:
      return [];
  }
}

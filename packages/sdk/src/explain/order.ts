import type { Order, OrderEndReason } from '../types/order.ts';
import type { Hash } from '../types/primitives.ts';
import { good, type Explanation } from './explanation.ts';
import { amountText, formatInteger, formatMoment, type MarketWords, priceWords, sizeWords } from './words.ts';

/** Margin of an account at one moment, wei. */
export interface MarginFigures {
  readonly collateral: bigint;
  readonly equity: bigint;
  readonly initialMargin: bigint;
  readonly maintenanceMargin: bigint;
}

/** What decides where an order stands. */
export interface OrderFacts {
  readonly order: Order;
  /** Null where the node does not list it. */
  readonly market: MarketWords | null;
  /** Action or transaction that ended it; null where the block did by itself, nothing did, or the block is not kept. */
  readonly endedBy: Hash | null;
  /** Of its owner before the block that ended it; null where that is not kept. */
  readonly marginBefore: MarginFigures | null;
}

/** How an order stands or ended, and why. */
export function explainOrder(facts: OrderFacts): Explanation {
  const { order, market } = facts;
  const what = `${order.side} of ${sizeWords(market, order.size)} at ${priceWords(market, order.price)}`;
  const named = `Order ${order.orderId}`;
  const filled = `${sizeWords(market, order.filled)} of ${sizeWords(market, order.size)} traded`;
  switch (order.status) {
    case 'open':
    case 'partially_filled':
      return good(
        `${named} rests`,
        `The ${what} is in the book since block ${formatInteger(order.createdBlock)}: ${filled}, ${sizeWords(market, order.remaining)} are left.${lifeText(order)}`,
      );
    case 'filled':
      return good(
        `${named} is filled`,
        `The ${what} traded whole, the last of it in block ${formatInteger(order.closedBlock ?? order.createdBlock)}.`,
      );
    case 'cancelled':
    case 'killed':
      return {
        tone: order.reason === 'user' ? 'good' : 'warn',
        title: `${named} was ${order.status}${order.reason === null ? '' : `: ${shortReasons[order.reason]}`}`,
        text: `Block ${formatInteger(order.closedBlock ?? order.createdBlock)} ended the ${what}; ${filled}. ${order.reason === null ? '' : reasons[order.reason](facts)}`.trimEnd(),
      };
  }
}

const lifeText = ({ expiresAtSeconds }: Order): string =>
  expiresAtSeconds === 0 ? '' : ` It ends by itself after ${formatMoment(expiresAtSeconds * 1_000)}.`;

const shortReasons: { readonly [reason in OrderEndReason]: string } = {
  user: 'its owner asked for it',
  ioc: 'it was not to rest',
  fok: 'it could not trade whole',
  self_trade: 'it met an order of its own owner',
  margin: 'the margin was missing',
  liquidation: 'its owner was liquidated',
  expired: 'its time was over',
  reduce_only: 'there was nothing to reduce any more',
  scheduled: 'the time came at which all orders of its owner were to end',
  settlement: 'its market was settled',
  fired: 'the mark was at its price, and its order came',
  group: 'another one of its group or bracket fired',
  position: 'the position is gone that it was to close',
  refused: 'its order was refused when it fired',
  parent: 'the order that it was attached to ended without a fill',
};

/** `` with nothing known, else that it was this action. */
const byWhom = ({ endedBy }: OrderFacts): string => (endedBy === null ? '' : ` (${endedBy})`);

const marginText = ({ marginBefore }: OrderFacts): string =>
  marginBefore === null
    ? ''
    : ` Before that block its equity was ${amountText(marginBefore.equity)}, and positions and open orders held ${amountText(marginBefore.initialMargin)} of initial margin.`;

const reasons: { readonly [reason in OrderEndReason]: (facts: OrderFacts) => string } = {
  user: (facts) => `Its owner, or an agent of it, cancelled it${byWhom(facts)}.`,
  ioc: ({ order, market }) =>
    `It was to trade at once and never to rest (${order.tif}), and the book had no more at ${priceWords(market, order.price)} or better: ${sizeWords(market, order.remaining)} were dropped.`,
  fok: ({ order, market }) =>
    `It was to trade whole or not at all (fok), and the book did not hold ${sizeWords(market, order.size)} at ${priceWords(market, order.price)} or better.`,
  self_trade: (facts) =>
    `It would have traded with another order of its own owner, and the self-trade mode of the order that came says that it goes${byWhom(facts)}.`,
  margin: (facts) =>
    `When it was its turn to trade, its owner had not the margin for it${byWhom(facts)}.${marginText(facts)}`,
  liquidation: (facts) =>
    `The equity of its owner fell below its maintenance margin, and a liquidation cancels all open orders first${byWhom(facts)}. prime why liquidated ${facts.order.owner} tells of it.`,
  expired: ({ order }) =>
    order.expiresAtSeconds === 0
      ? 'Its time was over.'
      : `It was to rest until ${formatMoment(order.expiresAtSeconds * 1_000)}.`,
  settlement: () => 'Its market was settled: all of its orders ended, and its positions were closed at one price.',
  scheduled: () => 'Its owner had scheduled a cancel of all orders, and did not set a later time in time.',
  fired: () => 'The mark of the market was at its price: its order came in its place, under the same client id.',
  group: () =>
    'Another trigger of its group or bracket fired: of a group only one does, and what is left of the order of a bracket ends with it.',
  position: () => 'It was to close a whole position, which is gone or on the other side now.',
  refused: () =>
    'The mark was at its price, and its order was refused. The event trigger_ended of that block has the reason.',
  parent: () => 'It was to close what an order fills, and that order ended without a fill.',
  reduce_only: () => 'It was to make a position smaller (reduce-only), and nothing of that position was left.',
};

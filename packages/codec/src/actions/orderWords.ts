/** Words of orders, in lists whose places are the numbers that encodings have for them. */

/** A buyer's and a seller's; also of a position that such an order opens. */
export const sides = ['buy', 'sell'] as const;
/** One of {@link sides}. */
export type Side = (typeof sides)[number];

/** How long orders live: until they are cancelled, not at all, whole or not at all. */
export const timesInForce = ['gtc', 'ioc', 'fok'] as const;
/** One of {@link timesInForce}. */
export type TimeInForce = (typeof timesInForce)[number];

/** Which way the mark goes to fire a trigger: against its side’s position, or in its favour. A stop buys at or above its price and sells at or below; a take-profit the reverse. */
export const triggerKinds = ['stop', 'take_profit'] as const;
/** One of {@link triggerKinds}. */
export type TriggerKind = (typeof triggerKinds)[number];

/** What happens when an order meets one of its own account; the first is what an order has that says nothing. */
export const selfTradeModes = ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'] as const;
/** One of {@link selfTradeModes}. */
export type SelfTradeMode = (typeof selfTradeModes)[number];

/** How an order stands when its action is over; `killed` was a fill-or-kill order that could not be filled whole. */
export const orderStatuses = ['open', 'filled', 'partially_filled', 'cancelled', 'killed'] as const;
/** One of {@link orderStatuses}. */
export type OrderStatus = (typeof orderStatuses)[number];

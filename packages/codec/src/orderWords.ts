/** Words of orders, in lists whose places are the numbers that encodings have for them. */

export const sides = ['buy', 'sell'] as const;
export type Side = (typeof sides)[number];

/** How long orders live: until they are cancelled, not at all, whole or not at all. */
export const timesInForce = ['gtc', 'ioc', 'fok'] as const;
export type TimeInForce = (typeof timesInForce)[number];

/** What happens when an order meets one of its own account; the first is what an order has that says nothing. */
export const selfTradeModes = ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'] as const;
export type SelfTradeMode = (typeof selfTradeModes)[number];

export const orderStatuses = ['open', 'filled', 'partially_filled', 'cancelled', 'killed'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

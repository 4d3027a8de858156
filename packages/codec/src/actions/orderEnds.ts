/** How orders end: filled, or taken out of the book for a reason. The last four are of triggers: their order came, another one of their group fired, the position is gone that they go with, their order was refused. */
export const orderEnds = [
  'filled',
  'user',
  'ioc',
  'fok',
  'self_trade',
  'margin',
  'liquidation',
  'expired',
  'reduce_only',
  'scheduled',
  'settlement',
  'fired',
  'group',
  'position',
  'refused',
] as const;
/** One of {@link orderEnds}. */
export type OrderEnd = (typeof orderEnds)[number];
/** Why an order left before it was filled. */
export type CancelReason = Exclude<OrderEnd, 'filled'>;
/** {@link orderEnds} without `filled`, in the same order. */
export const cancelReasons = orderEnds.filter((end): end is CancelReason => end !== 'filled');

/** How orders end: filled, or taken out of the book for a reason. */
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
] as const;
/** One of {@link orderEnds}. */
export type OrderEnd = (typeof orderEnds)[number];
/** Why an order left before it was filled. */
export type CancelReason = Exclude<OrderEnd, 'filled'>;
/** {@link orderEnds} without `filled`, in the same order. */
export const cancelReasons = orderEnds.filter((end): end is CancelReason => end !== 'filled');

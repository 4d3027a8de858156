/** How orders end: filled, or taken out of the book for a reason. The last five are of triggers: their order came, another one of their group fired (also of the order of a bracket), the position is gone that they go with, their order was refused, the order that they are attached to ended without a fill. */
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
  'parent',
] as const;
/** One of {@link orderEnds}. */
export type OrderEnd = (typeof orderEnds)[number];
/** Why an order left before it was filled. */
export type CancelReason = Exclude<OrderEnd, 'filled'>;
/** {@link orderEnds} without `filled`, in the same order. */
export const cancelReasons = orderEnds.filter((end): end is CancelReason => end !== 'filled');

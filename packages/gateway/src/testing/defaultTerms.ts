/** What an order says beside its market, owner, side, price and size. */
export const defaultTerms = {
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
} as const;

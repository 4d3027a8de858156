/** Many accounts with a position each in one market: what a block pays for how many there are. */

const accountsPerBlock = 5000;

/** Scattered, as addresses are: in their order no two neighbours are. */
export const addressOf = (index) =>
  `0x${BigInt.asUintN(160, BigInt(index + 1) * scatter)
    .toString(16)
    .padStart(40, '0')}`;
const scatter = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bn;

export const order = (side, at, lots) => ({
  type: 'order',
  marketId: 1,
  side,
  price: at,
  size: lots,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
});

/**
 * Makes accounts, of which every other one sells, and the next one buys of it.
 *
 * @param holders how many @param depositOf wei of an account, by its place @param priceOf of its trade
 * @param size of each position @param others accounts behind them, with wei only
 */
export function openPositions({ engine, blocks }, { holders, depositOf, priceOf, size, others }) {
  const run = (payloads, deposits = []) => {
    engine.execute(blocks.make(payloads, deposits));
    engine.commit();
  };
  const all = holders + others;
  const places = (from, count) =>
    Array.from({ length: Math.min(accountsPerBlock, count - from) }, (_, at) => from + at);
  for (let from = 0; from < all; from += accountsPerBlock) {
    const indexes = places(from, all);
    run(
      indexes.map((index) => ({ account: addressOf(index), payload: { type: 'deposit', amount: depositOf(index) } })),
      indexes.map((_, actionIndex) => ({ actionIndex, funded: true, faucetAmount: 0n })),
    );
  }
  for (let from = 0; from < holders; from += accountsPerBlock)
    run(
      places(from, holders).map((index) => ({
        account: addressOf(index),
        payload: order(index % 2 === 0 ? 'sell' : 'buy', priceOf(index), size),
      })),
    );
}

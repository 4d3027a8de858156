import { fundingUnit } from '../funding.ts';
import { floor, margin, max, type ModelAccount, type ModelOrder, type ModelState, ordersThat } from '../state.ts';

/** An order that is not in the book yet. */
export type ModelExtra = Pick<ModelOrder, 'market' | 'buy' | 'price' | 'size'>;

/** Free collateral, with one more order if given; without initial margin what is there for losses. */
export function freeOf(
  state: ModelState,
  { owner, collateral, positions }: ModelAccount & { readonly owner: string },
  extra: ModelExtra | undefined,
  withMargin: boolean,
): bigint {
  let free = collateral;
  const own = ordersThat(state, (order) => order.owner === owner);
  state.markets.forEach((market, index) => {
    const id = index + 1;
    const orders = own
      .filter((order) => order.market === id)
      .map(({ buy, price, remaining }) => ({ buy, price, size: remaining }));
    if (extra?.market === id) orders.push(extra);
    const sum = (buy: boolean, of: (order: { price: bigint; size: bigint }) => bigint): bigint =>
      orders.filter((order) => order.buy === buy).reduce((total, order) => total + of(order), 0n);
    const [bq, sq] = [sum(true, ({ size }) => size), sum(false, ({ size }) => size)];
    const [bn, sn] = [sum(true, ({ size, price }) => size * price), sum(false, ({ size, price }) => size * price)];
    const { size, entry, owed } = positions[id] ?? { size: 0n, entry: 0n, owed: 0n };
    free += floor(owed, fundingUnit);
    const price = market.mark ?? market.last;
    const initial = (quantity: bigint, at: bigint): bigint => margin(state, id, 'initialMarginBps', quantity, at);
    if (price === null) {
      if (withMargin) free -= initial(max(bn, sn), 1n);
      return;
    }
    free += size > 0n ? size * price - entry : entry + size * price;
    const worst = [size < 0n ? -size : size, size + bq, sq - size].reduce((a, b) => (a > b ? a : b));
    if (withMargin) free -= initial(worst, price);
    // The new order may fill at once: what others of its side would gain does not make up for what it loses.
    const added = extra?.market === id ? extra : { buy: true, price: 0n, size: 0n };
    const [addedBuy, addedSell] = added.buy ? [added.size, 0n] : [0n, added.size];
    free -= max(0n, bn - addedBuy * added.price - (bq - addedBuy) * price);
    free -= max(0n, (sq - addedSell) * price - (sn - addedSell * added.price));
    free -= max(0n, added.buy ? addedBuy * (added.price - price) : addedSell * (price - added.price));
  });
  return free;
}

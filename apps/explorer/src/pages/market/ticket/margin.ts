import { bigintAbs, bigintMax, ceilDiv } from '@prime/primitives';
import type { Market, OpenOrder, RiskTier, Side } from '@prime/sdk';

/**
 * What an order takes from an account before it is sent, by the rules of docs/protocol/clob.md (Margin, Fees). The node decides; this is so that nobody is
 * surprised.
 */

/** What an account has in one market. */
export interface Exposure {
  /** Negative is short. */
  readonly position: bigint;
  /** Its own open orders there. */
  readonly orders: readonly Pick<OpenOrder, 'side' | 'price' | 'remaining'>[];
}

/** An order that is not placed yet: price in wei of the quote for one base unit, size in base units. */
export interface NewOrder {
  readonly side: Side;
  readonly price: bigint;
  readonly size: bigint;
}

/** All wei. */
export interface OrderCost {
  readonly notional: bigint;
  /** What free collateral is less by; 0 for an order that only reduces. */
  readonly margin: bigint;
  /** At most, if all of it takes; null where the network has no fees. */
  readonly fee: bigint | null;
}

type Rates = Pick<Market, 'initialMarginBps' | 'riskTiers' | 'fees' | 'markPrice' | 'lastPrice'>;

const bpsBase = 10_000n;
const ppmBase = 1_000_000n;

/** Initial margin of a notional: of each part between the bounds of tiers by its own tier. */
export function initialMargin(
  notional: bigint,
  {
    initialMarginBps,
    riskTiers = [],
  }: { readonly initialMarginBps: number; readonly riskTiers?: readonly RiskTier[] | undefined },
): bigint {
  let rate = initialMarginBps;
  let share = notional * BigInt(rate);
  for (const tier of riskTiers) {
    if (notional <= tier.aboveNotional) break;
    if (tier.initialMarginBps <= rate) continue;
    share += (notional - tier.aboveNotional) * BigInt(tier.initialMarginBps - rate);
    rate = tier.initialMarginBps;
  }
  return ceilDiv(share, bpsBase);
}

interface Sums {
  readonly buySize: bigint;
  readonly buyNotional: bigint;
  readonly sellSize: bigint;
  readonly sellNotional: bigint;
}

function sumsOf(orders: Exposure['orders']): Sums {
  const of = (side: Side) => orders.filter((order) => order.side === side);
  const sizes = (side: Side): bigint => of(side).reduce((sum, { remaining }) => sum + remaining, 0n);
  const notionals = (side: Side): bigint => of(side).reduce((sum, { price, remaining }) => sum + price * remaining, 0n);
  return {
    buySize: sizes('buy'),
    buyNotional: notionals('buy'),
    sellSize: sizes('sell'),
    sellNotional: notionals('sell'),
  };
}

const plus = (sums: Sums, { side, price, size }: NewOrder): Sums =>
  side === 'buy'
    ? { ...sums, buySize: sums.buySize + size, buyNotional: sums.buyNotional + price * size }
    : { ...sums, sellSize: sums.sellSize + size, sellNotional: sums.sellNotional + price * size };

/** What the market takes from free collateral besides the position's own profit. */
function taken(position: bigint, sums: Sums, rates: Rates): { readonly initial: bigint; readonly loss: bigint } {
  const price = rates.markPrice ?? rates.lastPrice;
  if (price === null)
    return { initial: initialMargin(bigintMax(sums.buyNotional, sums.sellNotional), rates), loss: 0n };
  const held = bigintAbs(position);
  const worst = bigintMax(held, bigintMax(position + sums.buySize, sums.sellSize - position));
  return { initial: initialMargin(worst * price, rates), loss: lossOf(sums, price) };
}

const lossOf = (sums: Sums, price: bigint): bigint =>
  bigintMax(0n, sums.buyNotional - sums.buySize * price) + bigintMax(0n, sums.sellSize * price - sums.sellNotional);

/** Whether an order can do nothing but make a position smaller, with all that is open of its side. */
function onlyReduces(position: bigint, sums: Sums, { side, size }: NewOrder): boolean {
  const opposite = side === 'buy' ? -position : position;
  return opposite > 0n && opposite >= (side === 'buy' ? sums.buySize : sums.sellSize) + size;
}

/**
 * What an order would take, wei: notional, margin beyond what is taken now, and the highest fee. Null for a fee that
 * is not known.
 */
export function orderCost(exposure: Exposure, order: NewOrder, rates: Rates): OrderCost {
  const { position, orders } = exposure;
  const notional = order.price * order.size;
  const sums = sumsOf(orders);
  const { fees } = rates;
  const fee =
    fees === undefined ? null : ceilDiv(notional * BigInt(Math.max(fees.takerPpm, fees.makerPpm, 0)), ppmBase);
  if (onlyReduces(position, sums, order)) return { notional, margin: 0n, fee };
  const before = taken(position, sums, rates);
  const after = taken(position, plus(sums, order), rates);
  const price = rates.markPrice ?? rates.lastPrice;
  // The order's own loss counts beside the others': it may fill at once.
  const none: Sums = { buySize: 0n, buyNotional: 0n, sellSize: 0n, sellNotional: 0n };
  const ownLoss = price === null ? 0n : lossOf(plus(none, order), price);
  return { notional, margin: bigintMax(0n, after.initial - before.initial + ownLoss), fee };
}

/** Largest size that free collateral covers at a price, in whole lots; found by halving, since margin never falls with size. */
export function largestSize(
  exposure: Exposure,
  order: Omit<NewOrder, 'size'>,
  free: bigint,
  market: Rates & Pick<Market, 'lotSize'>,
): bigint {
  if (order.price <= 0n) return 0n;
  const fits = (lots: bigint): boolean => {
    const { margin, fee } = orderCost(exposure, { ...order, size: lots * market.lotSize }, market);
    // What only reduces needs nothing that is free.
    return margin === 0n || margin + (fee ?? 0n) <= free;
  };
  let low = 0n;
  let high = 1n;
  while (fits(high) && high < lotsLimit) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low * market.lotSize;
}

/** Sizes have 128 bits. */
const lotsLimit = 1n << 120n;

import { bigintAbs } from '@prime/primitives';

/** A position and what changing it realized; the arithmetic of docs/protocol/clob.md, Accounting. */
export interface PositionStep {
  /** Base units, negative is short. */
  readonly size: bigint;
  /** Wei, never negative. */
  readonly entry: bigint;
  /** What came to the collateral, wei. */
  readonly realized: bigint;
}

/** Closes a part for a value. The part takes its share of the entry with it, rounded down. */
export function closePart(size: bigint, entry: bigint, closed: bigint, value: bigint): PositionStep {
  const released = (entry * closed) / bigintAbs(size);
  const isLong = size > 0n;
  return {
    size: isLong ? size - closed : size + closed,
    entry: entry - released,
    realized: isLong ? value - released : released - value,
  };
}

/** Buys (quantity > 0) or sells at a price: what is against the position closes it first, and the rest opens one. */
export function fillPosition(size: bigint, entry: bigint, quantity: bigint, price: bigint): PositionStep {
  const amount = bigintAbs(quantity);
  const isAgainst = size !== 0n && size > 0n !== quantity > 0n;
  if (!isAgainst) return { size: size + quantity, entry: entry + amount * price, realized: 0n };
  const closed = amount < bigintAbs(size) ? amount : bigintAbs(size);
  const rest = closePart(size, entry, closed, closed * price);
  return { ...rest, size: size + quantity, entry: rest.entry + (amount - closed) * price };
}

/** Prices of a market, and the voting power of whoever tells each of them, by place. */
export interface WeightedPrices {
  /** Wei for one base unit, > 0. */
  readonly prices: bigint[];
  /** > 0. */
  readonly powers: bigint[];
}

/**
 * The least price at or below which half of the power is. With less than a third of the power faulty, and more than two thirds here, it lies between
 * prices of honest validators.
 *
 * Found without sorting: of parts around a price only the one with the median is looked at again.
 *
 * @param weighted in any order, at least one; in another order afterwards
 */
export function weightedMedian(weighted: WeightedPrices): bigint {
  const { prices, powers } = weighted;
  const total = powers.reduce((sum, power) => sum + power, 0n);
  let [from, to, below] = [0, prices.length, 0n];
  while (from < to) {
    const pivot = middleOf(prices[from]!, prices[(from + to) >> 1]!, prices[to - 1]!);
    const { less, lessPower, lessOrEqual, equalPower } = split(weighted, from, to, pivot);
    if ((below + lessPower) * 2n >= total) to = less;
    else {
      below += lessPower + equalPower;
      if (below * 2n >= total) return pivot;
      from = lessOrEqual;
    }
  }
  throw new RangeError('a median needs a price');
}

function middleOf(a: bigint, b: bigint, c: bigint): bigint {
  if (a > b) return middleOf(b, a, c);
  return c <= a ? a : c < b ? c : b;
}

/** Puts those below a price first, then those at it, then the others; with the places where the first two end, and their power. */
function split({ prices, powers }: WeightedPrices, from: number, to: number, pivot: bigint) {
  let [less, at, more] = [from, from, to];
  let [lessPower, equalPower] = [0n, 0n];
  while (at < more) {
    const price = prices[at]!;
    const power = powers[at]!;
    if (price > pivot) {
      more--;
      prices[at] = prices[more]!;
      powers[at] = powers[more]!;
      prices[more] = price;
      powers[more] = power;
      continue;
    }
    if (price < pivot) {
      prices[at] = prices[less]!;
      powers[at] = powers[less]!;
      prices[less] = price;
      powers[less] = power;
      lessPower += power;
      less++;
    } else equalPower += power;
    at++;
  }
  return { less, lessPower, lessOrEqual: more, equalPower };
}

import { exactMax, type Quantity } from './quantity.ts';

/**
 * What accounts claim of a market together, wei: the sum of their claims above 0, kept up to date by whatever changes one; see claims.ts.
 *
 * No record holds it. It is counted in a number as long as it is exact there, like claims are; what is beyond stands in a bigint.
 */
export class ClaimSum {
  /** The sum is that of both; the first is exact. */
  #exact = 0;
  #rest = 0n;

  /** Wei. */
  get wei(): bigint {
    return this.#rest + BigInt(this.#exact);
  }

  /** A claim changed. @param before wei, exact in a number, as @param after */
  moved(before: Quantity, after: Quantity): void {
    if (typeof before === 'number' && typeof after === 'number') {
      const sum = this.#exact + ((after > 0 ? after : 0) - (before > 0 ? before : 0));
      if (sum <= exactMax && sum >= -exactMax) {
        this.#exact = sum;
        return;
      }
    }
    this.#rest += above0(after) - above0(before);
  }
}

const above0 = (claim: Quantity): bigint => (claim > 0 ? BigInt(claim) : 0n);

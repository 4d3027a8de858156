import { exactMax, type Quantity } from '../book/quantity.ts';

/**
 * What the longs of a market hold together, which is what its shorts owe: a sum over positions, kept up to date by whatever changes one.
 *
 * No record holds it. It is counted in lots as long as these are exact, like positions are; what is beyond stands in bigints.
 */
export class OpenInterest {
  readonly #lotSize: bigint;
  /** The sum is that of both: lots, exact, and base units. */
  #lots = 0;
  #rest = 0n;

  /** @param lotSize base units */
  constructor(lotSize: bigint) {
    this.#lotSize = lotSize;
  }

  /** Base units. */
  get size(): bigint {
    return this.#rest + BigInt(this.#lots) * this.#lotSize;
  }

  /** Lots; undefined where numbers can not count them exactly. */
  get lots(): number | undefined {
    return this.#rest === 0n ? this.#lots : undefined;
  }

  /** A position changed. @param before lots in a number, base units in a bigint, negative is short; of one kind with @param after */
  moved(before: Quantity, after: Quantity): void {
    if (typeof before === 'number') this.#add((after > 0 ? (after as number) : 0) - (before > 0 ? before : 0));
    else {
      const change = (after > 0n ? (after as bigint) : 0n) - (before > 0n ? before : 0n);
      // Positions are whole lots.
      const lots = change / this.#lotSize;
      if (lots <= exactMax && lots >= -exactMax) this.#add(Number(lots));
      else this.#rest += change;
    }
  }

  #add(lots: number): void {
    const sum = this.#lots + lots;
    if (sum <= exactMax && sum >= -exactMax) this.#lots = sum;
    else {
      this.#rest += BigInt(this.#lots) * this.#lotSize;
      this.#lots = lots;
    }
  }
}

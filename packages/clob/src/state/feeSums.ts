import type { FeeParams } from '@prime/codec';

/** What one taker's trades on the short way cost so far, wei in exact numbers; see fastFees.ts. */
export class FeeSums {
  readonly params: FeeParams;
  /** Notional of the order's trades so far. */
  traded = 0;
  /** Fee of them. */
  due = 0;
  /** What the insurance fund got of them and is not in it yet. */
  insured = 0;
  // Of the trade that is being booked.
  takerFee = 0;
  makerFee = 0;
  insurance = 0;
  treasury = 0;

  constructor(params: FeeParams) {
    this.params = params;
  }
}

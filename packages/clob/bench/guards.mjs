/**
 * What guards a market in the benchmark: limits, and prices from outside. Its bounds are wider than what the streams do, so that a guarded engine does
 * all that the bare one does, and whatever it takes longer is the guards'.
 */

const limits = {
  openInterestMax: 10n ** 15n,
  positionMax: 10n ** 13n,
  priceBandBps: 10_000,
  orderNotionalMax: 10n ** 15n,
};

const oracle = {
  reportMaxAgeMs: 10_000,
  staleMs: 15_000,
  maxMoveBps: 500,
  resumeAfterMs: 60_000,
  resumeMoveBps: 1000,
  resumeMs: 0,
  eventBps: 10,
  premiumMaxBps: 100,
};

/** Parameters of genesis by guard, and whether prices come from outside. */
export const guards = {
  limits: { params: { limits }, hasOracle: false },
  oracle: { params: { oracle }, hasOracle: true },
  both: { params: { limits, oracle }, hasOracle: true },
};

const addressOf = (index) => `0x${(0x5a100 + index).toString(16).padStart(40, '0')}`;
const validators = [0, 1, 2, 3].map((index) => ({ validator: addressOf(index), key: addressOf(0x100 + index) }));

/** Who reports, as the staking state tells each block. */
export const oracleSet = {
  precisionMs: 500,
  reporters: validators.map(({ validator, key }) => ({ validator, keys: [key], power: 1000n })),
};

const reportEveryMs = 1000;
/** Between blocks a price goes so far to either side of the middle, parts of 10 000: each report moves the index, and the mark with it. */
const swingBps = 20n;

/** Reports of all validators, once a second of block time. */
export class Reports {
  #lastMs = 0;
  #count = 0n;

  /**
   * @param middle around which prices are, wei @param markets of the engine
   * @returns actions of a block at that time, mostly none
   */
  at(timestampMs, middle, markets) {
    if (timestampMs - this.#lastMs < reportEveryMs) return [];
    this.#lastMs = timestampMs;
    const swing = (middle * swingBps * (this.#count++ % 3n)) / 10_000n;
    const prices = Array.from({ length: markets }, (_, index) => ({ marketId: index + 1, price: middle + swing }));
    return validators.map(({ validator, key }, index) => ({
      raw: new Uint8Array(0),
      hash: `0x${(timestampMs * 10 + index).toString(16).padStart(64, '0')}`,
      signer: key,
      transaction: {
        chainId: 1,
        nonce: timestampMs + index,
        expiresAt: 0,
        account: validator,
        payload: { type: 'oracleReport', observedAtMs: timestampMs, prices },
        signatureKind: 'raw',
        signature: new Uint8Array(65),
      },
    }));
  }
}

/**
 * What guards a market in the benchmark: limits, prices from outside, and triggers that wait. Its bounds are wider than what the streams do, and no mark
 * comes near a trigger. So a guarded engine does all that the bare one does, and whatever it takes longer is the guards'.
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
  settlePerBlock: 32,
};

const trigger = { slippageBps: 500, perAccountMax: 100, perMarketMax: 100_000, perBlockMax: 1000 };
/** In each market. */
const waiting = 1000;

/** Parameters of genesis by guard, whether prices come from outside, and how many triggers wait in each market. */
export const guards = {
  limits: { params: { limits } },
  oracle: { params: { oracle }, hasOracle: true },
  triggers: { params: { trigger }, triggers: waiting },
  all: { params: { limits, oracle, trigger }, hasOracle: true, triggers: waiting },
};

/**
 * Stops that never fire: they wait for half of the middle, and for twice as much.
 *
 * @param middle of the stream's prices, wei @param count in each market @param accounts whose they are, in turn
 */
export const triggersOf = (markets, middle, lot, count, accounts) =>
  Array.from({ length: markets * count }, (_, index) => {
    const isBuy = index % 2 === 0;
    const payload = {
      type: 'trigger',
      marketId: 1 + (index % markets),
      side: isBuy ? 'buy' : 'sell',
      kind: 'stop',
      triggerPrice: isBuy ? 2n * middle : middle / 2n,
      limitPrice: 0n,
      size: lot,
      tif: 'ioc',
      reduceOnly: false,
      position: false,
      selfTrade: 'cancel_maker',
      clientId: null,
      expiresAt: 0,
      group: 0,
    };
    return { account: accounts[index % accounts.length], payload };
  });

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

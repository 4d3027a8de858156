import { describe, expect, it } from '@jest/globals';
import { decodeEventFrames, decodeMarketRecord, encodeMarketRecord, marketDecimalsMax, recordKind } from '@prime/codec';
import { bytesToHex, createPrng } from '@prime/primitives';
import { alice, createHarness, defaultMarkets, type Harness, type HarnessOptions, startMs } from './testing/harness.ts';
import { randomBlock } from './testing/streams.ts';

const decimals = [
  { baseDecimals: 16, quoteDecimals: 18 },
  { baseDecimals: marketDecimalsMax, quoteDecimals: 0 },
] as const;
const markets = defaultMarkets.map((market, index) => ({ ...market, ...decimals[index] }));

const recorded = ({ records }: Harness) =>
  [...records.values()]
    .filter(([key]) => recordKind(key) === 'market')
    .map(([, value]) => decodeMarketRecord(value))
    .sort((a, b) => a.marketId - b.marketId);

describe('decimals of a market', () => {
  it.each<[string, HarnessOptions]>([
    ['in one thread', {}],
    ['with shards', { shards: 2 }],
  ])('are in its record from genesis or addMarket on, also after a restart and a trade, %s', (_name, options) => {
    const harness = createHarness({ ...options, markets });
    const added = { symbol: 'SOL/USD', tickSize: 2n, lotSize: 3n, baseDecimals: 9, quoteDecimals: 6 };
    harness.act(alice, { type: 'addMarket', ...added });
    expect(harness.events()).toMatchObject([
      {
        kind: 'market_added',
        data: { market_id: 3, tick_size: 2n, lot_size: 3n, base_decimals: 9, quote_decimals: 6 },
      },
    ]);
    const expected = [...decimals, { baseDecimals: 9, quoteDecimals: 6 }];
    expect(recorded(harness)).toMatchObject(expected);
    harness.restart();
    const random = createPrng(1);
    for (let block = 0; block < 20; block++) harness.block(randomBlock(random, 20, { nowSeconds: startMs / 1000 }));
    expect(recorded(harness)[1]!.lastPrice).not.toBeNull();
    expect(recorded(harness)).toMatchObject(expected);
  });

  it('change nothing else: the same blocks have the same results and records', () => {
    const run = (options: HarnessOptions): unknown => {
      const harness = createHarness(options);
      const random = createPrng(7);
      const outcomes = Array.from({ length: 60 }, () => {
        const { results, events } = harness.block(
          randomBlock(random, 25, { nowSeconds: Math.floor(harness.now() / 1000), risky: true }),
        );
        // Hashes are of this process' actions.
        return [results, decodeEventFrames(events).map(({ kind, data }) => [kind, { ...data, hash: null }])];
      });
      const records = [...harness.records.values()].map(([key, value]) => {
        const shown =
          recordKind(key) === 'market'
            ? encodeMarketRecord({ ...decodeMarketRecord(value), baseDecimals: 0, quoteDecimals: 18 })
            : value;
        return [bytesToHex(key), bytesToHex(shown)];
      });
      return { outcomes, records };
    };
    expect(run({ markets })).toEqual(run({}));
  });
});

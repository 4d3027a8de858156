import { describe, expect, it } from '@jest/globals';
import type { Address, MarketId } from '@prime/primitives';
import { type Change, parameterNames } from './changes.ts';
import { changeFromJson, changeText } from './changeJson.ts';
import { defaultClobParams, noMarketLimits } from './genesis.ts';

/** Changes as people write and sign them. */

const treasury = `0x${'7e'.repeat(20)}` as Address;
const first = 1 as MarketId;
const fees = { takerPpm: 300, makerPpm: -50, treasury: null, treasuryShareBps: 0 };
const changes: readonly Change[] = [
  { parameter: 'status', marketId: first, value: { status: 'halted', price: null } },
  { parameter: 'status', marketId: first, value: { status: 'settling', price: 10n ** 20n } },
  { parameter: 'margin', marketId: null, value: { initialMarginBps: 1000, maintenanceMarginBps: 500 } },
  { parameter: 'riskTiers', marketId: null, value: [] },
  {
    parameter: 'riskTiers',
    marketId: first,
    value: [{ aboveNotional: 5n, initialMarginBps: 2000, maintenanceMarginBps: 900 }],
  },
  { parameter: 'limits', marketId: first, value: { ...noMarketLimits, positionMax: 70n } },
  { parameter: 'fees', marketId: null, value: fees },
  { parameter: 'fees', marketId: null, value: { ...fees, treasury, treasuryShareBps: 20 } },
  { parameter: 'fees', marketId: null, value: null },
  {
    parameter: 'funding',
    marketId: null,
    value: { intervalSeconds: 3600, maxRateBps: 400, premiumIntervals: 8, referenceWeight: 30 },
  },
  { parameter: 'mark', marketId: null, value: { ...defaultClobParams.mark, impactNotional: 7n } },
  {
    parameter: 'oracle',
    marketId: null,
    value: {
      reportMaxAgeMs: 1,
      staleMs: 2,
      maxMoveBps: 3,
      resumeAfterMs: 4,
      resumeMoveBps: 5,
      resumeMs: 6,
      eventBps: 7,
      premiumMaxBps: 8,
      settlePerBlock: 9,
    },
  },
  { parameter: 'liquidationFeeBps', marketId: null, value: 5 },
  { parameter: 'insuranceSlippageBps', marketId: null, value: null },
  { parameter: 'autoLiquidatePerBlock', marketId: null, value: 3 },
  { parameter: 'minNotional', marketId: null, value: 1000n },
  { parameter: 'maxOpenOrders', marketId: null, value: 7 },
  { parameter: 'orderChangesPerBlock', marketId: null, value: 9 },
  { parameter: 'subAccountsMax', marketId: null, value: null },
  { parameter: 'admin', marketId: null, value: treasury },
];

describe('a change as text', () => {
  it('is there for every parameter', () => {
    expect(new Set(changes.map(({ parameter }) => parameter))).toEqual(new Set(parameterNames));
  });

  it.each(changes)('of $parameter is read back as the same change: $value', (change) => {
    expect(changeFromJson(JSON.parse(changeText(change)))).toEqual(change);
  });

  it('is one text, in whatever order the fields were written', () => {
    const { takerPpm, ...others } = fees;
    const text = changeText({ parameter: 'fees', marketId: null, value: { ...others, takerPpm } });
    expect(text).toBe(
      '{"parameter":"fees","value":{"takerPpm":300,"makerPpm":-50,"treasury":null,"treasuryShareBps":0}}',
    );
  });

  it('takes what genesis.json may leave out as genesis does', () => {
    const read = changeFromJson({ parameter: 'limits', market: 2, value: { positionMax: '9' } });
    expect(read).toEqual({ parameter: 'limits', marketId: 2, value: { ...noMarketLimits, positionMax: 9n } });
    const paid = changeFromJson({ parameter: 'fees', value: { takerPpm: 1, makerPpm: 0 } });
    expect(paid.value).toMatchObject({ treasury: null, treasuryShareBps: 0 });
  });

  it.each([
    [{ parameter: 'chainId', value: 5 }, /parameter is chainId: allowed is status, /],
    [{ parameter: 'fees', value: { takerPpm: 1, makerPpm: 0, takerppm: 2 } }, /fees has no takerppm: allowed is /],
    [{ parameter: 'maxOpenOrders', value: '7' }, /maxOpenOrders/],
    [{ parameter: 'status', market: 1, value: { status: 'open' } }, /trading \| post_only/],
    [{ parameter: 'minNotional', value: '1.5' }, /1\.5/],
  ])('is refused with what is allowed: %j', (json, words) => {
    expect(() => changeFromJson(json)).toThrow(words);
  });
});

import { describe, expect, it } from '@jest/globals';
import { payloadFromRlp, payloadToRlp } from '../actions/actionPayload.ts';
import { CodecError } from '../encoding/errors.ts';
import { defaultMarketDecimals, marketDecimalsMax } from './marketDecimals.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import type { ActionPayload } from '../types.ts';

const addMarket = (decimals: Partial<typeof defaultMarketDecimals>): ActionPayload => ({
  type: 'addMarket',
  symbol: 'A/B',
  tickSize: 1n,
  lotSize: 1n,
  ...defaultMarketDecimals,
  ...decimals,
});
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof CodecError) return error.detail.code;
    throw error;
  }
  return 'taken';
};

describe('decimals of a market in an action', () => {
  it.each(['baseDecimals', 'quoteDecimals'] as const)('%s is 0 to 36', (name) => {
    const taken = (decimals: number): string => codeOf(() => payloadToRlp(addMarket({ [name]: decimals })));
    expect([-1, 0, marketDecimalsMax, marketDecimalsMax + 1, 0.5].map(taken)).toEqual([
      'CODEC_FIELD_INVALID',
      'taken',
      'taken',
      'CODEC_FIELD_INVALID',
      'CODEC_FIELD_INVALID',
    ]);
  });

  it.each([
    ['without them', ['A/B', 1, 1]],
    ['with one of them', ['A/B', 1, 1, 18]],
    ['with more fields', ['A/B', 1, 1, 18, 18, 18]],
    ['with base decimals of 37', ['A/B', 1, 1, 37, 18]],
    ['with quote decimals of 37', ['A/B', 1, 1, 18, 37]],
  ])('bytes %s are refused', (_, fields) => {
    const bytes = encodeRlp(
      fields.map((field) => (typeof field === 'string' ? new TextEncoder().encode(field) : field)),
    );
    expect(codeOf(() => payloadFromRlp(11, decodeRlp(bytes)))).toBe('CODEC_FIELD_INVALID');
  });

  it('come back as they were', () => {
    const payload = addMarket({ baseDecimals: 0, quoteDecimals: 36 });
    expect(payloadFromRlp(11, decodeRlp(encodeRlp(payloadToRlp(payload))))).toEqual(payload);
  });

  it('leave a whole unit a possible size', () => {
    expect(10n ** BigInt(marketDecimalsMax)).toBeLessThan(1n << 128n);
  });
});

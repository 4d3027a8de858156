import { describe, expect, it } from '@jest/globals';
import { type ActionResult, encodeActionResult } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import { describeResult } from './result.ts';

const described = (result: ActionResult) =>
  describeResult(bytesToHex(encodeActionResult(result)) as `0x${string}`, new Map());

describe('what an action answered', () => {
  it('is told in words where it was done', () => {
    const value = { type: 'cancel', orderId: 7, remaining: 3n } as never;
    expect(described({ ok: true, value })).toEqual({ isDone: true, words: 'order 7 taken out', lines: [] });
  });

  it('is why it was refused, with the figures', () => {
    const data = { kind: 'tick', price: '0x7', tick_size: '0x5', nearest_below: '0x5', nearest_above: '0xa' };
    const error = { code: 'CLOB_PRICE_OFF_TICK', message: 'price is off', data };
    expect(described({ ok: false, error })).toEqual({
      isDone: false,
      words: 'Prices are multiples of 5, and 7 is none. The nearest are 5 and 10.',
      lines: [],
    });
  });

  it('has amounts in units that people read', () => {
    const data = { kind: 'insufficient_margin', required: '0xde0b6b3a7640000', free: '-0x1bc16d674ec80000' };
    const error = { code: 'CLOB_X', message: 'insufficient margin: required 0xd…', data };
    expect(described({ ok: false, error })).toEqual({
      isDone: false,
      words: expect.stringContaining('It needs 1 PRIME of margin, and −2 PRIME of the collateral are free'),
      lines: [],
    });
  });

  it('of a batch is told item by item', () => {
    const results: ActionResult[] = [
      { ok: true, value: { type: 'done' } },
      { ok: false, error: { code: 'CLOB_X', message: 'no', data: {} } },
    ];
    expect(described({ ok: true, value: { type: 'batch', results } })).toEqual({
      isDone: true,
      words: '1 of 2 items done',
      lines: ['1. done', '2. refused: no.'],
    });
  });

  it('is nothing where it cannot be read', () => {
    expect(describeResult('0x1234', new Map())).toBeNull();
  });
});

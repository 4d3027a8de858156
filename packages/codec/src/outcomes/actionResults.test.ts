import { describe, expect, it } from '@jest/globals';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import { type ActionResult, decodeActionResult, encodeActionResult, isEncodedSuccess } from './actionResults.ts';

const refusal = (data: Extract<ActionResult, { readonly ok: false }>['error']['data']): ActionResult => ({
  ok: false,
  error: { code: 'CLOB_UNKNOWN_MARKET', message: 'unknown market 7', data },
});
const twice = (result: ActionResult): ActionResult => decodeActionResult(encodeActionResult(result));
/** A refusal with this as the encoding of its data. */
const raw = (data: RlpValue): Uint8Array => encodeRlp([0, text('CODE'), text('words'), data]);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('results of actions', () => {
  it('a success and a refusal are told apart by their first byte', () => {
    const done: ActionResult = { ok: true, value: { type: 'done' } };
    expect([done, refusal({})].map((result) => isEncodedSuccess(encodeActionResult(result)))).toEqual([true, false]);
    expect(twice(done)).toEqual(done);
  });

  it('a batch holds results, also refusals', () => {
    const batch: ActionResult = {
      ok: true,
      value: { type: 'batch', results: [refusal({}), { ok: true, value: { type: 'done' } }] },
    };
    expect(twice(batch)).toEqual(batch);
  });

  it('data of a refusal are text, safe integers and null, in order of their keys', () => {
    const data = { b: null, a: 'text', d: -Number.MAX_SAFE_INTEGER, c: Number.MAX_SAFE_INTEGER, e: 0 };
    expect(twice(refusal(data))).toEqual(refusal(data));
    expect(encodeActionResult(refusal({ a: 1, b: 2 }))).toEqual(encodeActionResult(refusal({ b: 2, a: 1 })));
  });

  it.each([1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN])('data can not hold %d', (value) => {
    expect(() => encodeActionResult(refusal({ value }))).toThrow('expected a safe integer');
  });

  it.each<readonly [string, RlpValue, string]>([
    [
      'the same key twice',
      [
        [text('a'), []],
        [text('a'), []],
      ],
      'keys are not ascending',
    ],
    [
      'keys in another order',
      [
        [text('b'), []],
        [text('a'), []],
      ],
      'keys are not ascending',
    ],
    ['a datum of one field', [[text('a'), [1]]], 'expected 2 fields, got 1'],
    ['a datum of three', [[text('a'), [1, text('x'), 1]]], 'expected 2 fields, got 3'],
    ['kind 0', [[text('a'), [0, text('x')]]], 'expected an integer 1..2'],
    ['kind 3', [[text('a'), [3, text('x')]]], 'expected an integer 1..2'],
  ])('%s is refused', (_what, data, words) => {
    expect(() => decodeActionResult(raw(data))).toThrow(words);
  });

  it.each<readonly [string, RlpValue]>([
    ['nothing', []],
    ['a success of no kind', [1]],
    ['a success of kind 0', [1, 0]],
    ['something between success and refusal', [2, 1]],
    ['a field too many', [0, text('CODE'), text('words'), [], 1]],
  ])('%s is no result', (_what, value) => {
    expect(() => decodeActionResult(encodeRlp(value))).toThrow(
      expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }),
    );
  });

  it.each([
    [1023, true],
    [1024, true],
    [1025, false],
  ])('words have at most 1024 bytes: %d', (length, isTaken) => {
    const result: ActionResult = { ok: false, error: { code: 'X', message: 'x'.repeat(length), data: {} } };
    if (isTaken) expect(twice(result)).toEqual(result);
    else expect(() => encodeActionResult(result)).toThrow('expected at most 1024 bytes');
  });
});

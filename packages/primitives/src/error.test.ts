import { describe, expect, it } from '@jest/globals';
import {
  assert,
  errorFromObject,
  InvariantError,
  isPrimeError,
  PrimeError,
  toErrorObject,
  unreachable,
} from './error.ts';

class SampleError extends PrimeError<{ readonly code: 'SAMPLE_WRONG'; readonly value: bigint }> {}
const sample = (): SampleError => new SampleError('7 is wrong', { code: 'SAMPLE_WRONG', value: 7n });

describe('PrimeError', () => {
  it('has a code, the data that explain it, the name of its class and its cause', () => {
    const cause = new Error('why');
    const error = new SampleError('7 is wrong', { code: 'SAMPLE_WRONG', value: 7n }, { cause });
    expect(error).toMatchObject({ code: 'SAMPLE_WRONG', detail: { value: 7n }, name: 'SampleError', cause });
    expect(isPrimeError(error)).toBe(true);
  });

  it('crosses a thread as an object and is one again on the other side', () => {
    const rebuilt = errorFromObject(structuredClone(toErrorObject(sample())));
    expect(isPrimeError(rebuilt)).toBe(true);
    expect(rebuilt).toMatchObject({ code: 'SAMPLE_WRONG', message: '7 is wrong', detail: { value: 7n } });
  });

  it('anything else that is thrown becomes INTERNAL and keeps its words', () => {
    expect(toErrorObject(new TypeError('no'))).toEqual({
      code: 'INTERNAL',
      message: 'no',
      detail: { code: 'INTERNAL' },
    });
    expect(toErrorObject({ message: 'of another realm' }).message).toBe('of another realm');
    for (const thrown of ['text', 7, null, undefined]) {
      expect(isPrimeError(thrown)).toBe(false);
      expect(toErrorObject(thrown)).toMatchObject({ code: 'INTERNAL', message: String(thrown) });
    }
  });
});

describe('invariants', () => {
  it('assert lets pass what holds and throws for the rest', () => {
    expect(() => assert(1, 'fine')).not.toThrow();
    for (const wrong of [false, 0, '', null, undefined])
      expect(() => assert(wrong, 'broken')).toThrow(expect.objectContaining({ code: 'INVARIANT_BROKEN' }));
  });

  it('a value that the types exclude is a broken invariant', () => {
    expect(() => unreachable('x' as never)).toThrow(InvariantError);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ExactNumber, keepExactIds } from './exactIds.ts';

/** The ids of a body, those that were kept as text. */
function idsOf(body: string): unknown[] {
  const value: unknown = JSON.parse(body);
  keepExactIds(value, body);
  return [value].flat().map((request) => {
    const { id } = (request ?? {}) as { id?: unknown };
    return id instanceof ExactNumber ? id.text : id;
  });
}

describe('ids that a number does not hold', () => {
  it.each([
    ['{"id":9007199254740991}', 9_007_199_254_740_991],
    ['{"id":9007199254740992}', '9007199254740992'],
    ['{"id":9007199254740993}', '9007199254740993'],
    ['{"id":-18446744073709551615}', '-18446744073709551615'],
    ['{"id":1e400}', '1e400'],
    ['{"id":1.50}', '1.50'],
    ['{"id":12345678901234567890,"id":7}', 7],
    ['{"id":7,"id":12345678901234567890}', '12345678901234567890'],
    [' { "id" : 12345678901234567890 , "method" : "x" } ', '12345678901234567890'],
    ['{"params":[{"id":1,"a":"]}\\"{"}],"\\u0069d":12345678901234567890}', '12345678901234567890'],
    ['{"params":{"id":12345678901234567890},"id":"x"}', 'x'],
    ['{"id":"12345678901234567890"}', '12345678901234567890'],
    ['{"id":null}', null],
    ['12345678901234567890', undefined],
  ])('%s', (body, id) => {
    expect(idsOf(body)).toEqual([id]);
  });

  it('each item of a batch keeps its own', () => {
    const body =
      '[{"id":1},"id", 12345678901234567890 ,{"id":12345678901234567891},{},{"x":[],"id":12345678901234567892}]';
    const [first, , , second, , third] = idsOf(body);
    expect([first, second, third]).toEqual([1, '12345678901234567891', '12345678901234567892']);
  });
});

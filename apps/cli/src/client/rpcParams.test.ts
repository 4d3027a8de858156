import { describe, expect, it } from '@jest/globals';
import { definitions } from '@prime/rpc';
import { nearestNames, toParameter } from './rpcParams.ts';

const schemaOf = (method: string, index: number): object =>
  definitions.find(({ name }) => name === method)!.params[index]!.type.schema;

describe('a word as a parameter', () => {
  it.each([
    ['latest', 'latest'],
    ['0x1f', '0x1f'],
    ['true', true],
    ['null', null],
    ['{"to":"0x1"}', { to: '0x1' }],
    ['[1,"a"]', [1, 'a']],
    ['"12"', '12'],
  ])('%s', (word, expected) => {
    expect(toParameter(word, 'p', null)).toEqual(expected);
    expect(toParameter(word, 'p', schemaOf('eth_getBalance', 1))).toEqual(expected);
  });

  it('a whole number is what the method takes: a number, or a hex quantity', () => {
    expect(toParameter('2', 'market', schemaOf('primeorders_getTrades', 0))).toBe(2);
    expect(toParameter('500', 'timeout', schemaOf('primeorders_depositCollateral', 1))).toBe('0x1f4');
    expect(toParameter('12345678901234567890123', 'amount', schemaOf('primeorders_depositCollateral', 1))).toBe(
      '0x29d42b64e76714244cb',
    );
  });

  it('of an unknown method it is a number, while a number holds it', () => {
    expect(toParameter('9007199254740991', 'p', null)).toBe(9_007_199_254_740_991);
    expect(toParameter('9007199254740992', 'p', null)).toBe('0x20000000000000');
  });

  it('broken JSON: CLI_USAGE names the parameter', () => {
    expect(() => toParameter('{"to": 1', 'transaction', null)).toThrow(
      expect.objectContaining({ code: 'CLI_USAGE', message: expect.stringContaining('transaction looks like JSON') }),
    );
  });
});

describe('names that may be meant', () => {
  const names = definitions.map(({ name }) => name);
  it.each([
    ['eth_getBalanc', 'eth_getBalance'],
    ['getBalance', 'eth_getBalance'],
    ['primeorders_getorderbook', 'primeorders_getOrderBook'],
  ])('%s: first %s', (typed, expected) => {
    expect(nearestNames(typed, names)[0]).toBe(expected);
  });

  it('none for what is like nothing', () => {
    expect(nearestNames('xyzzyplughxyzzy', names)).toEqual([]);
  });
});

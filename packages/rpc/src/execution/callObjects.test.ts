import { describe, expect, it } from '@jest/globals';
import { call } from '../methods/eth/execute/call.ts';
import { sendTransaction } from '../methods/eth/submit/sendTransaction.ts';
import { sample } from '../schema/samples.ts';
import { parseParams } from '../schema/validate.ts';
import type { CallArguments } from './callObjects.ts';

const parse = (wire: object): CallArguments => parseParams(call, [wire])[0] as CallArguments;
/** What is wrong with a call object; null where nothing is. */
function refusalOf(wire: object, definition = call): string | null {
  try {
    parseParams(definition, [wire]);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
const word = (digits: number): string => `0x${'f'.repeat(digits)}`;
const authorization = { chainId: '0x1', address: sample.address, nonce: '0x0', yParity: '0x1', r: '0x01', s: '0x02' };

describe('call objects', () => {
  it('what is left out or null is null, and the value 0', () => {
    const expected = {
      from: null,
      to: null,
      gas: null,
      gasPrice: null,
      nonce: null,
      value: 0n,
      data: '0x',
      accessList: null,
    };
    expect(parse({})).toMatchObject(expected);
    expect(parse({ from: null, to: null, gas: null, value: null, data: null, nonce: null })).toMatchObject(expected);
  });

  it('have their bytes in data, in input, or in both alike', () => {
    expect(['data', 'input'].map((name) => parse({ [name]: '0xAB' }).data)).toEqual(['0xab', '0xab']);
    expect(parse({ data: '0xAB', input: '0xab' }).data).toBe('0xab');
    expect(refusalOf({ data: '0xab', input: '0xac' })).toMatch('has both "data" and "input" and they differ');
  });

  it.each([
    ['gas', 16],
    ['nonce', 16],
    ['value', 64],
    ['gasPrice', 64],
    ['chainId', 64],
  ])('%s has %d digits at most, and no leading zero', (name, digits) => {
    expect([digits - 1, digits, digits + 1].map((count) => refusalOf({ [name]: word(count) }) === null)).toEqual([
      true,
      true,
      false,
    ]);
    expect([refusalOf({ [name]: '0x00' }), refusalOf({ [name]: '' })]).not.toContain(null);
  });

  it.each(['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas'])('%s belongs to blobs: refused unless null', (name) => {
    expect(refusalOf({ [name]: [] })).toMatch('belongs to blob transactions');
    expect(refusalOf({ [name]: null })).toBeNull();
  });

  it('have one kind of price, and a tip of at most the fee', () => {
    for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'])
      expect(refusalOf({ gasPrice: '0x1', [name]: '0x1' })).toMatch('has both gasPrice and');
    const tips = ['0x4', '0x5', '0x6'].map((maxPriorityFeePerGas) =>
      refusalOf({ maxFeePerGas: '0x5', maxPriorityFeePerGas }),
    );
    expect(tips).toEqual([null, null, expect.stringContaining('maxFeePerGas (5) < maxPriorityFeePerGas (6)')]);
  });

  it('have authorizations or leave them out; v stands in for yParity', () => {
    const { yParity: _, ...without } = authorization;
    expect(parse({ authorizationList: [authorization, { ...without, v: '0x1' }] }).authorizationList).toEqual(
      Array.from({ length: 2 }, () => ({ chainId: 1n, address: sample.address, nonce: 0n, yParity: 1n, r: 1n, s: 2n })),
    );
    expect(refusalOf({ from: sample.address, authorizationList: [] })).toBe(
      `EIP-7702 transaction with empty auth list (sender ${sample.address})`,
    );
  });

  it('of a transaction to send have a sender', () => {
    expect(refusalOf({ from: sample.address }, sendTransaction)).toBeNull();
    for (const wire of [{}, { from: null }]) expect(refusalOf(wire, sendTransaction)).not.toBeNull();
  });
});

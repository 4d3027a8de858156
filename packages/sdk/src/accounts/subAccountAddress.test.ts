import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { concat, keccak256, numberToHex, slice, stringToHex } from 'viem';
import { subAccountAddress } from './subAccountAddress.ts';
import type { Address } from '../types/primitives.ts';

const url = new URL('../../../codec/testdata/subAccounts.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(url, 'utf8')) as {
  readonly vectors: readonly { readonly owner: Address; readonly index: number; readonly address: Address }[];
};

describe('subAccountAddress', () => {
  it.each(vectors)('of $owner, $index', ({ owner, index, address }) => {
    expect(subAccountAddress(owner, index)).toBe(address);
    const hashed = concat([stringToHex('prime-subaccount'), owner, numberToHex(index, { size: 4 })]);
    expect(slice(keccak256(hashed), 12)).toBe(address);
  });

  it('takes an address in any case', () => {
    const { owner, index, address } = vectors[0]!;
    expect(subAccountAddress(owner.toUpperCase().replace('0X', '0x') as Address, index)).toBe(address);
  });

  it.each([0, 4_294_967_296, 1.5, Number.NaN])('is none of number %p', (index) => {
    expect(() => subAccountAddress(vectors[0]!.owner, index)).toThrow(
      expect.objectContaining({ shortMessage: expect.stringContaining('1 to 4294967295') }),
    );
  });

  it('is none of half an address', () => {
    expect(() => subAccountAddress('0x12', 1)).toThrow(/owner/);
  });
});

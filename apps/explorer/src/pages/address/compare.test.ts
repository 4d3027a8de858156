import { describe, expect, it } from '@jest/globals';
import type { Position } from '@prime/sdk';
import { compareAccount, isSameShown } from './compare.ts';

const address = `0x${'1'.repeat(40)}` as const;
const position = (marketId: number, size: bigint): Position => ({ marketId, size, entry: 10n, unrealized: null });
const shown = { collateral: 5n, locked: true, positions: [position(1, 2n)] };
const record = { address, collateral: 5n, locked: true, positions: [{ marketId: 1, size: 2n, entry: 10n }] };
const differences = (...parameters: Parameters<typeof compareAccount>): string[] =>
  compareAccount(...parameters)
    .filter(({ isSame }) => !isSame)
    .map(({ name, marketId }) => `${name} ${marketId}`);

describe('what a node shows of an account, beside what is proven', () => {
  it('is the same where it is', () => {
    expect(differences(record, shown)).toEqual([]);
    expect(differences(null, { collateral: 0n, locked: false, positions: [] })).toEqual([]);
  });

  it('differs in each of its parts', () => {
    expect(differences({ ...record, collateral: 6n }, shown)).toEqual(['Collateral null']);
    expect(differences(record, { ...shown, locked: false })).toEqual(['Locked null']);
    expect(differences(record, { ...shown, positions: [position(1, -2n)] })).toEqual(['Position 1']);
    expect(differences(record, { ...shown, positions: [] })).toEqual(['Position 1', 'Opened for 1']);
    expect(differences(null, shown)).toEqual(['Collateral null', 'Locked null', 'Position 1', 'Opened for 1']);
  });

  it('is known not to have changed between two answers', () => {
    expect(isSameShown(shown, { ...shown, positions: [position(1, 2n)] })).toBe(true);
    expect(isSameShown(shown, { ...shown, collateral: 1n })).toBe(false);
    expect(isSameShown(shown, { ...shown, positions: [position(2, 2n)] })).toBe(false);
    expect(isSameShown(shown, { ...shown, positions: [] })).toBe(false);
  });
});

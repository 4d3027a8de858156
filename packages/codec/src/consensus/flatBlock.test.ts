import { describe, expect, it } from '@jest/globals';
import { address, hash } from '../testing/arbitraries.ts';
import fc from 'fast-check';
import { decodeVerifiedFields, encodeVerifiedFields, executableBlock, flatBlock } from './flatBlock.ts';
import type { ExecutableBlock } from './pipelineTypes.ts';
import type { VerifiedAction, VerifiedTransaction } from '../types.ts';

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, (1n << 64n) - 1n, 1n << 64n, (1n << 256n) - 1n),
  fc.bigInt(0n, (1n << 256n) - 1n),
);
const transaction: fc.Arbitrary<VerifiedTransaction> = fc
  .record({
    raw: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    hash: hash,
    type: fc.constantFrom(0, 1, 2, 4),
    sender: address,
    nonce: fc.maxSafeNat(),
    gasLimit: amount,
    maxFeePerGas: amount,
    maxPriorityFeePerGas: amount,
    value: amount,
    to: fc.option(address),
    authorities: fc.oneof(fc.constant(null), fc.array(address, { maxLength: 64 })),
  })
  .map(({ authorities, ...fields }) => (authorities === null ? fields : { ...fields, authorities }));

describe('verified transactions between threads', () => {
  it('come out as they went in, whatever their amounts and authorities', () => {
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 8 }), (transactions) => {
        const raws = transactions.map(({ raw }) => raw);
        expect(decodeVerifiedFields(encodeVerifiedFields(transactions), raws)).toEqual(transactions);
      }),
      { numRuns: 200 },
    );
  });

  it('64 authorities and none of them are told apart from no list', () => {
    const [base] = fc.sample(transaction, { numRuns: 1, seed: 1 }) as [VerifiedTransaction];
    const { authorities: _, ...plain } = base;
    for (const authorities of [[], [base.sender], Array.from({ length: 64 }, () => base.sender)]) {
      const [back] = decodeVerifiedFields(encodeVerifiedFields([{ ...plain, authorities }]), [base.raw]);
      expect(back).toEqual({ ...plain, authorities });
    }
    expect(decodeVerifiedFields(encodeVerifiedFields([plain]), [base.raw])[0]).not.toHaveProperty('authorities');
  });
});

describe('a block between threads', () => {
  it('is whole again, and holds the bytes of each transaction once', () => {
    fc.assert(
      fc.property(
        fc.array(transaction, { maxLength: 5 }),
        fc.array(fc.uint8Array({ maxLength: 80 })),
        (transactions, raws) => {
          const actions = raws.map((raw) => ({ raw }) as VerifiedAction);
          const block = {
            header: { height: 3 },
            transactions: transactions.map(({ raw }) => raw),
            actions: raws,
            evidence: [],
            lastCommit: null,
          };
          const executable = { hash: '0x01', block, transactions, actions } as unknown as ExecutableBlock;
          const flat = flatBlock(executable);
          expect(executableBlock(flat)).toEqual(executable);
          const total = transactions.reduce((sum, { raw }) => sum + raw.length, 0);
          expect(flat.transactions.raws.length).toBe(4 + transactions.length * 4 + total);
          expect(flat.block).not.toHaveProperty('transactions');
        },
      ),
      { numRuns: 100 },
    );
  });
});

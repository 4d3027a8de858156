import { describe, expect, it } from '@jest/globals';
import { address, hash } from '../testing/arbitraries.ts';
import fc from 'fast-check';
import {
  decodeVerifiedFields,
  encodeVerifiedFields,
  executableBlock,
  flatActions,
  flatBlock,
  openActions,
} from './flatBlock.ts';
import { encodeNativeTransaction, verifiedAction } from '../actions/nativeTransaction.ts';
import type { ExecutableBlock } from './pipelineTypes.ts';
import type { ActionPayload, VerifiedAction, VerifiedTransaction } from '../types.ts';

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

const payload: fc.Arbitrary<ActionPayload> = fc.oneof(
  fc.constantFrom<ActionPayload>(
    { type: 'cancelAll', marketId: null },
    { type: 'deposit', amount: 1n },
    { type: 'validatorBond', amount: (1n << 256n) - 1n },
  ),
  fc.record({ type: fc.constant('withdraw' as const), to: address, amount: fc.bigInt(1n, 1n << 90n) }),
  fc.record({
    type: fc.constant('approveAgent' as const),
    agent: address,
    expiry: fc.nat(),
    permissions: fc.nat(7),
    name: fc.constant('a'),
  }),
);
const action: fc.Arbitrary<VerifiedAction> = fc
  .record({
    signer: address,
    agentOf: fc.option(address),
    nonce: fc.maxSafeNat(),
    payload: fc.oneof(
      payload,
      fc.array(payload, { maxLength: 100 }).map((items) => ({ type: 'batch' as const, items })),
    ),
  })
  .map(({ signer, agentOf, ...fields }) => {
    const account = agentOf ?? signer;
    const rest = { chainId: 7919, expiresAt: 0, signatureKind: 'raw', signature: new Uint8Array(65) } as const;
    const transaction = { ...rest, ...fields, account };
    return verifiedAction(encodeNativeTransaction(transaction), signer, transaction);
  });

/** With what is decoded when somebody asks. */
const fieldsOf = (actions: readonly VerifiedAction[]): VerifiedAction[] =>
  actions.map(({ transaction: opened, ...action }) => {
    const { chainId, nonce, expiresAt, account, payload: does, signatureKind, signature } = opened;
    return { ...action, transaction: { chainId, nonce, expiresAt, account, payload: does, signatureKind, signature } };
  });

describe('verified actions between threads', () => {
  it('come out as they went in, with whom they name and whether they lower risk', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 6 }), (actions) => {
        expect(fieldsOf(openActions(flatActions(actions)))).toEqual(actions);
      }),
      { numRuns: 200 },
    );
  });
});

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
        fc.array(action, { maxLength: 5 }),
        (transactions, actions) => {
          const block = {
            header: { height: 3 },
            transactions: transactions.map(({ raw }) => raw),
            actions: actions.map(({ raw }) => raw),
            evidence: [],
            lastCommit: null,
          };
          const executable = { hash: '0x01', block, transactions, actions } as unknown as ExecutableBlock;
          const flat = flatBlock(executable);
          const whole = executableBlock(flat);
          expect({ ...whole, actions: fieldsOf(whole.actions) }).toEqual(executable);
          const total = transactions.reduce((sum, { raw }) => sum + raw.length, 0);
          expect(flat.transactions.raws.length).toBe(4 + transactions.length * 4 + total);
          expect(flat.block).not.toHaveProperty('transactions');
        },
      ),
      { numRuns: 100 },
    );
  });
});

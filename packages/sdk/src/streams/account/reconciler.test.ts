import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alice, bob } from '../../testing/node/events.ts';
import type { DomainEventOf } from '../domainEvents.ts';
import { createLedger, type Ledger, stepLedger } from './ledger.ts';
import { Reconciler } from './reconciler.ts';

const followed = { address: alice, treasury: null };
const positionOf = (height: number) => ({
  blockNumber: BigInt(height),
  blockHash: '0x00' as const,
  timeMs: height * 1_000,
});

/** A transfer to alice, of a block. */
const transfer = (height: number, amount: bigint): DomainEventOf => ({
  ...positionOf(height),
  index: 0,
  domain: 'orders',
  kind: 'collateral_transferred',
  transactionHash: null,
  ticket: null,
  data: { from: bob, to: alice, amount },
});
const withMoney = (height: number, collateral: bigint): Ledger => createLedger(BigInt(height), collateral, [], []);

describe('a comparison with the chain', () => {
  it('agrees whatever blocks come before and after the answer, and corrects what was wrong from the start', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 9n }), { minLength: 1, maxLength: 10 });
    const property = fc.property(
      amounts,
      fc.nat(10),
      fc.nat(10),
      fc.bigInt({ min: -3n, max: 3n }),
      (money, askedAt, answeredAfter, error) => {
        const { length } = money;
        const at = Math.min(askedAt, length);
        const sumTo = (height: number): bigint => money.slice(0, height).reduce((sum, amount) => sum + amount, 0n);
        // Asked at 0, the chain answers as of `at`, which comes after `told` blocks.
        const told = Math.min(answeredAfter, length);
        const reconciler = new Reconciler(withMoney(0, error), followed);
        let answered = false;
        for (let height = 0; height <= length; height++) {
          if (height > 0 && money[height - 1] !== 0n)
            reconciler.take(positionOf(height), [transfer(height, money[height - 1]!)]);
          if (height >= told && !answered) {
            answered = true;
            reconciler.answer(withMoney(at, sumTo(at)));
          }
          const found = reconciler.check(BigInt(height));
          if (!answered) expect(found.kind).toBe('wait');
          else if (error === 0n && height >= at) expect(found).toEqual({ kind: 'agreed' });
          else if (height >= at) {
            const differences = [{ what: 'collateral', local: sumTo(at) + error, chain: sumTo(at) }];
            expect(found).toMatchObject({ kind: 'corrected', differences, ledger: { collateral: sumTo(height) } });
          }
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
    expect.hasAssertions();
  });

  it('waits for what the stream did not tell yet: a node shows a block before it tells of it', () => {
    const reconciler = new Reconciler(withMoney(1, 5n), followed);
    reconciler.answer(withMoney(2, 8n));
    expect(reconciler.check(1n)).toEqual({ kind: 'wait' });
    reconciler.take(positionOf(2), [transfer(2, 3n)]);
    expect(reconciler.check(2n)).toEqual({ kind: 'agreed' });
  });

  it('does not take a ledger for another one that a step made of it', () => {
    const ledger = withMoney(1, 5n);
    stepLedger(ledger, [transfer(2, 3n)], positionOf(2), followed);
    expect(ledger.collateral).toBe(5n);
  });
});

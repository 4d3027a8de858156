import { type EncodedOutcome, isAtRest, outcomeAtRest } from '@prime/clob';
import type { ClobPort } from '../ports.ts';

/**
 * An order book that is not asked about blocks that it would do nothing in: it has a thread of its own, and waking it costs more than
 * such a block.
 *
 * It stands at the last block that it was asked about, and its records, root and proofs are those of the head.
 */
export function restingClob(clob: ClobPort): ClobPort {
  /** Of the newest committed block that the order book carried out; null before the first. */
  let last: Pick<EncodedOutcome, 'ordersRoot' | 'escrow' | 'rest'> | null = null;
  /** What the order book has pending; null when the pending block is at rest. */
  let pending: EncodedOutcome | null = null;
  return {
    ...clob,
    async execute(block) {
      pending = null;
      if (last !== null && last.rest !== null && isAtRest(last.rest, block)) return outcomeAtRest(last);
      pending = await clob.execute(block);
      return pending;
    },
    async commit() {
      if (pending === null) return;
      const { ordersRoot, escrow, rest } = pending;
      last = { ordersRoot, escrow, rest };
      pending = null;
      await clob.commit();
    },
    async rollback() {
      if (pending === null) return;
      pending = null;
      await clob.rollback();
    },
  };
}

import { transactionTypes } from '@prime/codec';
import type { Verifier } from '@prime/engine';
import type { SignatureChecks } from './signatureChecks.ts';

/**
 * Checks of this thread in a row at most. One takes some 0.1 ms, so that what consensus waits for is below a millisecond.
 */
const burstMax = 8;
/** Checks of this thread in a second at most, a twentieth of its time. */
const perSecond = 500;
/** Longer ones take longer: to hash, and for the signatures that a transaction of type 4 may hold. */
const bytesMax = 4_096;

const isCheap = (raw: Uint8Array): boolean => raw.length <= bytesMax && raw[0] !== transactionTypes.setCode;

/**
 * Checks few signatures in the calling thread and leaves floods to the pool. To hand a lone transaction to another thread and to take the
 * answer costs the caller more than to check it, and the two threads together three times as much.
 *
 * @param here the same checks, in this thread @param nowMs of a clock that does not jump
 */
export function withChecksHere<Pool extends Verifier>(pool: Pool, here: SignatureChecks, nowMs: () => number): Pool {
  let allowance = burstMax;
  let filledMs = nowMs();
  const mayTake = (raws: readonly Uint8Array[]): boolean => {
    if (raws.length > burstMax || !raws.every(isCheap)) return false;
    const now = nowMs();
    allowance = Math.min(burstMax, allowance + ((now - filledMs) * perSecond) / 1_000);
    filledMs = now;
    if (allowance < raws.length) return false;
    allowance -= raws.length;
    return true;
  };
  return {
    ...pool,
    transactions: async (raws) => (mayTake(raws) ? here.transactions(raws) : pool.transactions(raws)),
    actions: async (raws) => (mayTake(raws) ? here.actions(raws) : pool.actions(raws)),
  };
}

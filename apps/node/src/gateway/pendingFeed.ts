import type { VerifiedTransaction } from '@prime/codec';
import type { PendingBatch, PendingDetail, PendingTransaction } from '@prime/gateway';

/** Tells the gateway, while it listens, which transactions become executable in the mempool. */
export interface PendingFeed {
  add(transaction: VerifiedTransaction): void;
  listen(detail: PendingDetail): void;
}

/**
 * One message for all transactions of a turn of the event loop.
 *
 * @param send throws when there is no room; then the next message says how many are missing
 */
export function createPendingFeed(send: (batch: PendingBatch) => void): PendingFeed {
  let detail: PendingDetail = 'none';
  let waiting: PendingTransaction[] = [];
  let missed = 0;
  const flush = (): void => {
    const transactions = waiting;
    waiting = [];
    if (detail === 'none') return;
    try {
      send({ missed, transactions });
      missed = 0;
    } catch {
      // The gateway is behind or gone; consensus does not wait for it.
      missed += transactions.length;
    }
  };
  return {
    add({ hash, raw, sender }) {
      if (detail === 'none') return;
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ hash, transaction: detail === 'full' ? { raw, sender } : null });
    },
    listen(wanted) {
      if (wanted === 'none') missed = 0;
      detail = wanted;
    },
  };
}

import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import type { PendingBatch } from '@prime/gateway';
import type { Address, Hash } from '@prime/primitives';
import { createPendingFeed } from './pendingFeed.ts';

const sender = `0x${'a1'.repeat(20)}` as Address;
const hash = (index: number): Hash => `0x${index.toString(16).padStart(64, '0')}` as Hash;
const transaction = (index: number): VerifiedTransaction =>
  ({ hash: hash(index), raw: Uint8Array.of(index), sender }) as Partial<VerifiedTransaction> as VerifiedTransaction;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the feed of pending transactions', () => {
  it('is silent until somebody listens, and again when nobody does', async () => {
    const sent: PendingBatch[] = [];
    const feed = createPendingFeed((batch) => sent.push(batch));
    feed.add(transaction(1));
    feed.listen('hashes');
    feed.add(transaction(2));
    feed.add(transaction(3));
    await turn();
    feed.listen('full');
    feed.add(transaction(4));
    await turn();
    feed.add(transaction(5));
    feed.listen('none');
    await turn();
    expect(sent).toEqual([
      { missed: 0, transactions: [2, 3].map((index) => ({ hash: hash(index), transaction: null })) },
      { missed: 0, transactions: [{ hash: hash(4), transaction: { raw: Uint8Array.of(4), sender } }] },
    ]);
  });

  it('tells with the next message how many were lost for want of room', async () => {
    const sent: PendingBatch[] = [];
    let full = true;
    const feed = createPendingFeed((batch) => {
      if (full) throw new Error('full');
      sent.push(batch);
    });
    feed.listen('hashes');
    for (const index of [1, 2]) feed.add(transaction(index));
    await turn();
    full = false;
    feed.add(transaction(3));
    await turn();
    feed.add(transaction(4));
    await turn();
    expect(sent.map(({ missed, transactions }) => [missed, transactions.length])).toEqual([
      [2, 1],
      [0, 1],
    ]);
  });
});

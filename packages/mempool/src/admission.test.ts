import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { checkAlone, checkDelegation, checkFunds, checkReplacement, checkRoom } from './admission.ts';
import { defaultMempoolLimits, type MempoolLimits } from './options.ts';
import { countPending, createSenderQueue, type Entry, type SenderQueue } from './senderQueue.ts';
import { alice, bob, transaction } from './testing/entries.ts';

const entryOf = (fields: Partial<VerifiedTransaction> = {}, cost = 10n): Entry => ({
  transaction: transaction(fields),
  cost,
  arrival: 0,
  local: false,
  announced: false,
  call: null,
  work: 0,
  level: null,
});

/** A queue of the account with nonce 5 that waits with these nonces, at a cost of 10 each. */
function queueOf(nonces: readonly number[], account: { balance?: bigint; delegated?: boolean } = {}): SenderQueue {
  const queue = createSenderQueue(alice, { nonce: 5, balance: 100n, ...account });
  queue.entries.push(...nonces.map((nonce) => entryOf({ nonce })));
  queue.pendingCount = countPending(queue);
  queue.cost = 10n * BigInt(nonces.length);
  return queue;
}

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}
const limits = (changes: Partial<MempoolLimits> = {}): MempoolLimits => ({ ...defaultMempoolLimits, ...changes });

describe('a transaction alone', () => {
  const check = (fields: Partial<VerifiedTransaction>, changes: Partial<MempoolLimits> = {}): string | null =>
    codeOf(() =>
      checkAlone(transaction({ nonce: 5, ...fields }), { nonce: 5, balance: 0n }, limits(changes), 1_000_000n),
    );

  it.each<readonly [string, readonly (string | null)[], string | null]>([
    [
      'size',
      [109, 110, 111].map((size) => check({ raw: new Uint8Array(size) }, { transactionSizeMax: 110 })),
      'MEMPOOL_OVERSIZED',
    ],
    ['gas', [999_999n, 1_000_000n, 1_000_001n].map((gasLimit) => check({ gasLimit })), 'MEMPOOL_GAS_LIMIT'],
    [
      'tip',
      [9n, 10n, 11n].map((maxPriorityFeePerGas) => check({ maxFeePerGas: 10n, maxPriorityFeePerGas })),
      'MEMPOOL_TIP_ABOVE_FEE_CAP',
    ],
    [
      'least tip',
      [4n, 3n, 2n].map((maxPriorityFeePerGas) => check({ maxPriorityFeePerGas }, { tipMin: 3n })),
      'MEMPOOL_TIP_TOO_LOW',
    ],
    ['nonce', [6, 5, 4].map((nonce) => check({ nonce })), 'MEMPOOL_NONCE_TOO_LOW'],
  ])('%s: within, at and beyond the bound', (_what, found, code) => {
    expect(found).toEqual([null, null, code]);
  });
});

describe('funds', () => {
  it.each([
    [79n, null],
    [80n, null],
    [81n, 'MEMPOOL_INSUFFICIENT_FUNDS'],
  ])('of 100 pay 20 that wait and %d more', (cost, code) => {
    expect(codeOf(() => checkFunds(queueOf([5, 6]), entryOf({}, cost), null))).toBe(code);
  });

  it('what is replaced need not be paid', () => {
    const queue = queueOf([5, 6]);
    expect(codeOf(() => checkFunds(queue, entryOf({}, 90n), queue.entries[0]!))).toBeNull();
    expect(codeOf(() => checkFunds(queue, entryOf({}, 91n), queue.entries[0]!))).toBe('MEMPOOL_INSUFFICIENT_FUNDS');
  });
});

describe('a replacement', () => {
  const old = entryOf({ maxFeePerGas: 100n, maxPriorityFeePerGas: 10n });
  it.each([
    [110n, 11n, true],
    [109n, 11n, false],
    [110n, 10n, false],
    [200n, 20n, true],
  ])('of fees 100 and 10 has %d and %d: %s', (maxFeePerGas, maxPriorityFeePerGas, isTaken) => {
    const next = transaction({ maxFeePerGas, maxPriorityFeePerGas });
    const code = codeOf(() => checkReplacement(next, old, limits({ priceBumpPercent: 10 })));
    expect(code).toBe(isTaken ? null : 'MEMPOOL_REPLACEMENT_UNDERPRICED');
  });

  it('of no fee at all has to pay something, though a tenth of nothing is nothing', () => {
    const free = entryOf({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
    const again = transaction({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
    expect(codeOf(() => checkReplacement(again, free, limits()))).toBe('MEMPOOL_REPLACEMENT_UNDERPRICED');
  });
});

describe('room', () => {
  it.each([
    [3, null],
    [2, 'MEMPOOL_ACCOUNT_LIMIT'],
    [1, 'MEMPOOL_ACCOUNT_LIMIT'],
  ])('two wait: a third one with room for %d', (senderTransactionsMax, code) => {
    const check = (): void => checkRoom(queueOf([5, 6]), entryOf({ nonce: 7 }), 0, limits({ senderTransactionsMax }));
    expect(codeOf(check)).toBe(code);
  });

  it('bounds behind a gap are for what comes behind a gap', () => {
    const [next, behind] = [entryOf({ nonce: 6 }), entryOf({ nonce: 9 })];
    const check = (entry: Entry, changes: Partial<MempoolLimits>): string | null =>
      codeOf(() => checkRoom(queueOf([5, 8]), entry, 4, limits(changes)));
    expect([1, 2].map((senderQueuedMax) => check(behind, { senderQueuedMax }))).toEqual([
      'MEMPOOL_ACCOUNT_LIMIT',
      null,
    ]);
    expect([4, 5].map((queuedCountMax) => check(behind, { queuedCountMax }))).toEqual(['MEMPOOL_FULL', null]);
    expect(check(next, { senderQueuedMax: 0, queuedCountMax: 0 })).toBeNull();
  });
});

describe('an account whose code may spend', () => {
  const check = (queue: SenderQueue, entry: Entry, replaced: Entry | null = null, waiting = 0): string | null =>
    codeOf(() => checkDelegation(queue, entry, replaced, { isAuthority: () => false, waitingOf: () => waiting }));

  it('has one transaction in flight, which may be replaced, and none behind a gap', () => {
    const delegated = { delegated: true };
    expect(check(queueOf([], delegated), entryOf({ nonce: 5 }))).toBeNull();
    expect(check(queueOf([], delegated), entryOf({ nonce: 6 }))).toBe('MEMPOOL_DELEGATED_GAP');
    const queue = queueOf([5], delegated);
    expect(check(queue, entryOf({ nonce: 6 }))).toBe('MEMPOOL_INFLIGHT_LIMIT');
    expect(check(queue, entryOf({ nonce: 5 }), queue.entries[0]!)).toBeNull();
    expect(check(queueOf([5]), entryOf({ nonce: 6 }))).toBeNull();
  });

  it.each([
    [1, null],
    [2, 'MEMPOOL_AUTHORITY_RESERVED'],
  ])('may become one while %d of its transactions wait', (waiting, code) => {
    expect(check(queueOf([]), entryOf({ nonce: 5, authorities: [bob] }), null, waiting)).toBe(code);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  factsOf,
  type ActionPayload,
  type OrderFields,
  type VerifiedAction,
  type VerifiedTransaction,
} from '@prime/codec';
import { type Address, isPrimeError, type MarketId, type OrderId } from '@prime/primitives';
import type { Mempool } from './mempool.ts';
import { action, alice, bob, commit, create, ether, gwei, rich, transaction } from './testing/entries.ts';

/** Blocks take a payment in a millisecond: within 10 ms, which these pools are told, ten. */
const payment = 21_000;
const drainMs = 10;
const measured = { transactions: payment, actions: 120 };
const sender = (index: number): Address => `0x${(0x1000 + index).toString(16).padStart(40, '0')}` as Address;

function poolOf(limits: Parameters<typeof create>[0] = {}): Mempool {
  const mempool = create({ drainMs, senderGuaranteed: 0, ...limits });
  mempool.setDrainRates(measured);
  return mempool;
}

/** @returns null when it was taken, else the detail of the refusal */
function refusal(add: () => void): Record<string, unknown> | null {
  try {
    add();
    return null;
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    return error.detail as unknown as Record<string, unknown>;
  }
}

const send = (mempool: Mempool, fields: Partial<VerifiedTransaction>, origin: 'local' | 'peer' = 'local') =>
  refusal(() => mempool.addTransaction(transaction(fields), rich, origin));

/** One payment of each of so many senders. */
const fill = (mempool: Mempool, count: number, fields: Partial<VerifiedTransaction> = {}) => {
  for (let index = 0; index < count; index++) expect(send(mempool, { sender: sender(index), ...fields })).toBeNull();
};

describe('what blocks are expected to take in time', () => {
  it('is all that is taken: one more is refused, with the time after which there is room', () => {
    const mempool = poolOf();
    fill(mempool, 9);
    expect(send(mempool, { sender: sender(9) })).toBeNull();
    expect(send(mempool, { sender: sender(10) })).toMatchObject({ code: 'MEMPOOL_FULL', retryAfterMs: 40 });
    expect(mempool.status()).toMatchObject({ pending: 10 });
  });

  it('is not bounded before it was measured, nor where an operator wants no bound', () => {
    const unmeasured = create({ drainMs });
    fill(unmeasured, 100);
    expect(unmeasured.status()).toMatchObject({ pending: 100 });
    const unbounded = create({ drainMs: 0 });
    unbounded.setDrainRates(measured);
    fill(unbounded, 100);
    expect(unbounded.status()).toMatchObject({ pending: 100 });
  });

  it('grows and shrinks with the rate, and nothing that was taken goes', () => {
    const mempool = poolOf();
    fill(mempool, 10);
    mempool.setDrainRates({ ...measured, transactions: payment / 2 });
    expect(mempool.status()).toMatchObject({ pending: 10 });
    expect(send(mempool, { sender: sender(10) })).toMatchObject({ code: 'MEMPOOL_FULL' });
    mempool.setDrainRates({ ...measured, transactions: 2 * payment });
    expect(send(mempool, { sender: sender(10) })).toBeNull();
  });

  it('has room again once a block took something', () => {
    const mempool = poolOf();
    const first = transaction({ sender: sender(0) });
    mempool.addTransaction(first, rich, 'local');
    for (let index = 1; index < 10; index++) expect(send(mempool, { sender: sender(index) })).toBeNull();
    expect(send(mempool, { sender: sender(10) })).not.toBeNull();
    const account = { address: sender(0), nonce: 1, balance: ether };
    const drain = mempool.onCommit(commit({ transactions: [first.hash], gasUsed: [payment], accounts: [account] }));
    expect(drain.transactions).toEqual({ taken: payment, remaining: 9 * payment });
    expect(send(mempool, { sender: sender(10) })).toBeNull();
    expect(send(mempool, { sender: sender(11) })).not.toBeNull();
  });

  it('takes one at least, however large it is', () => {
    const mempool = poolOf();
    expect(send(mempool, { gasLimit: 1_000_000n, to: null })).toBeNull();
    expect(send(mempool, { sender: bob })).toMatchObject({ code: 'MEMPOOL_FULL' });
  });

  it('goes by fee: who pays more has only those before him who pay as much', () => {
    const mempool = poolOf();
    fill(mempool, 10);
    expect(send(mempool, { sender: sender(10), maxPriorityFeePerGas: 4n * gwei })).toBeNull();
    // What pays less than the base fee waits for other times, and before nobody.
    const cheap = poolOf();
    fill(cheap, 20, { maxFeePerGas: gwei / 2n, maxPriorityFeePerGas: 0n });
    fill(cheap, 10);
    expect(send(cheap, { sender: sender(30) })).toMatchObject({ code: 'MEMPOOL_FULL' });
    // Until the base fee falls.
    cheap.onCommit(commit({ nextBaseFee: gwei / 4n }));
    expect(send(cheap, { sender: sender(31), maxPriorityFeePerGas: 0n })).toMatchObject({ code: 'MEMPOOL_FULL' });
  });

  it('bounds what clients send here; what others have taken is taken here too', () => {
    const mempool = poolOf();
    fill(mempool, 10);
    expect(send(mempool, { sender: sender(10) }, 'peer')).toBeNull();
  });

  it('lets a sender pay more for what waits', () => {
    const mempool = poolOf();
    fill(mempool, 10);
    const dearer = { maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: 2n * gwei };
    expect(send(mempool, { sender: sender(3), ...dearer })).toBeNull();
  });

  it('counts no transaction behind a gap: it is in no block yet', () => {
    const mempool = poolOf();
    for (let nonce = 1; nonce <= 30; nonce++) expect(send(mempool, { nonce })).toBeNull();
    fill(mempool, 10);
  });

  it('tells those whom it refuses to come back one after the other', () => {
    const mempool = poolOf();
    mempool.setDrainRates({ ...measured, transactions: payment / 100 });
    fill(mempool, 1);
    const waits = Array.from(
      { length: 4 },
      (_, index) => send(mempool, { sender: sender(10 + index) })!['retryAfterMs'],
    );
    // At most four times the limit.
    expect(waits).toEqual([40, 40, 40, 40]);
    mempool.setDrainRates({ ...measured, transactions: 10 * payment });
    fill(create(), 1);
    const wide = create({ drainMs: 1_000, senderGuaranteed: 0 });
    wide.setDrainRates({ ...measured, transactions: payment / 100 });
    fill(wide, 10);
    const later = Array.from({ length: 3 }, (_, index) => send(wide, { sender: sender(10 + index) })!['retryAfterMs']);
    expect(later).toEqual([100, 200, 300]);
  });
});

describe('the share of one sender', () => {
  it('is four fifths of the room when it is alone, so that another one finds some', () => {
    const mempool = poolOf();
    for (let nonce = 0; nonce < 8; nonce++) expect(send(mempool, { nonce })).toBeNull();
    expect(send(mempool, { nonce: 8 })).toMatchObject({ code: 'MEMPOOL_FULL' });
    expect(send(mempool, { sender: bob })).toBeNull();
    expect(send(mempool, { nonce: 8 })).toMatchObject({ code: 'MEMPOOL_FULL' });
    expect(send(mempool, { sender: sender(0) })).toBeNull();
  });

  it('is at least what a sender is guaranteed, while there is room', () => {
    const mempool = poolOf({ senderGuaranteed: 9 });
    for (let nonce = 0; nonce < 9; nonce++) expect(send(mempool, { nonce })).toBeNull();
    expect(send(mempool, { nonce: 9 })).toMatchObject({ code: 'MEMPOOL_FULL' });
    expect(send(mempool, { sender: bob })).toBeNull();
  });
});

const order: OrderFields & { readonly type: 'order' } = {
  type: 'order',
  marketId: 0 as MarketId,
  side: 'buy',
  price: 1n,
  size: 1n,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
};

/** Of another account each, all vouched for by one key. */
function act(mempool: Mempool, index: number, payload: ActionPayload = order, origin: 'local' | 'peer' = 'local') {
  const plain = action({ signer: alice, nonce: index + 1 });
  const transaction = { ...plain.transaction, account: sender(index), payload };
  const made: VerifiedAction = { ...plain, facts: factsOf(payload), transaction };
  return refusal(() => mempool.addAction(made, origin));
}

describe('actions', () => {
  const fillActions = (mempool: Mempool): void => {
    for (let index = 0; index < 8; index++) expect(act(mempool, index)).toBeNull();
    expect(act(mempool, 8)).toMatchObject({ code: 'MEMPOOL_FULL' });
  };

  it.each<readonly [string, ActionPayload]>([
    ['a cancel', { type: 'cancel', orderId: 1 as OrderId }],
    ['a cancel by client id', { type: 'cancelByClientId', marketId: 0 as MarketId, clientId: `0x${'00'.repeat(16)}` }],
    ['a cancel of all', { type: 'cancelAll', marketId: null }],
    ['an order that only reduces', { ...order, reduceOnly: true }],
    [
      'a batch of such',
      {
        type: 'batch',
        items: [
          { type: 'cancelAll', marketId: null },
          { ...order, reduceOnly: true },
        ],
      },
    ],
  ])('%s has a reserve of a fifth', (_, payload) => {
    const mempool = poolOf();
    fillActions(mempool);
    expect(act(mempool, 9, payload)).toBeNull();
    expect(act(mempool, 10, payload)).toBeNull();
    expect(act(mempool, 11, payload)).toMatchObject({ code: 'MEMPOOL_FULL' });
  });

  it('have none where a batch opens anything', () => {
    const mempool = poolOf();
    fillActions(mempool);
    expect(act(mempool, 9, { type: 'batch', items: [{ type: 'cancelAll', marketId: null }, order] })).not.toBeNull();
  });

  it('are taken from others, and room comes with blocks', () => {
    const mempool = poolOf();
    fillActions(mempool);
    expect(act(mempool, 9, order, 'peer')).toBeNull();
    const waiting = mempool.selectActions({ maxBytes: 3 * 120, maxCount: 100 }).map(({ hash }) => hash);
    expect(mempool.onCommit(commit({ actions: waiting })).actions).toEqual({ taken: 3 * 120, remaining: 6 * 120 });
    expect(act(mempool, 10)).toBeNull();
  });

  it('are shared by accounts, and not by the keys that vouch for them', () => {
    const mempool = poolOf();
    const own = (nonce: number) => {
      const plain = action({ signer: alice, nonce });
      return refusal(() => mempool.addAction(plain, 'local'));
    };
    for (let nonce = 100; nonce < 107; nonce++) expect(own(nonce)).toBeNull();
    expect(own(107)).toMatchObject({ code: 'MEMPOOL_FULL' });
    expect(act(mempool, 1)).toBeNull();
  });
});

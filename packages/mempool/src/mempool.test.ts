import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { createMempool } from './mempool.ts';
import type { MempoolOptions } from './options.ts';
import { alice, bob, commit, create, ether, gwei, hashesOf, rich, room, transaction } from './testing/entries.ts';

describe('what waits, listed', () => {
  it('by sender and nonce, with what is behind a gap as queued; more than the bound: MEMPOOL_CONTENT_TOO_LARGE', () => {
    const mempool = create();
    for (const nonce of [1, 0, 3]) mempool.addTransaction(transaction({ nonce }), rich);
    mempool.addTransaction(transaction({ sender: bob }), rich);
    const listed = mempool.transactions(alice, 1000).map((entry) => [entry.transaction.nonce, entry.status]);
    expect(listed).toEqual([
      [0, 'pending'],
      [1, 'pending'],
      [3, 'queued'],
    ]);
    expect(mempool.transactions(null, 440)).toHaveLength(4);
    expect(mempool.transactions(`0x${'c3'.repeat(20)}` as Address, 0)).toEqual([]);
    expect(() => mempool.transactions(null, 439)).toThrow(
      expect.objectContaining({
        code: 'MEMPOOL_CONTENT_TOO_LARGE',
        detail: { code: 'MEMPOOL_CONTENT_TOO_LARGE', limit: 439 },
      }),
    );
  });
});

describe('refusals of transactions', () => {
  it('carry the words of go-ethereum', () => {
    const mempool = create({ tipMin: 2n });
    const known = transaction({ nonce: 7 });
    mempool.addTransaction(known, { nonce: 7, balance: ether });
    const cases: readonly (readonly [VerifiedTransaction, typeof rich, string])[] = [
      [known, rich, 'already known'],
      [transaction({ nonce: 6 }), { nonce: 7, balance: ether }, 'nonce too low: next nonce 7, tx nonce 6'],
      [
        transaction({ nonce: 8, value: ether }),
        { nonce: 7, balance: ether },
        'insufficient funds for gas * price + value: balance 1000000000000000000, tx cost 1000210000000000000, overshot 210000000000000',
      ],
      [
        transaction({ nonce: 8, value: ether - 400_000n * gwei }),
        { nonce: 7, balance: ether },
        'insufficient funds for gas * price + value: balance 1000000000000000000, queued cost 210000000000000, tx cost 999810000000000000, overshot 20000000000000',
      ],
      [
        transaction({ nonce: 7, value: ether - 210_000n * gwei, maxFeePerGas: 20n * gwei }),
        { nonce: 7, balance: ether },
        'insufficient funds for gas * price + value: balance 1000000000000000000, tx cost 1000210000000000000, overshot 210000000000000',
      ],
      [transaction({ nonce: 7 }), { nonce: 7, balance: ether }, 'replacement transaction underpriced'],
      [transaction({ sender: bob, gasLimit: 30_000_001n }), rich, 'exceeds block gas limit'],
      [
        transaction({ sender: bob, raw: new Uint8Array(131_073) }),
        rich,
        'oversized data: transaction size 131073, limit 131072',
      ],
      [
        transaction({ sender: bob, maxPriorityFeePerGas: 11n * gwei }),
        rich,
        'max priority fee per gas higher than max fee per gas',
      ],
      [
        transaction({ sender: bob, maxPriorityFeePerGas: 1n }),
        rich,
        'transaction gas price below minimum: gas tip cap 1, minimum needed 2',
      ],
    ];
    for (const [candidate, account, message] of cases)
      expect(() => mempool.addTransaction(candidate, account)).toThrow(new Error(message));
    expect(mempool.status()).toMatchObject({ pending: 1, queued: 0 });
  });

  it('begin one beyond what is allowed: gas of a whole block, and all that the sender has', () => {
    const mempool = create();
    const dear = transaction({ gasLimit: 30_000_000n });
    const cost = dear.gasLimit * dear.maxFeePerGas;
    expect(() => mempool.addTransaction(dear, { nonce: 0, balance: cost - 1n })).toThrow('overshot 1');
    mempool.addTransaction(dear, { nonce: 0, balance: cost });
    expect(mempool.status()).toMatchObject({ pending: 1 });
  });

  it('what waits behind a gap goes at the first look after its time, and there is one each minute of block time', () => {
    const mempool = create({ queuedLifetimeMs: 1_000 });
    mempool.addTransaction(transaction({ nonce: 5 }), rich);
    mempool.onCommit(commit({ timestampMs: 59_999 }));
    expect(mempool.status()).toMatchObject({ queued: 1 });
    mempool.onCommit(commit({ timestampMs: 60_000 }));
    expect(mempool.status()).toMatchObject({ queued: 0 });
  });

  it('a replacement needs ten percent more of both fees', () => {
    const mempool = create();
    const first = transaction();
    mempool.addTransaction(first, rich);
    const onlyCap = transaction({ maxFeePerGas: 20n * gwei });
    const onlyTip = transaction({ maxPriorityFeePerGas: 2n * gwei });
    const almost = transaction({ maxFeePerGas: 11n * gwei - 1n, maxPriorityFeePerGas: 2n * gwei });
    for (const candidate of [onlyCap, onlyTip, almost])
      expect(() => mempool.addTransaction(candidate, rich)).toThrow('replacement transaction underpriced');
    const enough = transaction({ maxFeePerGas: 11n * gwei, maxPriorityFeePerGas: (gwei * 11n) / 10n });
    mempool.addTransaction(enough, rich);
    expect(mempool.transaction(first.hash)).toBeNull();
    expect(hashesOf(mempool.selectTransactions(room))).toEqual([enough.hash]);
  });

  it('a full pool takes only what pays more than its cheapest last transaction, and a refusal evicts nothing', () => {
    const mempool = create({ transactionCountMax: 3, transactionBytesMax: 400 });
    const [first, second] = [
      transaction({ maxFeePerGas: 5n * gwei }),
      transaction({ nonce: 1, maxFeePerGas: 6n * gwei }),
    ];
    const other = transaction({ sender: bob, maxFeePerGas: 30n * gwei });
    for (const candidate of [first, second, other]) mempool.addTransaction(candidate, rich);
    const carol = `0x${'c3'.repeat(20)}` as Address;
    const equal = transaction({ sender: carol, maxFeePerGas: 6n * gwei, maxPriorityFeePerGas: gwei });
    expect(() => mempool.addTransaction(equal, rich)).toThrow('transaction underpriced');
    // It would need the room of two: the second victim pays more than it does.
    const wide = transaction({ sender: carol, maxFeePerGas: 8n * gwei, raw: new Uint8Array(300) });
    expect(() => mempool.addTransaction(wide, rich)).toThrow('transaction underpriced');
    expect(mempool.status()).toMatchObject({ pending: 3, queued: 0 });
    expect(() => mempool.addTransaction(transaction({ nonce: 2, maxFeePerGas: 20n * gwei }), rich)).toThrow(
      'txpool is full',
    );
    const better = transaction({ sender: carol, maxFeePerGas: 7n * gwei });
    mempool.addTransaction(better, rich);
    expect(mempool.transaction(second.hash)).toBeNull();
    expect(mempool.transaction(first.hash)).toBe(first);
    expect(mempool.pendingNonce(alice)).toBe(1);
  });
});

describe('accounts whose code may spend (EIP-7702)', () => {
  const delegated = { ...rich, delegated: true };
  const authorizing = (authority: Address, fields: Partial<VerifiedTransaction> = {}): VerifiedTransaction =>
    transaction({ type: 4, authorities: [authority], ...fields });

  it('have one transaction in flight, which may be replaced, and none behind a gap', () => {
    const mempool = create();
    expect(() => mempool.addTransaction(transaction({ nonce: 1 }), delegated)).toThrow(
      'gapped-nonce tx from delegated accounts',
    );
    mempool.addTransaction(transaction(), delegated);
    expect(() => mempool.addTransaction(transaction({ nonce: 1 }), delegated)).toThrow(
      'in-flight transaction limit reached for delegated accounts',
    );
    mempool.addTransaction(transaction({ maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: 2n * gwei }), delegated);
    expect(mempool.status()).toMatchObject({ pending: 1, queued: 0 });
  });

  it('an account that is about to delegate is held to the same while the authorization waits', () => {
    const mempool = create();
    const carrier = authorizing(alice, { sender: bob });
    mempool.addTransaction(carrier, rich);
    mempool.addTransaction(transaction(), rich);
    expect(() => mempool.addTransaction(transaction({ nonce: 1 }), rich)).toThrow('in-flight transaction limit');
    mempool.onCommit(commit({ transactions: [carrier.hash], accounts: [{ address: bob, nonce: 1, balance: ether }] }));
    mempool.addTransaction(transaction({ nonce: 1 }), rich);
  });

  it('an authorization of an account with more than one waiting transaction is refused', () => {
    const mempool = create();
    mempool.addTransaction(transaction(), rich);
    mempool.addTransaction(authorizing(alice, { sender: bob }), rich);
    const other = create();
    for (const nonce of [0, 1]) other.addTransaction(transaction({ nonce }), rich);
    expect(() => other.addTransaction(authorizing(alice, { sender: bob }), rich)).toThrow('authority already reserved');
  });
});

describe('places in a full pool', () => {
  const sender = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
  const cheap = { maxFeePerGas: 2n * gwei, maxPriorityFeePerGas: gwei };

  it('a flood from one account, whatever it pays, displaces no one’s guaranteed transactions', () => {
    const mempool = create({ transactionCountMax: 20, senderGuaranteed: 4 });
    for (let index = 0; index < 10; index++)
      mempool.addTransaction(transaction({ ...cheap, sender: sender(index) }), rich);
    for (let nonce = 0; nonce < 10; nonce++) mempool.addTransaction(transaction({ nonce }), rich);
    expect(() => mempool.addTransaction(transaction({ nonce: 10, maxFeePerGas: 99n * gwei }), rich)).toThrow(
      'txpool is full',
    );
    // Newcomers take the places beyond the flood's guaranteed four, though they pay less.
    for (let index = 10; index < 16; index++)
      mempool.addTransaction(transaction({ ...cheap, sender: sender(index) }), rich);
    expect(mempool.pendingNonce(alice)).toBe(4);
    expect(() => mempool.addTransaction(transaction({ ...cheap, sender: sender(99) }), rich)).toThrow(
      'transaction underpriced',
    );
  });

  it('what this node’s clients sent stays longer than what came from elsewhere, up to a bound', () => {
    const mempool = create({ transactionCountMax: 4, localCountMax: 2 });
    const locals = [0, 1, 2].map((index) => transaction({ ...cheap, sender: sender(index) }));
    for (const local of locals) mempool.addTransaction(local, rich, 'local');
    const remote = transaction({ sender: bob, maxFeePerGas: 3n * gwei });
    mempool.addTransaction(remote, rich);
    for (const index of [10, 11]) mempool.addTransaction(transaction({ sender: sender(index) }), rich);
    // The third local one was beyond the bound, so it went first, then the cheaper of the others from elsewhere.
    expect(locals.map(({ hash }) => mempool.transaction(hash) !== null)).toEqual([true, true, false]);
    expect(mempool.transaction(remote.hash)).toBeNull();
  });
});

describe('waiting behind a gap', () => {
  const hourMs = 3_600_000;

  it('ends three hours after the sender’s newest arrival; what can run stays', () => {
    const mempool = create();
    const at = (timestampMs: number): void => void mempool.onCommit(commit({ timestampMs }));
    at(1_000);
    for (const nonce of [0, 2]) mempool.addTransaction(transaction({ nonce }), rich);
    at(2 * hourMs);
    mempool.addTransaction(transaction({ nonce: 3 }), rich);
    at(5 * hourMs);
    expect(mempool.status()).toMatchObject({ pending: 1, queued: 2 });
    at(5 * hourMs + 60_001);
    expect(mempool.status()).toMatchObject({ pending: 1, queued: 0 });
  });

  it('has room for 64 transactions of one account', () => {
    const mempool = create();
    for (let nonce = 1; nonce <= 64; nonce++) mempool.addTransaction(transaction({ nonce }), rich);
    expect(() => mempool.addTransaction(transaction({ nonce: 65 }), rich)).toThrow('account limit exceeded');
    mempool.addTransaction(transaction(), rich);
    mempool.addTransaction(transaction({ nonce: 65 }), rich);
    expect(mempool.pendingNonce(alice)).toBe(66);
  });
});

describe('pending and queued', () => {
  it('a gap holds back what is behind it until it is filled', () => {
    const mempool = create();
    const [zero, one, two] = [0, 1, 2].map((nonce) => transaction({ nonce })) as [
      VerifiedTransaction,
      VerifiedTransaction,
      VerifiedTransaction,
    ];
    mempool.addTransaction(zero, rich);
    mempool.addTransaction(two, rich);
    expect(mempool.status()).toMatchObject({ pending: 1, queued: 1 });
    expect(mempool.pendingNonce(alice)).toBe(1);
    expect(mempool.selectTransactions(room)).toEqual([zero]);
    mempool.addTransaction(one, rich);
    expect(mempool.status()).toMatchObject({ pending: 3, queued: 0 });
    expect(mempool.selectTransactions(room)).toEqual([zero, one, two]);
    expect(mempool.pendingNonce(bob)).toBeNull();
    expect([...mempool.content()].map((item) => item.kind === 'transaction' && item.status)).toEqual([
      'pending',
      'pending',
      'pending',
    ]);
  });

  it('twenty transactions of one account get twenty consecutive nonces', () => {
    const mempool = create();
    for (let expected = 0; expected < 20; expected++) {
      const nonce = mempool.pendingNonce(alice) ?? 0;
      expect(nonce).toBe(expected);
      mempool.addTransaction(transaction({ nonce }), rich);
    }
  });

  it('hasExecutable tells whether a block would carry something', () => {
    const mempool = create();
    const poor = { nonce: 0, balance: ether };
    expect(mempool.hasExecutable()).toBe(false);
    mempool.addTransaction(transaction({ nonce: 1 }), poor);
    expect(mempool.hasExecutable()).toBe(false);
    mempool.addTransaction(transaction({ nonce: 0 }), poor);
    expect(mempool.hasExecutable()).toBe(true);
    mempool.onCommit(commit({ nextBaseFee: 11n * gwei }));
    expect(mempool.hasExecutable()).toBe(false);
    mempool.onCommit(commit({ nextBaseFee: 10n * gwei }));
    expect(mempool.hasExecutable()).toBe(true);
  });
});

describe('selection of transactions', () => {
  it('goes by effective tip under the base fee, ties by arrival, and keeps the nonce order of a sender', () => {
    const mempool = create();
    const capped = transaction({ maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: 3n * gwei });
    const rewarding = transaction({ nonce: 1, maxFeePerGas: 50n * gwei, maxPriorityFeePerGas: 40n * gwei });
    const steady = transaction({ sender: bob, maxPriorityFeePerGas: gwei });
    for (const candidate of [capped, rewarding, steady]) mempool.addTransaction(candidate, rich);
    expect(mempool.selectTransactions({ ...room, baseFee: gwei })).toEqual([capped, rewarding, steady]);
    // At a base fee of 2 gwei the first leaves 1 gwei too: the earlier arrival wins.
    expect(mempool.selectTransactions({ ...room, baseFee: 2n * gwei })).toEqual([capped, rewarding, steady]);
    expect(mempool.selectTransactions({ ...room, baseFee: (5n * gwei) / 2n })).toEqual([steady, capped, rewarding]);
    expect(mempool.selectTransactions({ ...room, baseFee: 4n * gwei })).toEqual([steady]);
  });

  it('what is deposited in the same block is not spent again', () => {
    const mempool = create();
    const cost = 21_000n * 10n * gwei;
    mempool.addTransaction(transaction(), { nonce: 0, balance: 3n * cost });
    mempool.addTransaction(transaction({ nonce: 1 }), { nonce: 0, balance: 3n * cost });
    const count = (deposit: bigint): number =>
      mempool.selectTransactions({ ...room, deposits: new Map([[alice, deposit]]) }).length;
    expect([0n, cost, cost + 1n, 2n * cost + 1n, ether].map(count)).toEqual([2, 2, 1, 0, 0]);
  });

  it('keeps the limits of gas and bytes', () => {
    const mempool = create();
    for (let nonce = 0; nonce < 5; nonce++) mempool.addTransaction(transaction({ nonce }), rich);
    expect(mempool.selectTransactions({ ...room, gasLimit: 62_999n })).toHaveLength(2);
    expect(mempool.selectTransactions({ ...room, gasLimit: 63_000n })).toHaveLength(3);
    expect(mempool.selectTransactions({ ...room, maxBytes: 439 })).toHaveLength(3);
  });
});

describe('a committed block', () => {
  it('takes out what it included and what its nonces and balances made impossible', () => {
    const mempool = create();
    const own = [0, 1, 2].map((nonce) => transaction({ nonce, value: nonce === 2 ? ether / 2n : 0n }));
    const rival = transaction({ sender: bob, nonce: 3 });
    for (const candidate of own) mempool.addTransaction(candidate, rich);
    mempool.addTransaction(rival, { nonce: 3, balance: ether });
    mempool.onCommit(
      commit({
        transactions: [own[0]!.hash],
        accounts: [
          { address: alice, nonce: 1, balance: ether / 4n },
          { address: bob, nonce: 4, balance: ether },
        ],
      }),
    );
    expect([...mempool.content()].map(({ hash }) => hash)).toEqual([own[1]!.hash]);
    expect(mempool.pendingNonce(alice)).toBe(2);
    expect(mempool.status()).toEqual({ pending: 1, queued: 0, transactionBytes: 110, actions: 0, actionBytes: 0 });
  });
});

describe('transactions that become executable', () => {
  const watched = (limits: MempoolOptions['limits'] = {}) => {
    const told: Hash[] = [];
    const onPending = ({ hash }: VerifiedTransaction): number => told.push(hash);
    return { told, mempool: createMempool({ blockGasLimit: 30_000_000n, baseFee: gwei, limits, onPending }) };
  };

  it('are told once each: on arrival, or in order when the gap before them closes', () => {
    const { told, mempool } = watched();
    const [zero, one, two, three] = [0, 1, 2, 3].map((nonce) => transaction({ nonce }));
    mempool.addTransaction(zero!, rich);
    for (const late of [three!, two!]) mempool.addTransaction(late, rich);
    expect(told).toEqual(hashesOf([zero!]));
    mempool.addTransaction(one!, rich);
    expect(told).toEqual(hashesOf([zero!, one!, two!, three!]));
  });

  it('are told when a block moves the nonce up to them', () => {
    const { told, mempool } = watched();
    const next = transaction({ nonce: 2 });
    mempool.addTransaction(next, rich);
    mempool.onCommit(commit({ accounts: [{ address: alice, nonce: 2, balance: ether }] }));
    mempool.onCommit(commit({}));
    expect(told).toEqual(hashesOf([next]));
  });

  it('are told when they replace another one, wherever it stood', () => {
    const { told, mempool } = watched();
    const first = [0, 1, 2].map((nonce) => transaction({ nonce }));
    for (const entry of first) mempool.addTransaction(entry, rich);
    const dearer = transaction({ nonce: 1, maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: 2n * gwei });
    mempool.addTransaction(dearer, rich);
    expect(told).toEqual(hashesOf([...first, dearer]));
  });

  it('are told when they replaced one behind a gap that closes, though what follows them was told before', () => {
    const { told, mempool } = watched();
    const dear = { maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: 2n * gwei };
    const first = [0, 1, 2, 3].map((nonce) => transaction({ nonce, ...(nonce === 1 && { value: ether / 2n }) }));
    for (const entry of first) mempool.addTransaction(entry, rich);
    // What costs more than the balance goes, and leaves a gap.
    const poor = { nonce: 0, balance: ether / 4n };
    mempool.onCommit(commit({ accounts: [{ address: alice, ...poor }] }));
    const replacement = transaction({ nonce: 2, ...dear });
    mempool.addTransaction(replacement, poor);
    expect(told).toEqual(hashesOf(first));
    const filler = transaction({ nonce: 1, ...dear });
    mempool.addTransaction(filler, poor);
    expect(mempool.status()).toMatchObject({ pending: 4, queued: 0 });
    expect(told).toEqual(hashesOf([...first, filler, replacement]));
  });

  it('are not told when they were refused', () => {
    const { told, mempool } = watched();
    expect(() => mempool.addTransaction(transaction(), { nonce: 5, balance: ether })).toThrow('nonce too low');
    expect(told).toEqual([]);
  });
});

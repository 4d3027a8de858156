import { describe, expect, it } from '@jest/globals';
import type { VerifiedAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import fc from 'fast-check';
import { createMempool } from './mempool.ts';
import { action, alice, bob, commit, create, gwei, hashesOf, rich, transaction } from './testing/entries.ts';

describe('actions', () => {
  it('are selected by arrival, and by nonce within the places of a signer', () => {
    const mempool = create();
    const late = action({ nonce: 9 });
    const others = action({ signer: bob, nonce: 5 });
    const early = action({ nonce: 3 });
    for (const candidate of [late, others, early]) mempool.addAction(candidate);
    const all = { maxBytes: 1 << 20, maxCount: 100 };
    expect(mempool.selectActions(all)).toEqual([early, others, late]);
    expect(mempool.selectActions({ ...all, maxCount: 2 })).toEqual([early, others]);
    expect(mempool.selectActions({ ...all, maxBytes: 359 })).toEqual([early, others]);
    expect(mempool.action(others.hash)).toBe(others);
    expect(mempool.hasExecutable()).toBe(true);
  });

  it('one that is too long for any block does not hold up the others', () => {
    const mempool = create();
    const [long, short] = [action({ nonce: 1, size: 500 }), action({ nonce: 2 })];
    mempool.addAction(long);
    mempool.addAction(short);
    expect(mempool.selectActions({ maxBytes: 499, maxCount: 10 })).toEqual([short]);
  });

  it('may have as many bytes altogether as the pool has room for', () => {
    const mempool = create({ actionBytesMax: 300 });
    mempool.addAction(action({ nonce: 1, size: 200 }));
    expect(() => mempool.addAction(action({ nonce: 2, size: 101 }))).toThrow(
      expect.objectContaining({ code: 'MEMPOOL_FULL' }) as never,
    );
    mempool.addAction(action({ nonce: 2, size: 100 }));
    expect(mempool.status()).toMatchObject({ actions: 2, actionBytes: 300 });
  });

  it('that no block can hold are refused, like such transactions: they would ask for blocks for ever', () => {
    const mempool = createMempool({ blockGasLimit: 30_000_000n, blockBytesMax: 500, baseFee: gwei });
    const oversized = (size: number) =>
      expect.objectContaining({ code: 'MEMPOOL_OVERSIZED', detail: expect.objectContaining({ size, limit: 500 }) });
    expect(() => mempool.addAction(action({ nonce: 1, size: 501 }))).toThrow(oversized(501) as never);
    expect(() => mempool.addTransaction(transaction({ raw: new Uint8Array(501) }), rich)).toThrow(
      oversized(501) as never,
    );
    expect(mempool.hasExecutable()).toBe(false);
    mempool.addAction(action({ nonce: 1, size: 500 }));
    mempool.addTransaction(transaction({ raw: new Uint8Array(500) }), rich);
    expect(mempool.status()).toMatchObject({ actions: 1, pending: 1 });
  });

  it('leave when committed, do not come back, and leave when the block time passes their expiry', () => {
    const mempool = create();
    const expired = expect.objectContaining({
      code: 'MEMPOOL_ACTION_EXPIRED',
      detail: expect.objectContaining({ expiresAt: 1999 }),
    });
    const [done, lasting, expiring] = [
      action({ nonce: 1 }),
      action({ nonce: 2 }),
      action({ nonce: 3, expiresAt: 2000 }),
    ];
    for (const candidate of [done, lasting, expiring]) mempool.addAction(candidate);
    mempool.onCommit(commit({ actions: [done.hash], timestampMs: 2000 }));
    expect(mempool.status()).toMatchObject({ actions: 2, actionBytes: 240 });
    expect(() => mempool.addAction(done)).toThrow('already known');
    mempool.onCommit(commit({ timestampMs: 2001 }));
    expect([...mempool.content()].map(({ hash }) => hash)).toEqual([lasting.hash]);
    expect(() => mempool.addAction(action({ nonce: 4, expiresAt: 1999 }))).toThrow(expired);
    // Block time does not go back.
    mempool.onCommit(commit({ timestampMs: 5 }));
    expect(() => mempool.addAction(action({ nonce: 4, expiresAt: 1999 }))).toThrow(expired);
  });

  it('committed before they were seen here are known, too', () => {
    const mempool = create();
    const elsewhere = action();
    mempool.onCommit(commit({ actions: [elsewhere.hash] }));
    expect(() => mempool.addAction(elsewhere)).toThrow(
      expect.objectContaining({ code: 'MEMPOOL_ALREADY_KNOWN' }) as never,
    );
  });

  it('are bounded in number, bytes and per signer, and have one action per nonce', () => {
    const code = (expected: string): never => expect.objectContaining({ code: expected }) as never;
    const few = create({ actionCountMax: 2 });
    few.addAction(action({ nonce: 1 }));
    expect(() => few.addAction(action({ nonce: 1 }))).toThrow(code('MEMPOOL_ACTION_NONCE_TAKEN'));
    few.addAction(action({ nonce: 2 }));
    expect(() => few.addAction(action({ nonce: 3 }))).toThrow(code('MEMPOOL_FULL'));
    const small = create({ actionBytesMax: 200 });
    small.addAction(action({ nonce: 1 }));
    expect(() => small.addAction(action({ nonce: 2 }))).toThrow(code('MEMPOOL_FULL'));
    const fair = create({ signerActionsMax: 1 });
    fair.addAction(action({ nonce: 1 }));
    expect(() => fair.addAction(action({ nonce: 2 }))).toThrow(code('MEMPOOL_ACCOUNT_LIMIT'));
    fair.addAction(action({ signer: bob, nonce: 2 }));
    expect(fair.status()).toMatchObject({ actions: 2 });
  });

  it('selection equals a naive one for any arrivals and commits', () => {
    const command = fc.record({
      signer: fc.constantFrom(alice, bob),
      nonce: fc.nat(15),
      size: fc.integer({ min: 10, max: 60 }),
      commit: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), fc.nat(600), (commands, maxBytes) => {
        const mempool = create();
        let naive: VerifiedAction[] = [];
        for (const { commit: commits, ...fields } of commands) {
          const candidate = action(fields);
          const taken = naive.some(
            ({ signer, transaction: { nonce } }) => signer === fields.signer && nonce === fields.nonce,
          );
          if (taken) expect(() => mempool.addAction(candidate)).toThrow('waits already');
          else {
            mempool.addAction(candidate);
            naive.push(candidate);
          }
          if (commits && naive.length > 3) {
            const gone = naive[naive.length >> 1]!;
            mempool.onCommit(commit({ actions: [gone.hash] }));
            naive = naive.filter((other) => other !== gone);
          }
        }
        const expected: VerifiedAction[] = [];
        let bytes = 0;
        const sorted = (signer: Address): VerifiedAction[] =>
          naive.filter((other) => other.signer === signer).sort((a, b) => a.transaction.nonce - b.transaction.nonce);
        const queues = new Map([alice, bob].map((signer) => [signer, sorted(signer)]));
        for (const { signer } of naive) {
          const next = queues.get(signer)!.shift()!;
          if (next.raw.length > maxBytes) continue;
          if (bytes + next.raw.length > maxBytes) break;
          bytes += next.raw.length;
          expected.push(next);
        }
        expect(hashesOf(mempool.selectActions({ maxBytes, maxCount: 1000 }))).toEqual(hashesOf(expected));
      }),
    );
  });
});

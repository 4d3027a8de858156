import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, factsOf, type VerifiedAction } from '@prime/codec';
import type { Address, TimestampMs } from '@prime/primitives';
import { action, alice, bob, commit, create } from './testing/entries.ts';

/** A price report of a validator, each with a key and a nonce of its own. */
function report(validator: Address, observedAtMs: number, nonce = observedAtMs): VerifiedAction {
  const payload: ActionPayload = { type: 'oracleReport', observedAtMs: observedAtMs as TimestampMs, prices: [] };
  const made = action({ signer: bob, nonce });
  return { ...made, facts: factsOf(payload), transaction: { ...made.transaction, account: validator, payload } };
}

const tooSoon = expect.objectContaining({
  code: 'MEMPOOL_REPORT_TOO_SOON',
  detail: expect.objectContaining({ latestMs: 10_000 }),
}) as never;
const selected = (mempool: ReturnType<typeof create>): readonly VerifiedAction[] =>
  mempool.selectActions({ maxBytes: 1 << 20, maxCount: 100 });

describe('price reports', () => {
  it('of a validator take the place of its older ones', () => {
    const mempool = create();
    const [first, second, other] = [report(alice, 10_000), report(alice, 11_000), report(bob, 10_500)];
    for (const one of [first, other, second]) mempool.addAction(one);
    expect(new Set(selected(mempool))).toEqual(new Set([other, second]));
    expect(mempool.status()).toMatchObject({ actions: 2, actionBytes: 240 });
  });

  it.each([9_000, 10_000, 10_999])('are a second apart: one of %d ms is refused after one of 10000', (observedAtMs) => {
    const mempool = create();
    const first = report(alice, 10_000);
    mempool.addAction(first);
    expect(() => mempool.addAction(report(alice, observedAtMs, 5))).toThrow(tooSoon);
    expect(selected(mempool)).toEqual([first]);
    mempool.onCommit(commit({ actions: [first.hash], timestampMs: 11_000 }));
    expect(() => mempool.addAction(report(alice, observedAtMs, 6))).toThrow(tooSoon);
    mempool.addAction(report(alice, 11_000));
    expect(mempool.status()).toMatchObject({ actions: 1 });
  });

  it('that are refused for another reason leave the older one in its place', () => {
    const mempool = create();
    const first = report(alice, 10_000, 7);
    mempool.addAction(first);
    expect(() => mempool.addAction(report(alice, 12_000, 7))).toThrow('waits already');
    expect(selected(mempool)).toEqual([first]);
    mempool.addAction(report(alice, 12_000, 8));
    expect(mempool.status()).toMatchObject({ actions: 1 });
  });
});

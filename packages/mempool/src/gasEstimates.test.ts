import { describe, expect, it } from '@jest/globals';
import { encodeRlp, type RlpValue, type TransactionType, type VerifiedTransaction } from '@prime/codec';
import { bytesToHex, concatBytes, type Hex, hexToBytes } from '@prime/primitives';
import { callOf, GasEstimates } from './gasEstimates.ts';
import { bob, commit, create, ether, rich, room, transaction } from './testing/entries.ts';

const data = `0xa9059cbb${'00'.repeat(64)}` as Hex;

/** As wallets encode it; only what comes before the data matters here. */
function call(type: TransactionType, fields: { readonly data?: Hex } & Partial<VerifiedTransaction> = {}) {
  const { data: input = data, ...rest } = fields;
  const fees: RlpValue[] = type === 2 || type === 4 ? [1n, 1n] : [1n];
  const head: RlpValue[] = type === 0 ? [0] : [7919n, 0];
  const body: RlpValue[] = [...head, ...fees, 80_000n, hexToBytes(bob), 0n, hexToBytes(input), [], [1n, 2n]];
  const encoded = encodeRlp(body);
  const raw = type === 0 ? encoded : concatBytes(Uint8Array.of(type), encoded);
  return transaction({ type, raw, gasLimit: 80_000n, ...rest });
}

describe('the name of a call', () => {
  it.each([0, 1, 2, 4] as const)('is contract and selector in a transaction of type %d', (type) => {
    expect(callOf(call(type))).toBe(`${bob}a9059cbb`);
    expect(callOf(call(type, { data: '0x' as Hex }))).toBe(`${bob}0`);
    expect(callOf(call(type, { data: '0x01' as Hex }))).toBe(`${bob}0`);
    expect(callOf(call(type, { data: '0xa9059cbb' as Hex }))).toBe(`${bob}a9059cbb`);
    const long = bytesToHex(concatBytes(Uint8Array.of(1, 2, 3, 4), new Uint8Array(70_000)));
    expect(callOf(call(type, { data: long }))).toBe(`${bob}1020304`);
  });

  it('is none of a payment that can use no more, and of a creation', () => {
    expect(callOf(transaction({ gasLimit: 21_000n }))).toBeNull();
    expect(callOf(call(2, { to: null }))).toBeNull();
    expect(callOf(transaction({ gasLimit: 21_001n }))).toBe(`${bob}0`);
  });
});

describe('expected gas', () => {
  const wanted = { gasLimit: 80_000n };

  it('is the limit of what was never seen, then what it used, and never more than the limit', () => {
    const estimates = new GasEstimates();
    expect(estimates.estimate(wanted, 'a')).toBe(80_000);
    estimates.learn('a', 35_000);
    expect(estimates.estimate(wanted, 'a')).toBe(35_000);
    expect(estimates.estimate({ gasLimit: 30_000n }, 'a')).toBe(30_000);
    expect(estimates.estimate(wanted, 'b')).toBe(80_000);
    expect(estimates.estimate(wanted, null)).toBe(80_000);
  });

  it('rises at once and falls slowly', () => {
    const estimates = new GasEstimates();
    estimates.learn('a', 30_000);
    estimates.learn('a', 70_000);
    expect(estimates.estimate(wanted, 'a')).toBe(70_000);
    estimates.learn('a', 30_000);
    expect(estimates.estimate(wanted, 'a')).toBe(65_000);
    for (let times = 0; times < 60; times++) estimates.learn('a', 30_000);
    expect(estimates.estimate(wanted, 'a')).toBeLessThan(30_100);
  });

  it('forgets what was called longest ago', () => {
    const estimates = new GasEstimates();
    for (let index = 0; index < 8_192; index++) estimates.learn(`${index}`, 21_000);
    estimates.learn('0', 21_000);
    estimates.learn('one more', 21_000);
    expect(estimates.estimate(wanted, '0')).toBe(21_000);
    expect(estimates.estimate(wanted, '1')).toBe(80_000);
  });
});

describe('what is proposed', () => {
  const sender = (index: number) => `0x${(0x2000 + index).toString(16).padStart(40, '0')}` as typeof bob;

  it('is bounded by what it is expected to use, and by limits for everybody', () => {
    const mempool = create({ drainMs: 0 });
    const all = Array.from({ length: 10 }, (_, index) => call(2, { sender: sender(index) }));
    for (const one of all) mempool.addTransaction(one, rich);
    const select = (gasExpectedMax: number, gasLimit = 30_000_000n): number =>
      mempool.selectTransactions({ ...room, gasLimit, gasExpectedMax }).length;
    // Nothing is known: each counts as its limit.
    expect(select(240_000)).toBe(3);
    expect(select(239_999)).toBe(2);
    const first = all[0]!;
    mempool.onCommit(
      commit({
        transactions: [first.hash],
        gasUsed: [40_000],
        accounts: [{ address: first.sender, nonce: 1, balance: ether }],
      }),
    );
    expect(select(240_000)).toBe(6);
    expect(select(240_000, 400_000n)).toBe(5);
    // One that is dearer than all that is proposed at once goes alone.
    expect(select(1)).toBe(1);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Change } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { addressOf, createHarness, type Harness, marketId, order, type Step } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';

/** The end of a market with more orders and positions than one block closes: clob.md, Life of a market. */

const admin = addressOf(0xad);
const buyers = Array.from({ length: 700 }, (_, index) => addressOf(0x10_000 + index));
const seller = addressOf(0x5e11);
const settle: Change = { parameter: 'status', marketId: marketId(2), value: { status: 'settling', price: 137n } };

/** 700 long positions against one short one, and 501 orders. */
function market(): Harness {
  const harness = createHarness({ params: { admin, maxOpenOrders: 1000 } });
  const steps: Step[] = [];
  const deposit = (account: Address, amount: bigint): void =>
    void steps.push({ account, payload: { type: 'deposit', amount } });
  deposit(seller, 10_000_000n);
  for (const [index, buyer] of buyers.entries()) {
    deposit(buyer, 2000n);
    steps.push({ account: seller, payload: order('sell', BigInt(100 + (index % 7)), 3n) });
    steps.push({ account: buyer, payload: order('buy', BigInt(100 + (index % 7)), 3n) });
  }
  for (let count = 0; count < 501; count++)
    steps.push({ account: seller, payload: order('sell', BigInt(200 + count), 1n) });
  harness.block(steps);
  return harness;
}

const kindsOf = (harness: Harness): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of harness.events()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
const begin = (harness: Harness): void =>
  void harness.act(
    admin,
    { type: 'change', change: settle, atHeight: 0 },
    { signatureKind: 'raw', nonce: harness.now() + 1 },
  );
const worth = ({ state }: Harness): bigint => state.accounts.reduce((sum, { collateral }) => sum + collateral, 0n);

describe('a settlement', () => {
  it('closes a thousand orders and positions a block, whatever a block is taken back or a node restarts', () => {
    const [harness, other] = [market(), market()];
    const before = worth(harness);
    begin(harness);
    begin(other);
    expect(kindsOf(harness)).toEqual({ parameter_changed: 1, market_status_set: 1 });
    harness.block([]);
    expect(kindsOf(harness)).toEqual({ order_cancelled: 501, position_settled: 998 });
    expect(brokenInvariants(harness.state)).toEqual([]);
    expect(harness.state.market(2)).toMatchObject({ status: 'settling', markPrice: 137n });
    other.drop([]);
    other.drop([{ account: seller, payload: { type: 'transfer', to: buyers[0]!, amount: 5n } }]);
    other.block([]);
    other.restart();
    other.drop([]);
    harness.block([]);
    other.block([]);
    expect(kindsOf(harness)).toEqual({ position_settled: 402, market_status_set: 1 });
    expect(other.engine.ordersRoot()).toBe(harness.engine.ordersRoot());
    expect(harness.state.market(2)!.status).toBe('delisted');
    expect(brokenInvariants(harness.state)).toEqual([]);
    // Bought at 100 to 106, closed at 137: what buyers have more the seller has less.
    const gains = buyers.map((buyer) => harness.state.accountOf.get(buyer)!.collateral - 2000n);
    expect(gains).toEqual(buyers.map((_, index) => BigInt(37 - (index % 7)) * 3n));
    expect(worth(harness)).toBe(before);
    expect(harness.state.accountOf.get(seller)!.exposures.every(({ size }) => size === 0n)).toBe(true);
  });

  it('leaves equity as it is from the block on in which it begins, and nobody can trade or cancel', () => {
    const harness = market();
    begin(harness);
    const { results } = harness.block([
      { account: seller, payload: { type: 'cancelAll', marketId: marketId(2) } },
      { account: buyers[0]!, payload: { type: 'withdraw', to: buyers[0]!, amount: 1n } },
      { account: buyers[0]!, payload: order('buy', 1n, 1n) },
    ]);
    const settling = { error: { data: { kind: 'market_settling' } } };
    expect(results).toMatchObject([settling, { ok: true }, settling]);
  });

  it('of a market without anything is over in the next block', () => {
    const harness = createHarness({ params: { admin } });
    begin(harness);
    harness.block([]);
    expect(harness.events()).toMatchObject([
      { kind: 'market_status_set', data: { status: 'delisted', settlement_price: 137n } },
    ]);
    harness.block([]);
    expect(harness.events()).toEqual([]);
  });
});

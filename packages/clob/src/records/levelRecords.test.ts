import { describe, expect, it } from '@jest/globals';
import { checkRecordProof, decodeLevelRecord, levelRecordKey, recordKind } from '@prime/codec';
import { createPrng, hexToBytes } from '@prime/primitives';
import { levelsOfOrders, levelsOf } from '../testing/levels.ts';
import { addressOf, alice, bob, carol, createHarness, marketId, order, startMs } from '../testing/harness.ts';
import { randomBlock } from '../testing/streams.ts';

const params = { maxOpenOrders: 6, levelProofs: true } as const;
const level = (side: 'buy' | 'sell', price: bigint) => levelRecordKey({ marketId: marketId(2), side, price });

/** What a proof of the committed state shows about what rests at a price; null for nothing, undefined for no proof at all. */
function proven(harness: ReturnType<typeof createHarness>, key: Uint8Array): bigint | null | undefined {
  const { steps, leafKey } = harness.engine.prove(key);
  const stored = leafKey === null ? null : harness.records.get(String(leafKey))!;
  const record = stored === null ? null : { key: stored[0], value: stored[1] };
  const shown = checkRecordProof(hexToBytes(harness.engine.ordersRoot()), key, record, steps);
  if (shown === null) return undefined;
  return shown === 'present' ? decodeLevelRecord(record!.value).size : null;
}

describe('price levels as records', () => {
  it('one is there while somebody rests at the price, with the sum of what remains', () => {
    const harness = createHarness({ params });
    for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
    harness.act(alice, order('buy', 100n, 7n));
    harness.act(bob, order('buy', 100n, 5n));
    harness.act(bob, order('sell', 110n, 4n));
    expect([proven(harness, level('buy', 100n)), proven(harness, level('sell', 110n))]).toEqual([12n, 4n]);
    expect([proven(harness, level('sell', 100n)), proven(harness, level('buy', 101n))]).toEqual([null, null]);
    harness.act(carol, order('sell', 100n, 8n, { tif: 'ioc' }));
    expect(proven(harness, level('buy', 100n))).toBe(4n);
    harness.act(bob, { type: 'cancelAll', marketId: null });
    expect(proven(harness, level('buy', 100n))).toBeNull();
  });

  it('an account, an order and a level of the same state do not stand for each other', () => {
    const harness = createHarness({ params });
    harness.deposit(alice, 1_000_000n);
    harness.act(alice, order('buy', 100n, 7n));
    const key = level('buy', 100n);
    const { steps, leafKey } = harness.engine.prove(key);
    expect(recordKind(leafKey!)).toBe('level');
    const lie = { key, value: harness.records.get(String(key))![1].map((byte, at) => (at === 0 ? byte : byte ^ 1)) };
    expect(checkRecordProof(hexToBytes(harness.engine.ordersRoot()), key, lie, steps)).toBeNull();
  });

  it.each([1, 2, 3, 4])(
    'over random streams they are what the orders add up to, in both kinds of books: seed %i',
    (seed) => {
      const random = createPrng(seed);
      const narrow = createHarness({ params });
      const wide = createHarness({ params, wideBooks: true });
      const without = createHarness({ params: { maxOpenOrders: 6 } });
      let most = 0;
      for (let block = 1; block <= 80; block++) {
        const timeMs = startMs + block * 700;
        const options = {
          nowSeconds: Math.floor(timeMs / 1000),
          center: 85 + random.below(30),
          risky: true,
          ...(seed === 4 ? { scale: 1n << 60n } : {}),
        };
        if (random.chance(1, 8)) narrow.drop(randomBlock(random, 6, options), timeMs);
        if (random.chance(1, 15)) narrow.restart();
        const steps = randomBlock(random, 1 + random.below(10), options);
        const [a, b, c] = [narrow.block(steps, timeMs), wide.block(steps, timeMs), without.block(steps, timeMs)];
        expect(b.ordersRoot).toBe(a.ordersRoot);
        expect(a.results).toEqual(c.results);
        const levels = levelsOf(narrow.records.values());
        most = Math.max(most, levels.length);
        expect(levels).toEqual(levelsOfOrders(narrow.state));
        expect(levelsOf(without.records.values())).toEqual([]);
      }
      expect(most).toBeGreaterThan(5);
    },
  );

  it('a state whose levels are not those of its orders is refused', () => {
    const harness = createHarness({ params });
    harness.deposit(addressOf(1), 1_000_000n);
    harness.act(addressOf(1), order('buy', 100n, 7n));
    const key = String(level('buy', 100n));
    const [bytes, value] = harness.records.get(key)!;
    harness.records.set(key, [bytes, value.with(-1, value.at(-1)! + 1)]);
    expect(() => harness.restart()).toThrow('level');
    harness.records.delete(key);
    expect(() => harness.restart()).toThrow('level');
  });
});

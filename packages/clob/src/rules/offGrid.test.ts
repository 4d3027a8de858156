import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { alice, createHarness, marketId, order, orderId } from '../testing/harness.ts';

/** Tick 5, lot 10. */
const onGrid = { marketId: marketId(1) };
const buy = (price: bigint, size: bigint): ActionPayload => order('buy', price, size, onGrid);
const amountMax = (1n << 128n) - 1n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;

function refusalOf(payload: ActionPayload): unknown {
  const harness = createHarness();
  harness.deposit(alice, 1n << 200n);
  harness.act(alice, buy(100n, 10n));
  const result = harness.act(alice, payload);
  return result.ok ? null : result.error.data;
}

describe('a price off the grid', () => {
  it.each<[bigint, string | null, string | null]>([
    [0n, null, '0x5'],
    [1n, null, '0x5'],
    [4n, null, '0x5'],
    [6n, '0x5', '0xa'],
    [99n, '0x5f', '0x64'],
    [101n, '0x64', '0x69'],
    // 2^128 - 1 is itself a multiple of 5.
    [amountMax - 1n, hex(amountMax - 5n), hex(amountMax)],
  ])('%d is refused with the tick and the prices next to it', (price, below, above) => {
    const kind = price === 0n ? 'bad_price' : 'tick';
    const data = { kind, price: hex(price), tick_size: '0x5', nearest_below: below, nearest_above: above };
    expect(refusalOf(buy(price, 10n))).toEqual(data);
  });

  it('is refused the same way where an order is modified', () => {
    expect(refusalOf({ type: 'modify', orderId: orderId(1), price: 101n, size: 10n })).toEqual({
      kind: 'tick',
      price: '0x65',
      tick_size: '0x5',
      nearest_below: '0x64',
      nearest_above: '0x69',
    });
  });
});

describe('a size off the grid', () => {
  it.each<[bigint, string | null, string | null]>([
    [0n, null, '0xa'],
    [9n, null, '0xa'],
    [11n, '0xa', '0x14'],
    // The next multiple of 10 has 129 bits.
    [amountMax, hex(amountMax - 5n), null],
  ])('%d is refused with the lot and the sizes next to it', (size, below, above) => {
    const kind = size === 0n ? 'bad_size' : 'lot';
    const data = { kind, size: hex(size), lot_size: '0xa', nearest_below: below, nearest_above: above };
    expect(refusalOf(buy(100n, size))).toEqual(data);
  });

  it('names prices and sizes that are taken', () => {
    for (const [price, size] of [
      [95n, 10n],
      [100n, 20n],
      [105n, 10n],
    ] as const)
      expect(refusalOf(buy(price, size))).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { alice, createHarness, gateway, wordsOf } from '../testing/harness.ts';

const noop: ActionPayload = { type: 'noop' };

describe('gateway nonces', () => {
  it('may arrive out of order within the window, once each', () => {
    const harness = createHarness();
    const words = (nonce: number): string => wordsOf(harness.act(alice, noop, { nonce }));
    expect([10_000, 5_905, 9_000, 9_000, 5_904, 10_001, 5_905].map(words)).toEqual([
      '',
      '',
      '',
      'nonce used',
      'nonce too old',
      '',
      'nonce too old',
    ]);
  });

  it('may not be more than a thousand seconds of microseconds ahead', () => {
    const harness = createHarness();
    const limit = (harness.now() + 100) * 1000 + 1_000_000_000;
    expect(wordsOf(harness.act(alice, noop, { nonce: limit + 1 }))).toBe('nonce too far ahead');
    expect(wordsOf(harness.act(alice, noop, { nonce: limit - 100_000 }))).toBe('');
  });

  it('are taken in proposed order, also where cancels run first', () => {
    const harness = createHarness();
    const { results } = harness.block([
      { account: alice, payload: noop, nonce: 1 },
      { account: alice, payload: { type: 'cancelAll', marketId: null }, nonce: 9000 },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('are not looked at where genesis wants signatures: the action is refused', () => {
    const harness = createHarness({ actionsMode: 'signed' });
    expect(wordsOf(harness.act(alice, noop))).toBe(`signer ${gateway} may not act for ${alice}`);
  });
});

describe('nonces of signers', () => {
  const day = 86_400_000;
  const setup = (): { words: (offset: number) => string } => {
    const harness = createHarness();
    const base = harness.now();
    return { words: (offset) => wordsOf(harness.act(alice, noop, { signatureKind: 'raw', nonce: base + offset })) };
  };

  it('stand in a window of block time', () => {
    const { words } = setup();
    expect(words(day + 200)).toBe('nonce too far ahead');
    expect(words(-2 * day)).toBe('nonce too old');
    expect(words(-2 * day + 60_000)).toBe('');
    expect(words(day - 60_000)).toBe('');
  });

  it('are kept, the 64 highest of them, and nothing below the lowest is taken', () => {
    const { words } = setup();
    for (let offset = 0; offset < 64; offset++) expect(words(offset * 2)).toBe('');
    expect(words(3)).toBe('');
    // 0 fell out when 3 came in; 2 is the lowest now.
    expect(words(1)).toBe('nonce too old');
    expect(words(2)).toBe('nonce used');
    expect(words(5)).toBe('');
  });
});

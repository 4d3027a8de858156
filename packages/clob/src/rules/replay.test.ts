import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { alice, createHarness, gateway, type Harness, type Step, wordsOf } from '../testing/harness.ts';

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

  it('of one block are kept as those of many blocks are, and are gone when it is undone', () => {
    const [together, apart] = [createHarness(), createHarness()];
    const base = together.now();
    const first = [500, 900, 700].map((offset) => base + offset);
    // 90 of one block, out of order, and some of them twice.
    const then = Array.from({ length: 90 }, (_, index) => base + ((index * 37) % 80) * 3);
    const nonces = (harness: Harness): readonly number[] | undefined => harness.state.signerNonces.get(alice);
    const step = (nonce: number): Step => ({ account: alice, payload: noop, signatureKind: 'raw', nonce });
    for (const harness of [together, apart]) harness.block(first.map(step));
    const before = nonces(together);
    expect(before).toEqual(first.toSorted((a, b) => a - b));
    together.drop(then.map(step));
    expect(nonces(together)).toBe(before);
    expect(before).toEqual(first.toSorted((a, b) => a - b));
    const outcome = together.block(then.map(step));
    const results = then.map((nonce) => apart.block([step(nonce)]).results[0]!);
    expect(outcome.results.map(wordsOf)).toEqual(results.map(wordsOf));
    expect(nonces(together)).toEqual(nonces(apart));
    expect(nonces(together)).toHaveLength(64);
  });
});

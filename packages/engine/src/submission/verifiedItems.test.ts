import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { createVerifiedItems } from './verifiedItems.ts';

/** Items whose verifier takes bytes that begin with 0xff for bad ones, and answers when the test says so. */
function open() {
  const checked: Uint8Array[][] = [];
  const counts = { recovered: 0, known: 0 };
  let gate: Promise<void> = Promise.resolve();
  const pooled = new Map<string, VerifiedTransaction>();
  const items = createVerifiedItems({
    verifier: {
      async transactions(raws) {
        checked.push([...raws]);
        await gate;
        return raws.map((raw) =>
          raw[0] === 0xff ? { failure: 'bad' } : ({ raw, hash: keccakHex(raw) } as VerifiedTransaction),
        );
      },
      actions: async () => [],
    },
    mempool: { transaction: (hash) => pooled.get(hash) ?? null, action: () => null },
    metrics: {
      recovered(_kind, recovered, known) {
        counts.recovered += recovered;
        counts.known += known;
      },
    },
  });
  return {
    lane: items.transactions,
    checked,
    counts,
    pooled,
    /** @returns what lets all checks from now on end */
    hold(): () => void {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

/** Bytes that no other number has. */
const item = (number: number, length = 4): Uint8Array => {
  const raw = new Uint8Array(length);
  new DataView(raw.buffer).setUint32(0, number);
  return raw;
};

describe('items that were verified', () => {
  it('one batch with known ones, new ones, bad ones and the same twice: verdicts in order, each checked once', async () => {
    const { lane, checked, counts, pooled } = open();
    const bad = Uint8Array.of(0xff, 1);
    const waiting = item(9);
    pooled.set(keccakHex(waiting), { raw: waiting, hash: keccakHex(waiting) } as VerifiedTransaction);
    await lane.verify([item(1)]);
    const verdicts = await lane.verify([item(2), bad, item(1), waiting, item(2), item(3)]);
    expect(verdicts.map((verdict) => ('failure' in verdict ? verdict.failure : verdict.hash))).toEqual([
      keccakHex(item(2)),
      'bad',
      keccakHex(item(1)),
      keccakHex(waiting),
      keccakHex(item(2)),
      keccakHex(item(3)),
    ]);
    expect(checked).toEqual([[item(1)], [item(2), bad, item(3)]]);
    expect(counts).toEqual({ recovered: 4, known: 3 });
  });

  it('what is being checked is waited for, also with what is checked for the first time; bad ones are checked again later', async () => {
    const { lane, checked, hold } = open();
    const bad = Uint8Array.of(0xff, 2);
    const release = hold();
    const first = lane.verify([item(1), bad]);
    const second = lane.verify([bad, item(2), item(1)]);
    expect(checked).toEqual([[item(1), bad], [item(2)]]);
    release();
    expect((await first).map((verdict) => 'failure' in verdict)).toEqual([false, true]);
    expect((await second).map((verdict) => 'failure' in verdict)).toEqual([true, false, false]);
    await lane.verify([bad, item(1)]);
    expect(checked).toHaveLength(3);
    expect(checked[2]).toEqual([bad]);
  });

  it('a check that fails as a whole fails for all who wait, and is made anew', async () => {
    let fails = true;
    const items = createVerifiedItems({
      verifier: {
        async transactions(raws) {
          if (fails) throw new Error('no threads');
          return raws.map((raw) => ({ raw, hash: keccakHex(raw) }) as VerifiedTransaction);
        },
        actions: async () => [],
      },
      mempool: { transaction: () => null, action: () => null },
      metrics: { recovered: () => undefined },
    });
    const both = [items.transactions.verify([item(1)]), items.transactions.verify([item(1)])];
    for (const verdicts of both) await expect(verdicts).rejects.toThrow('no threads');
    fails = false;
    expect(await items.transactions.verify([item(1)])).toHaveLength(1);
  });

  it.each([
    [4, 8_191, true],
    [4, 8_192, true],
    [4, 16_384, false],
    [1 << 20, 7, true],
    [1 << 20, 8, true],
    [1 << 20, 16, false],
  ])('of items of %i bytes one is remembered after %i others: %s', async (length, others, isKnown) => {
    const { lane } = open();
    await lane.verify([item(0, length)]);
    await lane.verify(Array.from({ length: others }, (_, index) => item(index + 1, length)));
    expect(lane.find(keccakHex(item(0, length))) !== null).toBe(isKnown);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import { Ledger } from './ledger.ts';
import { rowOutcomes } from '../worker/messages.ts';

const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}` as Hash;
const sender = `0x${'a'.repeat(40)}` as Address;

/** A ledger with so many announced operations of worker 0. */
function ledgerOf(count: number): Ledger {
  const ledger = new Ledger();
  const all = Array.from({ length: count }, (_, index) => index);
  ledger.announced(0, {
    type: 'announced',
    first: 0,
    kinds: all.map(() => 'order'),
    hashes: all.map(hashOf),
    senders: all.map(() => sender),
  });
  return ledger;
}

const tell = (
  ledger: Ledger,
  place: number,
  outcome: (typeof rowOutcomes)[number],
  scheduledMs = 0,
  offsetMs = 0,
): unknown =>
  ledger.told(
    0,
    {
      rows: Float64Array.from([place, 0, scheduledMs, scheduledMs + 1, scheduledMs + 5, rowOutcomes.indexOf(outcome)]),
    },
    offsetMs,
  );
const block = (ledger: Ledger, height: number, places: readonly number[], atMs = 100): number =>
  ledger.block({ height, atMs, hashes: places.map(hashOf) });

describe('Ledger', () => {
  it('is content with what was acknowledged and found once, refused and never found, unknown and either', () => {
    const ledger = ledgerOf(6);
    for (const [place, outcome] of [
      [0, 'acknowledged'],
      [1, 'refused'],
      [2, 'unknown'],
      [3, 'unknown'],
    ] as const)
      tell(ledger, place, outcome);
    expect(ledger.open).toBe(1);
    expect(block(ledger, 7, [0, 2, 99])).toBe(2);
    ledger.executed(hashOf(0), 'CLOB_BAD_PRICE');
    expect(ledger.open).toBe(0);
    expect(ledger.committed).toBe(2);
    expect(ledger.finding()).toEqual({
      rule: 'every operation accounted for',
      seen: '1 in a block, execution refused: CLOB_BAD_PRICE, 1 refused, 1 in a block, 1 without an answer, found in a block, 1 without an answer, in no block',
      violations: [],
    });
    expect(ledger.losses(true)).toEqual({ lost: 0, doubled: 0, unresolved: 0 });
    // Of the two without an answer one is in a block; of the other nobody knows where blocks could not be read.
    expect(ledger.losses(false)).toEqual({ lost: 0, doubled: 0, unresolved: 1 });
  });

  it('names what is lost, doubled, and done although it was refused', () => {
    const ledger = ledgerOf(3);
    tell(ledger, 0, 'acknowledged');
    tell(ledger, 1, 'acknowledged');
    tell(ledger, 2, 'refused');
    block(ledger, 7, [1, 2]);
    block(ledger, 9, [1]);
    expect(ledger.finding().violations).toEqual([
      `order ${hashOf(0)} of ${sender} was acknowledged, and is in no block`,
      `order ${hashOf(1)} of ${sender} is in 2 blocks: 7, 9`,
      `order ${hashOf(2)} of ${sender} was refused, and is in block 7`,
    ]);
    expect(ledger.losses(true)).toEqual({ lost: 1, doubled: 1, unresolved: 0 });
  });

  it('what waits in a mempool at the end is late, and not lost', () => {
    const ledger = ledgerOf(3);
    for (const place of [0, 1, 2]) tell(ledger, place, 'acknowledged');
    block(ledger, 7, [2]);
    expect(ledger.openHashes).toEqual([hashOf(0), hashOf(1)]);
    ledger.waiting(new Set([hashOf(1)]));
    expect(ledger.finding().violations).toEqual([
      `order ${hashOf(0)} of ${sender} was acknowledged, and is in no block`,
      `order ${hashOf(1)} of ${sender} was acknowledged, and waits in a mempool at the end`,
    ]);
    expect(ledger.losses(true)).toEqual({ lost: 1, doubled: 0, unresolved: 1 });
  });

  it('twice in one block is twice', () => {
    const ledger = ledgerOf(1);
    tell(ledger, 0, 'acknowledged');
    block(ledger, 7, [0, 0]);
    expect(ledger.losses(true)).toMatchObject({ doubled: 1 });
  });

  it('what a worker never told of is nobody’s fault, in a block or not', () => {
    const ledger = ledgerOf(2);
    block(ledger, 7, [1]);
    expect(ledger.finding()).toMatchObject({ violations: [] });
    expect(ledger.finding().seen).toContain('1 without an answer, found in a block');
  });

  it('counts from due to visible on its own clock, whichever of both is told first', () => {
    const ledger = ledgerOf(2);
    tell(ledger, 0, 'acknowledged', 20, 1000);
    block(ledger, 7, [0, 1], 1100);
    tell(ledger, 1, 'acknowledged', 40, 1000);
    expect([...ledger.visible.values()].map(([ms]) => Math.round(ms))).toEqual([60, 80]);
    expect(ledger.open).toBe(0);
  });

  it('a generator that makes an operation twice is told of', () => {
    const ledger = ledgerOf(1);
    ledger.announced(1, { type: 'announced', first: 0, kinds: ['x'], hashes: [hashOf(0)], senders: [null] });
    expect(ledger.finding().violations).toEqual([`${hashOf(0)} was made twice by the generator`]);
  });

  it('refuses to be told of what was not announced', () => {
    expect(() => tell(ledgerOf(1), 1, 'acknowledged')).toThrow('worker 0 tells of place 1');
  });
});

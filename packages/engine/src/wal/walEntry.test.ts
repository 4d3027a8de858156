import { describe, expect, it } from '@jest/globals';
import { encodeRlp } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { decodeWalEntry, encodeWalEntry, type WalEntry } from './walEntry.ts';

const vote = {
  type: 'precommit' as const,
  height: 9 as Height,
  round: 2 as Round,
  blockHash: `0x${'ab'.repeat(32)}` as Hash,
  validator: `0x${'cd'.repeat(20)}` as Address,
  signature: new Uint8Array(65).fill(3),
};

describe('entries of the write-ahead log', () => {
  const entries: WalEntry[] = [
    { kind: 'start', height: 9 as Height, version: 2 },
    { kind: 'vote', vote },
    { kind: 'vote', vote: { ...vote, type: 'prevote', blockHash: null } },
    { kind: 'votes', votes: [vote, { ...vote, round: 0 as Round }] },
    { kind: 'timeout', round: 0 as Round, step: 'propose' },
    { kind: 'timeout', round: 3 as Round, step: 'precommit' },
  ];

  it.each(entries.map((entry) => [entry.kind, entry] as const))('%s: read back as it was written', (_, entry) => {
    expect(decodeWalEntry(encodeWalEntry(entry))).toEqual(entry);
  });

  it('a form that this program does not write: ENGINE_STORE_CORRUPT', () => {
    const corrupt = expect.objectContaining({ code: 'ENGINE_STORE_CORRUPT' });
    const byte = (value: number): Uint8Array => Uint8Array.of(value);
    for (const item of [byte(1), [], [byte(9)], [byte(1)], [[], byte(1)], [byte(4), byte(1), byte(3)]])
      expect(() => decodeWalEntry(encodeRlp(item))).toThrow(corrupt);
  });
});

import { expect, it } from '@jest/globals';
import type { StoredBlock } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { PeerMessage } from '../ports.ts';
import { BlockSync } from './blockSync.ts';

const peer = `0x${'11'.repeat(20)}` as Address;
const stored = {
  block: { header: { height: 8 }, transactions: [], actions: [], evidence: [] },
} as unknown as StoredBlock;

/** The block sync of a process that started at some time with a head, told of a peer that has twenty blocks. */
function start(startedMs: number, head: number) {
  const asked: (PeerMessage & { readonly kind: 'blocksRequest' })[] = [];
  const banned: string[] = [];
  const sync = new BlockSync({
    clock: { nowMs: () => startedMs, monotonicMs: () => startedMs, after: () => () => undefined },
    head: () => head as Height,
    send: (_to, message) => asked.push(message as (typeof asked)[0]) > 0,
    ban: (_peer, reason) => banned.push(reason),
    burden: () => undefined,
    apply: async () => null,
    onFatal: (error) => {
      throw error;
    },
  });
  sync.onHead();
  sync.onPeerClaim(peer, 1 as Height, 20 as Height);
  return { sync, asked, banned };
}

it('an answer to a request of the process before is nothing, and its sender is not banned', () => {
  const before = start(1_000, 7);
  const now = start(1_001, 9);
  expect([before.asked[0]!.from, now.asked[0]!.from]).toEqual([8, 10]);
  now.sync.onBlocks(peer, { kind: 'blocks', requestId: before.asked[0]!.requestId, blocks: [stored] });
  expect(now.banned).toEqual([]);
  now.sync.onBlocks(peer, { kind: 'blocks', requestId: now.asked[0]!.requestId, blocks: [stored] });
  expect(now.banned).toEqual(['sent other blocks than it was asked for']);
});

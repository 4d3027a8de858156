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
function start(startedMs: number, head: number, base = 1) {
  const warnings: (readonly [string, object | undefined])[] = [];
  const time = { nowMs: startedMs };
  const asked: (PeerMessage & { readonly kind: 'blocksRequest' })[] = [];
  const banned: string[] = [];
  const sync = new BlockSync({
    clock: { nowMs: () => startedMs, monotonicMs: () => time.nowMs, after: () => () => undefined },
    head: () => head as Height,
    send: (_to, message) => asked.push(message as (typeof asked)[0]) > 0,
    ban: (_peer, reason) => banned.push(reason),
    burden: () => undefined,
    apply: async () => null,
    onFatal: (error) => {
      throw error;
    },
    log: { warn: (words, fields) => warnings.push([words, fields]) },
    listeners: () => ({ set: { validators: [] }, self: null, isNamed: () => true }),
  });
  sync.onHead();
  sync.onPeerClaim(peer, base as Height, 20 as Height);
  return { sync, asked, banned, warnings, time };
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

it('a node behind peers that do not keep what it needs is not current, and says once a minute what to do', () => {
  const { sync, warnings, time } = start(1_000, 7, 9);
  expect(sync.standing()).toEqual({ isCurrent: false, behindFrom: 7, keptFrom: 9 });
  for (const nowMs of [1_000, 2_000, 60_999, 61_000, 61_001]) {
    time.nowMs = nowMs;
    sync.remind();
  }
  expect(warnings).toEqual([
    ['peers keep blocks from 9: start from a snapshot', { head: 7 }],
    ['peers keep blocks from 9: start from a snapshot', { head: 7 }],
  ]);
  const served = start(1_000, 7, 8);
  served.sync.remind();
  expect([served.sync.standing().keptFrom, served.warnings]).toEqual([null, []]);
});

import { describe, expect, it } from '@jest/globals';
import { nativeTransactionHash } from '@prime/codec';
import { type Address, type Hash, isPrimeError } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

/** Blocks of five actions each 50 ms: 100 a second, and twice as many are sent. */
const actionsPerBlock = 5;
const sentEachMs = 50;
const sentAtOnce = 10;
const accounts = 40;
/** Of the pools. */
const drainMs = 2_000;
/** Before the first full block nobody knows the rate. */
const settlingMs = 3_000;
const runMs = 9_000;

describe('four engines to which clients send more than blocks take', () => {
  it('refuse what would wait too long, and commit the rest once each, within one and a half times the limit', async () => {
    const cluster = await Cluster.create(4, 71);
    Object.assign(cluster.genesis.consensus, { maxBlockActions: actionsPerBlock });
    for (const { index } of cluster.nodes) await cluster.start(index);
    const { time } = cluster;
    const begunMs = time.nowMs;
    const sentMs = new Map<Hash, number>();
    const refusals: unknown[] = [];
    let count = 0;
    const send = async (): Promise<void> => {
      const account = `0x${(0xacc0 + (count % accounts)).toString(16).padStart(40, '0')}` as Address;
      const { engine } = cluster.nodes[count % 4]!;
      count += 1;
      try {
        sentMs.set(await engine!.submitAction(account, { type: 'deposit', amount: BigInt(count) }), time.nowMs);
      } catch (error) {
        if (!isPrimeError(error)) throw error;
        refusals.push(error.detail);
      }
    };
    const committedMs = new Map<Hash, number>();
    let seen = 0;
    const look = (): void => {
      const { blocks } = cluster.nodes[0]!.disk;
      for (; seen < blocks.length; seen++)
        for (const hash of blocks[seen]!.block.actions.map(nativeTransactionHash)) {
          expect(committedMs.has(hash)).toBe(false);
          committedMs.set(hash, time.nowMs);
        }
    };
    while (time.nowMs - begunMs < runMs) {
      for (let turn = 0; turn < sentAtOnce; turn++) await send();
      const untilMs = time.nowMs + sentEachMs;
      time.after(sentEachMs, () => undefined);
      await time.runUntil(() => time.nowMs >= untilMs, sentEachMs);
      look();
    }
    const all = (): boolean => {
      look();
      return committedMs.size === sentMs.size;
    };
    expect(await time.runUntil(all, 60_000)).toBe(true);
    expect(refusals.length).toBeGreaterThan(300);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'MEMPOOL_FULL', retryAfterMs: expect.any(Number) });
    const waits = [...sentMs]
      .filter(([, ms]) => ms - begunMs > settlingMs)
      .map(([hash, ms]) => committedMs.get(hash)! - ms);
    const sorted = waits.toSorted((one, other) => one - other);
    expect(waits.length).toBeGreaterThan(300);
    expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThanOrEqual(1.5 * drainMs + sentEachMs);
    // It is not refused more than that: blocks are full.
    const full = cluster.nodes[0]!.disk.blocks.filter(({ block }) => block.actions.length === actionsPerBlock);
    expect(full.length).toBeGreaterThan((0.9 * (sentMs.size - actionsPerBlock)) / actionsPerBlock);
    expectSafe(cluster);
  });
});

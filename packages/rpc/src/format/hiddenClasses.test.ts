import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { DomainEvent, Receipt } from '@prime/codec';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';
import { eventEntry } from './event.ts';
import { logEntries } from './log.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameMap = runInThisContext('(first, second) => %HaveSameMap(first, second)') as (
  first: object,
  second: object,
) => boolean;

const hash = `0x${'ab'.repeat(32)}` as Hash;
const count = 50;

/** Hidden classes among objects. */
function classesOf(objects: readonly object[]): number {
  const found: object[] = [];
  for (const each of objects) if (!found.some((known) => haveSameMap(known, each))) found.push(each);
  return found.length;
}

// docs/performance/object-shapes.md: V8 of Node 20 gives each object a class of its own where properties are added after a spread.
describe('hidden classes of what is made for each event and log', () => {
  it('sees classes that differ', () => {
    const known = { a: 1, b: 2, c: 3, d: 4, e: 5 };
    expect(classesOf([known, { a: 1 }, { a: 2 }])).toBe(2);
  });

  it('are one for events', () => {
    const event = (orderId: number): DomainEvent => ({
      domain: 'orders',
      kind: 'order_accepted',
      actionIndex: 0,
      data: { order_id: orderId },
    });
    const events = Array.from({ length: count }, (_, index) =>
      eventEntry(1 as Height, 1_000 as TimestampMs, hash, index, event(index), [hash]),
    );
    expect(events[7]).toEqual({
      ...event(7),
      height: 1,
      timestampMs: 1000,
      blockHash: hash,
      index: 7,
      transactionHash: hash,
    });
    expect(classesOf(events)).toBe(1);
  });

  it('are one for logs', () => {
    const log = { address: `0x${'11'.repeat(20)}` as Address, topics: [hash], data: new Uint8Array(4) };
    const receipt = {
      transactionHash: hash,
      transactionIndex: 2,
      logs: Array.from({ length: count }, () => ({ ...log })),
    } as unknown as Receipt;
    const header = { height: 3 as Height, timestampMs: 1000 as TimestampMs };
    const record = { block: { header }, hash } as unknown as Parameters<typeof logEntries>[0];
    const entries = logEntries(record, receipt, 5);
    expect(entries[1]).toEqual({
      ...log,
      height: 3,
      blockHash: hash,
      timestampMs: 1000,
      transactionHash: hash,
      transactionIndex: 2,
      logIndex: 6,
    });
    expect(classesOf(entries)).toBe(1);
  });
});

import { type MarketId, type OrderId, compareBytes, type Address } from '@prime/primitives';
import {
  accountRecordKey,
  agentRecordKey,
  closedOrdersRecordKey,
  globalRecordKey,
  marketRecordKey,
  nonceRecordKey,
  orderRecordKey,
  recordKind,
  recordNumber,
  transferRecordKey,
} from './recordKeys.ts';
import { expect, it } from '@jest/globals';
const alice = `0x${'a1'.repeat(20)}` as Address;
const bob = `0x${'b2'.repeat(20)}` as Address;

it('a key tells its kind and its number, and keys sort by kind, then number', () => {
  const ids = [1, 2, 255, 256, 65_536, 0xffffffff];
  const keys = [
    globalRecordKey(),
    ...ids.map((id) => marketRecordKey(id as MarketId)),
    ...[...ids, 2 ** 32, Number.MAX_SAFE_INTEGER].map((id) => orderRecordKey(id as OrderId)),
    accountRecordKey(alice),
    accountRecordKey(bob),
    nonceRecordKey(alice),
    agentRecordKey(alice, bob),
    ...[1, 256].map(transferRecordKey),
    ...[0, 256].map(closedOrdersRecordKey),
  ];
  expect(keys.toSorted(compareBytes)).toEqual(keys);
  expect(keys.map(recordKind)).toEqual([
    'global',
    ...ids.map(() => 'market'),
    ...[...ids, 0, 0].map(() => 'order'),
    'account',
    'account',
    'nonce',
    'agent',
    'transfer',
    'transfer',
    'closedOrders',
    'closedOrders',
  ]);
  expect(recordNumber(orderRecordKey(Number.MAX_SAFE_INTEGER as OrderId))).toBe(Number.MAX_SAFE_INTEGER);
  expect(recordNumber(marketRecordKey(7 as MarketId))).toBe(7);
  for (const bad of [new Uint8Array(0), Uint8Array.of(6), Uint8Array.of(1), new Uint8Array(22).fill(3)])
    expect(() => recordKind(bad)).toThrow(/record key/);
});

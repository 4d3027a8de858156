import { describe, expect, it } from '@jest/globals';
import { type Address, bytesToHex, type MarketId } from '@prime/primitives';
import fc from 'fast-check';
import {
  address,
  amount,
  bytes,
  clientId,
  counter,
  marketId,
  orderId,
  selfTradeMode,
  side,
  signedInteger,
  timeInForce,
  wei,
  closedOrder,
  globalFields,
  marketRecord,
} from '../testing/arbitraries.ts';
import { kind } from '../testing/kinds.ts';
import {
  type AccountRecord,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeTransferRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeTransferRecord,
  type PositionRecord,
} from './clobRecords.ts';
import {
  closedOrderIds,
  decodeRestingOrder,
  eachEndedOrder,
  namedEnds,
  orderName,
  orderNameBytes,
} from './recordParts.ts';

const alice = `0x${'a1'.repeat(20)}` as Address;
const signedWei = signedInteger(256);
const signedSize = signedInteger(128);
const positions = fc
  .uniqueArray(
    fc
      .record(
        { marketId, size: signedSize, entry: wei, fundingIndex: signedWei },
        { requiredKeys: ['marketId', 'size', 'entry'] },
      )
      .map((record): PositionRecord => record),
    {
      selector: (entry) => entry.marketId,
      maxLength: 5,
    },
  )
  .map((entries) => entries.toSorted((a, b) => a.marketId - b.marketId));

const closedOrders = fc.record({
  height: fc.maxSafeNat(),
  orders: fc.array(closedOrder(amount), { maxLength: 3 }),
});

const restingOrder = fc.record({
  orderId,
  marketId,
  owner: address,
  side,
  price: amount,
  size: amount,
  remaining: amount,
  tif: timeInForce,
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  selfTrade: selfTradeMode,
  clientId,
  expiresAt: fc.maxSafeNat(),
  createdBlock: fc.maxSafeNat(),
});

const kinds = [
  kind('global', {
    arbitrary: fc.record(
      {
        ...globalFields(wei),
        funding: fc.record({ interval: fc.maxSafeNat(), pool: signedWei, dust: wei }),
      },
      {
        requiredKeys: Object.keys(globalFields(wei)) as (keyof ReturnType<typeof globalFields>)[],
      },
    ),
    encode: encodeGlobalRecord,
    decode: decodeGlobalRecord,
  }),
  kind('market', {
    arbitrary: marketRecord,
    encode: encodeMarketRecord,
    decode: decodeMarketRecord,
  }),
  kind('transfer', {
    arbitrary: fc.record({
      transferId: counter,
      direction: fc.constantFrom('orders_to_evm' as const, 'evm_to_orders' as const),
      from: address,
      to: address,
      amount: wei,
      createdBlock: fc.maxSafeNat(),
    }),
    encode: encodeTransferRecord,
    decode: decodeTransferRecord,
  }),
  kind('closed orders', {
    arbitrary: closedOrders,
    encode: encodeClosedOrdersRecord,
    decode: decodeClosedOrdersRecord,
  }),
  kind('order', {
    arbitrary: restingOrder,
    encode: encodeOrderRecord,
    decode: decodeOrderRecord,
  }),
  kind('account', {
    arbitrary: fc.record(
      {
        address,
        collateral: signedWei,
        locked: fc.boolean(),
        positions,
        subAccount: fc.record({ owner: address, index: fc.integer({ min: 1, max: 0xffffffff }) }),
        claims: fc.array(fc.record({ marketId, amount: signedWei }), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: ['address', 'collateral', 'locked', 'positions'] },
    ),
    encode: encodeAccountRecord,
    decode: decodeAccountRecord as (value: Uint8Array) => never,
  }),
  kind('nonce', {
    arbitrary: fc.record({
      signer: address,
      newest: fc.maxSafeNat(),
      used: bytes(512),
    }),
    encode: encodeNonceRecord,
    decode: decodeNonceRecord,
  }),
  kind('agent', {
    arbitrary: fc.record({
      account: address,
      agent: address,
      expiry: fc.maxSafeNat(),
      permissions: fc.nat(),
      name: fc.string({ maxLength: 64 }),
      revoked: fc.boolean(),
    }),
    encode: encodeAgentRecord,
    decode: decodeAgentRecord,
  }),
] as const;

describe('records of the order book domain', () => {
  it.each(kinds)(
    '%s: any record survives encoding, and its bytes are canonical',
    (_name, { arbitrary, encode, decode }) => {
      fc.assert(
        fc.property(arbitrary, fc.nat(), fc.nat(255), (record, place, byte) => {
          const bytes = encode(record);
          expect(decode(bytes)).toEqual(record);
          bytes[place % bytes.length] = byte;
          let decoded: unknown;
          try {
            decoded = decode(bytes);
          } catch (error) {
            expect(String((error as { code?: string }).code)).toMatch(/^CODEC_/);
            return;
          }
          expect(encode(decoded)).toEqual(bytes);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('parts of orders are those of whole ones', () => {
    fc.assert(
      fc.property(restingOrder, closedOrders, (order, closed) => {
        expect(encodeOrderRecord({ ...order, ...decodeRestingOrder(encodeOrderRecord(order)) })).toEqual(
          encodeOrderRecord(order),
        );
        expect(order).toMatchObject(decodeRestingOrder(encodeOrderRecord(order)));
        const record = encodeClosedOrdersRecord(closed);
        expect(closedOrderIds(record)).toEqual(closed.orders.map((each) => each.orderId));
        const told: unknown[] = [];
        eachEndedOrder(record, (id, start, place) =>
          told.push([id, bytesToHex(record.subarray(start, start + 20)), place]),
        );
        expect(told).toEqual(closed.orders.map(({ orderId, owner }, place) => [orderId, owner, place]));
        const named = closed.orders.flatMap(({ orderId, owner, clientId, end, filled }, place) =>
          clientId === null
            ? []
            : [{ place, orderId, name: orderName(owner, clientId), isFilled: end === 'filled', filled }],
        );
        expect(namedEnds(record)).toEqual(named);
        for (const { owner, clientId } of closed.orders)
          if (clientId !== null)
            expect(bytesToHex(orderNameBytes(orderName(owner, clientId)))).toBe(owner + clientId.slice(2));
      }),
    );
  });

  it('positions out of order or twice are refused', () => {
    const position = (id: number): AccountRecord['positions'][number] => ({
      marketId: id as MarketId,
      size: 1n,
      entry: 1n,
    });
    const encode = (...ids: number[]): Uint8Array =>
      encodeAccountRecord({ address: alice, collateral: 0n, locked: false, positions: ids.map(position) });
    expect(decodeAccountRecord(encode(1, 2)).positions).toHaveLength(2);
    for (const ids of [
      [2, 1],
      [1, 1],
    ])
      expect(() => decodeAccountRecord(encode(...ids))).toThrow(/ascending/);
  });
});

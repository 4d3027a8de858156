import { describe, expect, it } from '@jest/globals';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import {
  bookAmount,
  bytes,
  clientId,
  counted,
  marketId,
  orderId,
  uint,
  closedOrder,
  globalFields,
  marketFields,
} from '../testing/arbitraries.ts';
import {
  encodeAccountRecord,
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeOrderRecord,
  type GlobalRecord,
  type MarketRecord,
} from './clobRecords.ts';
import { orderEnds } from '../actions/orderEnds.ts';
import {
  endAccount,
  endClaims,
  endClosedOrders,
  writeClaim,
  writeClosedOrder,
  writeGlobalRecord,
  writeMarketRecord,
  writeOrderRecord,
  writePosition,
  writeSubAccount,
} from './recordWriters.ts';
import { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { selfTradeModes, sides, timesInForce, triggerKinds } from '../actions/orderWords.ts';

const owner = bytes(20);
const written = (writer: RlpBackwards): Uint8Array => writer.view(writer.length, writer.length);

describe('writeOrderRecord', () => {
  it('gives the bytes of encodeOrderRecord', () => {
    const record = fc.record({
      orderId,
      marketId,
      owner,
      side: fc.constantFrom(0, 1),
      price: bookAmount,
      size: bookAmount,
      remaining: bookAmount,
      isPostOnly: fc.boolean(),
      isReduceOnly: fc.boolean(),
      selfTrade: fc.constantFrom(0, 1, 2, 3),
      clientId,
      expiresAt: fc.maxSafeNat(),
      createdBlock: fc.maxSafeNat(),
    });
    fc.assert(
      fc.property(record, ({ price, size, remaining, ...parts }) => {
        const writer = new RlpBackwards(16);
        const quantities = { price: counted(price), size: counted(size), remaining: counted(remaining) };
        writeOrderRecord(writer, { ...parts, ...quantities });
        const expected = encodeOrderRecord({
          orderId: parts.orderId,
          marketId: parts.marketId,
          owner: bytesToHex(parts.owner) as Address,
          side: parts.side === 0 ? 'buy' : 'sell',
          price,
          size,
          remaining,
          tif: 'gtc',
          postOnly: parts.isPostOnly,
          reduceOnly: parts.isReduceOnly,
          selfTrade: selfTradeModes[parts.selfTrade]!,
          clientId: parts.clientId,
          expiresAt: parts.expiresAt,
          createdBlock: parts.createdBlock,
        });
        expect(written(writer)).toEqual(expected);
      }),
    );
  });
});

describe('writeClosedOrder', () => {
  it('gives the bytes of encodeClosedOrdersRecord, however many there are', () => {
    fc.assert(
      fc.property(fc.array(closedOrder(bookAmount), { maxLength: 40 }), fc.maxSafeNat(), (orders, height) => {
        const writer = new RlpBackwards(16);
        for (const {
          price,
          size,
          filled,
          remaining,
          owner: address,
          side,
          tif,
          end,
          trigger,
          ...rest
        } of orders.toReversed())
          writeClosedOrder(writer, {
            ...rest,
            owner: hexToBytes(address),
            side: sides.indexOf(side),
            price: counted(price),
            size: counted(size),
            tif: timesInForce.indexOf(tif),
            end: orderEnds.indexOf(end),
            trigger: trigger === undefined ? null : { ...trigger, kind: triggerKinds.indexOf(trigger.kind) },
            filled: counted(filled),
            remaining: counted(remaining),
          });
        endClosedOrders(writer, height, 0);
        expect(written(writer)).toEqual(encodeClosedOrdersRecord({ height, orders }));
      }),
    );
  });
});

describe('writeMarketRecord', () => {
  it('gives the bytes of encodeMarketRecord', () => {
    const symbol = fc.constantFrom('A/B', 'ETH/USD', `${'A'.repeat(15)}/${'z'.repeat(16)}`);
    const market: fc.Arbitrary<MarketRecord> = fc.record({ ...marketFields(bookAmount), symbol });
    fc.assert(
      fc.property(market, (record) => {
        const writer = new RlpBackwards(16);
        writeMarketRecord(writer, record.marketId, record);
        expect(written(writer)).toEqual(encodeMarketRecord(record));
      }),
    );
  });
});

describe('writeGlobalRecord', () => {
  it('gives the bytes of encodeGlobalRecord', () => {
    const globals: fc.Arbitrary<GlobalRecord> = fc.record(globalFields(fc.oneof(bookAmount, uint(256))));
    fc.assert(
      fc.property(globals, (record) => {
        const writer = new RlpBackwards(16);
        writeGlobalRecord(writer, record);
        expect(written(writer)).toEqual(encodeGlobalRecord(record));
      }),
    );
  });
});

describe('writePosition', () => {
  it('gives the bytes of encodeAccountRecord, whatever the account holds', () => {
    const signed = fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.bigInt({ min: -(1n << 200n), max: 1n << 200n }));
    const position = fc.record({
      marketId,
      size: signed.filter((size) => size !== 0n),
      entry: bookAmount,
      fundingIndex: fc.oneof(fc.constant(0n), signed),
    });
    const subAccount = fc.option(fc.record({ of: owner, index: fc.integer({ min: 1, max: 0xffffffff }) }));
    const claims = fc.array(fc.record({ marketId, amount: signed }), { maxLength: 3 });
    const parts = {
      owner,
      collateral: signed,
      locked: fc.boolean(),
      positions: fc.array(position),
      subAccount,
      claims,
    };
    const account = fc.record(parts);
    fc.assert(
      fc.property(account, ({ owner: bytes, collateral, locked, positions, subAccount: parent, claims: open }) => {
        const writer = new RlpBackwards(16);
        for (const { marketId: market, amount } of open.toReversed()) writeClaim(writer, market, amount);
        if (open.length > 0) endClaims(writer, 0, parent !== null);
        if (parent !== null) writeSubAccount(writer, parent.of, parent.index);
        const place = writer.length;
        for (const { marketId: market, size, entry, fundingIndex } of positions.toReversed()) {
          const lots = size <= Number.MAX_SAFE_INTEGER && size >= -Number.MAX_SAFE_INTEGER ? Number(size) : size;
          writePosition(writer, market, lots, counted(entry), fundingIndex);
        }
        endAccount(writer, bytes, collateral, locked, place, 0);
        const expected = encodeAccountRecord({
          address: bytesToHex(bytes) as Address,
          collateral,
          locked,
          positions: positions.map(({ fundingIndex, ...rest }) =>
            fundingIndex === 0n ? rest : { ...rest, fundingIndex },
          ),
          ...(parent === null ? {} : { subAccount: { owner: bytesToHex(parent.of) as Address, index: parent.index } }),
          ...(open.length === 0 ? {} : { claims: open }),
        });
        expect(written(writer)).toEqual(expected);
      }),
    );
  });
});

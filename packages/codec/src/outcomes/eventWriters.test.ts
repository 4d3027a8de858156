import { describe, expect, it } from '@jest/globals';
import { bookAmount, bytes, clientId, counted, counter, marketId, uint32 } from '../testing/arbitraries.ts';
import { bytesToHex } from '@prime/primitives';
import fc from 'fast-check';
import { encodeEvent } from './events.ts';
import { writeAcceptedEvent, writeCancelledEvent, writeFeesEvent, writeTradeEvent } from './eventWriters.ts';
import { orderEnds } from '../actions/orderEnds.ts';
import { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { selfTradeModes, sides, timesInForce } from '../actions/orderWords.ts';
import type { DomainEvent } from '../types.ts';

const account = bytes(20);
const signed = fc.maxSafeInteger();
const origin = {
  actionIndex: fc.option(uint32),
  marketId,
};

/** An event as `write` makes it, and as the table of events does. */
function both(
  kind: string,
  actionIndex: number | null,
  data: DomainEvent['data'],
  write: (writer: RlpBackwards) => void,
): { readonly written: string; readonly encoded: string } {
  const writer = new RlpBackwards(16);
  // Something stands behind it, as in the events of a block.
  writer.byte(7);
  write(writer);
  return {
    written: bytesToHex(writer.view(writer.length, writer.length - 1)),
    encoded: bytesToHex(encodeEvent({ domain: 'orders', kind, actionIndex, data })),
  };
}

describe('events written from parts have the bytes of encodeEvent', () => {
  it('order_accepted', () => {
    const parts = fc.record({
      ...origin,
      orderId: counter,
      owner: account,
      side: fc.constantFrom(0, 1),
      price: bookAmount,
      size: bookAmount,
      tif: fc.constantFrom(0, 1, 2),
      clientId,
      isPostOnly: fc.boolean(),
      selfTrade: fc.constantFrom(0, 1, 2, 3),
    });
    fc.assert(
      fc.property(parts, ({ price, size, ...rest }) => {
        const data = {
          order_id: rest.orderId,
          market_id: rest.marketId,
          owner: bytesToHex(rest.owner),
          side: sides[rest.side]!,
          price,
          size,
          tif: timesInForce[rest.tif]!,
          client_id: rest.clientId,
          post_only: rest.isPostOnly,
          reduce_only: false,
          stp: selfTradeModes[rest.selfTrade]!,
          expires_at: 0,
        };
        const { written, encoded } = both('order_accepted', rest.actionIndex, data, (writer) =>
          writeAcceptedEvent(writer, { ...rest, price: counted(price), size: counted(size) }),
        );
        expect(written).toBe(encoded);
      }),
    );
  });

  it('trade', () => {
    const parts = fc.record({
      ...origin,
      tradeId: counter,
      price: bookAmount,
      size: bookAmount,
      makerOrderId: counter,
      takerOrderId: counter,
      maker: account,
      taker: account,
      side: fc.constantFrom(0, 1),
      fees: signed,
    });
    fc.assert(
      fc.property(parts, ({ price, size, ...rest }) => {
        const data = {
          trade_id: rest.tradeId,
          market_id: rest.marketId,
          price,
          size,
          maker_order_id: rest.makerOrderId,
          taker_order_id: rest.takerOrderId,
          maker: bytesToHex(rest.maker),
          taker: bytesToHex(rest.taker),
          side: sides[rest.side]!,
          fees: BigInt(rest.fees),
        };
        const { written, encoded } = both('trade', rest.actionIndex, data, (writer) =>
          writeTradeEvent(writer, { ...rest, price: counted(price), size: counted(size) }),
        );
        expect(written).toBe(encoded);
      }),
    );
  });

  it('trade_fees', () => {
    const parts = fc.record({
      ...origin,
      tradeId: counter,
      maker: account,
      taker: account,
      takerFee: fc.maxSafeNat(),
      makerFee: signed,
      insurance: signed,
      treasury: fc.maxSafeNat(),
    });
    fc.assert(
      fc.property(parts, (given) => {
        const data = {
          trade_id: given.tradeId,
          market_id: given.marketId,
          taker: bytesToHex(given.taker),
          taker_fee: BigInt(given.takerFee),
          maker: bytesToHex(given.maker),
          maker_fee: BigInt(given.makerFee),
          insurance: BigInt(given.insurance),
          treasury: BigInt(given.treasury),
        };
        const { written, encoded } = both('trade_fees', given.actionIndex, data, (writer) =>
          writeFeesEvent(writer, given),
        );
        expect(written).toBe(encoded);
      }),
    );
  });

  it('order_cancelled', () => {
    const parts = fc.record({
      ...origin,
      orderId: counter,
      owner: account,
      remaining: bookAmount,
      reason: fc.constantFrom(...orderEnds),
    });
    fc.assert(
      fc.property(parts, ({ remaining, ...rest }) => {
        const data = {
          order_id: rest.orderId,
          market_id: rest.marketId,
          owner: bytesToHex(rest.owner),
          remaining,
          reason: rest.reason,
        };
        const { written, encoded } = both('order_cancelled', rest.actionIndex, data, (writer) =>
          writeCancelledEvent(writer, { ...rest, remaining: counted(remaining) }),
        );
        expect(written).toBe(encoded);
      }),
    );
  });
});

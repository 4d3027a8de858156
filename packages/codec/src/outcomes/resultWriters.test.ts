import { describe, expect, it } from '@jest/globals';
import { bytesToHex, type MarketId, type OrderId } from '@prime/primitives';
import fc from 'fast-check';
import { type ActionResult, encodeActionResult } from './actionResults.ts';
import { writeCancelResult, writeOrderBegin, writeOrderEnd, writeResultTrade } from './resultWriters.ts';
import { cancelReasons } from '../actions/orderEnds.ts';
import { orderStatuses, sides } from '../actions/orderWords.ts';
import { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { bookAmount, bytes, counted, counter, marketId } from '../testing/arbitraries.ts';

/** A result as `write` makes it, and as the codec of results does. */
function both(
  result: ActionResult,
  write: (writer: RlpBackwards) => void,
): { readonly written: string; readonly encoded: string } {
  const writer = new RlpBackwards(16);
  // Something stands behind it, as in the results of a block.
  writer.byte(7);
  write(writer);
  return {
    written: bytesToHex(writer.view(writer.length, writer.length - 1)),
    encoded: bytesToHex(encodeActionResult(result)),
  };
}

const trade = fc.record({
  tradeId: counter.map((id) => id || 1),
  price: bookAmount,
  size: bookAmount,
  makerOrderId: counter,
  takerOrderId: counter,
  maker: bytes(20),
  taker: bytes(20),
  side: fc.constantFrom(0, 1),
  fees: fc.maxSafeInteger(),
});

describe('results written from parts have the bytes of encodeActionResult', () => {
  it('order', () => {
    const parts = fc.record({
      orderId: counter,
      marketId,
      filled: bookAmount,
      remaining: bookAmount,
      trades: fc.array(trade, { maxLength: 6 }),
      status: fc.nat(orderStatuses.length - 1),
      reason: fc.integer({ min: -1, max: cancelReasons.length - 1 }),
    });
    fc.assert(
      fc.property(parts, ({ trades, status, reason, ...order }) => {
        const result: ActionResult = {
          ok: true,
          value: {
            type: 'order',
            ...order,
            orderId: order.orderId as OrderId,
            marketId: order.marketId as MarketId,
            trades: trades.map(({ maker, taker, side, fees, makerOrderId, takerOrderId, ...rest }) => ({
              ...rest,
              makerOrderId: makerOrderId as OrderId,
              takerOrderId: takerOrderId as OrderId,
              maker: bytesToHex(maker) as never,
              taker: bytesToHex(taker) as never,
              side: sides[side]!,
              fee: BigInt(fees),
            })),
            status: orderStatuses[status]!,
            decremented: 0n,
            reason: cancelReasons[reason] ?? null,
          },
        };
        const { written, encoded } = both(result, (writer) => {
          const place = writer.length;
          writeOrderEnd(writer, { status, reason });
          const last = writer.length;
          for (const one of trades.toReversed())
            writeResultTrade(writer, { ...one, price: counted(one.price), size: counted(one.size) });
          writer.list(last);
          const [filled, remaining] = [counted(order.filled), counted(order.remaining)];
          writeOrderBegin(writer, { ...order, filled, remaining }, place);
        });
        expect(written).toBe(encoded);
      }),
    );
  });

  it('cancel', () => {
    fc.assert(
      fc.property(counter, bookAmount, (orderId, remaining) => {
        const result: ActionResult = {
          ok: true,
          value: { type: 'cancel', orderId: orderId as OrderId, remaining },
        };
        const { written, encoded } = both(result, (writer) => writeCancelResult(writer, orderId, counted(remaining)));
        expect(written).toBe(encoded);
      }),
    );
  });
});

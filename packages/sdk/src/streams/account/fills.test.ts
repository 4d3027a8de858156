import { describe, expect, it } from '@jest/globals';
import { eventsMessage, fillsMessage, fillsOf } from '@prime/rpc';
import fc from 'fast-check';
import { alice, bob, carol } from '../../testing/node/events.ts';
import { TestChain, type TestEvent } from '../../testing/node/testChain.ts';
import { readEvents } from '../wire/events.ts';
import { readFills } from '../wire/messages.ts';
import { fillsFromEvents } from './fills.ts';

const account = fc.constantFrom(alice, bob, carol);
const amount = fc.bigInt({ min: 1n, max: 1n << 100n });
const id = fc.integer({ min: 1, max: 6 });

const event: fc.Arbitrary<TestEvent> = fc.oneof(
  fc
    .record({
      trade_id: id,
      market_id: id,
      price: amount,
      size: amount,
      maker_order_id: id,
      taker_order_id: id,
      maker: account,
      taker: account,
      side: fc.constantFrom('buy', 'sell'),
      fees: fc.bigInt({ min: -1n << 80n, max: 1n << 80n }),
    })
    .map((data) => ({ kind: 'trade', data })),
  fc
    .record({
      trade_id: id,
      market_id: id,
      taker: account,
      taker_fee: amount,
      maker: account,
      maker_fee: fc.bigInt({ min: -1n << 80n, max: 1n << 80n }),
      insurance: amount,
      treasury: amount,
    })
    .map((data) => ({ kind: 'trade_fees', data })),
  fc
    .record({ address: account, order_id: id, market_id: id, size: amount, fee: amount, insurance_paid: amount })
    .map((data) => ({ kind: 'liquidation', data })),
  fc
    .record({
      address: account,
      order_id: id,
      counterparty: account,
      market_id: id,
      size: fc.oneof(
        amount,
        amount.map((size) => -size),
      ),
      value: amount,
    })
    .map((data) => ({ kind: 'deleveraged', data })),
);

describe('the fills of a block, made from its events', () => {
  it('are those that the stream of the node tells', () => {
    let count = 0;
    const property = fc.property(fc.array(event, { maxLength: 12 }), account, (events, whose) => {
      const block = new TestChain().add(events);
      const told = fillsMessage(block.record, whose as never, fillsOf(whose as never, block.events));
      const wire = eventsMessage(block.record, block.events)['events'];
      const fills = fillsFromEvents(readEvents(wire), whose);
      expect(fills).toEqual(readFills(told));
      expect(fills.map(({ eventIndex }) => eventIndex)).toEqual(
        fills.map(({ eventIndex }) => eventIndex).toSorted((a, b) => a - b),
      );
      count += fills.length;
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(count).toBeGreaterThan(1_000);
  });
});

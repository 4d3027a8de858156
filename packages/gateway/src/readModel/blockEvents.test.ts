import { describe, expect, it } from '@jest/globals';
import { type DomainEvent, type EventKind, noEvents } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { type BlockRecord, eventEntries } from '@prime/rpc';
import fc from 'fast-check';
import { matchesEvent } from '../matching.ts';
import { FakeNode } from '../testing/fakeNode.ts';
import { BlockEvents } from './blockEvents.ts';

const accounts = ['a1', 'b2', 'a1a1', '00'].map((end) => `0x${end.padStart(40, '0')}` as Address);
const account = fc.constantFrom(...accounts);

/** Events in which the bytes of an address stand where they name nobody, too. */
const event: fc.Arbitrary<DomainEvent> = fc.oneof(
  fc.record({ maker: account, taker: account, id: fc.nat({ max: 300 }) }).map(({ maker, taker, id }) => ({
    domain: 'orders' as const,
    kind: 'trade',
    actionIndex: id % 2 === 0 ? null : 0,
    data: {
      trade_id: id + 1,
      market_id: 1,
      price: 1n << BigInt(id % 120),
      size: 1n,
      maker_order_id: 1,
      taker_order_id: 2,
      maker,
      taker,
      side: 'buy',
      fees: 0n,
    },
  })),
  fc.record({ from: account, hidden: account }).map(({ from, hidden }) => ({
    domain: 'orders' as const,
    kind: 'action_rejected',
    actionIndex: 0,
    data: { account: from, hash: `0x${hidden.slice(2).padStart(64, 'f')}`, ticket: null, reason: 'nonce' },
  })),
  fc.record({ validator: account }).map(({ validator }) => ({
    domain: 'validators' as const,
    kind: 'jailed',
    actionIndex: null,
    data: { validator, stake: 1n, power: 0n },
  })),
);
const choice = fc.record({
  domain: fc.constantFrom(null, 'orders', 'validators', 'nothing'),
  kind: fc.constantFrom(null, 'trade', 'jailed', 'action_rejected', 'nothing'),
  addresses: fc.uniqueArray(account, { maxLength: 3 }),
});

function blockWith(events: readonly DomainEvent[]): { readonly record: BlockRecord; readonly events: BlockEvents } {
  const node = new FakeNode();
  const record = node.commit({ events });
  return { record, events: new BlockEvents(record, record.events) };
}

describe('the events of a block', () => {
  it('are those that a look at each of them finds, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 20 }),
        fc.array(choice, { minLength: 1, maxLength: 5 }),
        (all, choices) => {
          const { record, events } = blockWith(all);
          const entries = eventEntries(record, all);
          expect(events.count).toBe(all.length);
          for (const wanted of choices)
            expect(events.matching(wanted)).toEqual(entries.filter((entry) => matchesEvent(entry, wanted)));
          expect(events.ofKind('trade')).toEqual(entries.filter(({ kind }) => kind === 'trade'));
          expect(events.all).toEqual(entries);
        },
      ),
    );
  });

  it('are decoded once', () => {
    const { events } = blockWith([
      {
        domain: 'orders',
        kind: 'bad_debt' satisfies EventKind,
        actionIndex: 0,
        data: { address: accounts[0]!, amount: 1n },
      },
    ]);
    expect(events.all[0]).toBe(events.matching({ domain: null, kind: null, addresses: [accounts[0]!] })[0]);
    expect(events.all[0]!.height).toBe(1 as Height);
  });

  it('are none where there are none', () => {
    const { record } = blockWith([]);
    expect(new BlockEvents(record, noEvents).all).toEqual([]);
  });
});

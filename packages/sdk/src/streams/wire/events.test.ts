import { describe, expect, it } from '@jest/globals';
import { type EventKind, eventTable } from '@prime/codec';
import { eventsMessage } from '@prime/rpc';
import { expectTypeOf } from 'expect-type';
import { decodeDomainEvents } from '../../decode/domainEvent.ts';
import type { RpcDomainEvent } from '../../generated/methods.ts';
import { TestChain } from '../../testing/node/testChain.ts';
import type { DomainEventKind } from '../domainEvents.ts';
import { readEvent } from './events.ts';

const words: Readonly<Record<string, unknown>> = {
  side: 'sell',
  tif: 'gtc',
  stp: 'decrement',
  by: 'modify',
  direction: 'evm_to_orders',
  symbol: 'A/B',
  reason: 'margin',
  name: 'an agent',
  post_only: true,
  reduce_only: false,
  yes: true,
  position: true,
  trigger: 'stop',
  refusal: 'insufficient_margin',
  client_id: `0x${'0'.repeat(30)}1f`,
  hash: `0x${'ab'.repeat(32)}`,
};

type Fields = Readonly<Record<string, { readonly number?: 'number' | 'bigint' }>>;
const fieldsOf = (kind: EventKind): Fields => eventTable[kind].fields as Fields;
const valueOf = (name: string, number: 'number' | 'bigint' | undefined): unknown => {
  if (number !== undefined) return number === 'bigint' ? 31n : 17;
  return words[name] ?? `0x${'a1'.repeat(20)}`;
};

/** An event of a kind as a node sends it. */
function wireEvent(kind: EventKind): RpcDomainEvent {
  const data = Object.fromEntries(
    Object.entries(fieldsOf(kind)).map(([name, { number }]) => [name, valueOf(name, number)]),
  );
  const block = new TestChain().add([{ kind, domain: eventTable[kind].domain, data }]);
  const { events } = eventsMessage(block.record, block.events) as { events: RpcDomainEvent[] };
  return JSON.parse(JSON.stringify(events[0])) as RpcDomainEvent;
}

const kinds = Object.keys(eventTable) as EventKind[];

describe('an event', () => {
  it.each(kinds)('of kind %s is read with the numbers that its fields are', (kind) => {
    const wire = wireEvent(kind);
    const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const expected = Object.entries(fieldsOf(kind)).map(([name, { number }]) => [camel(name), valueOf(name, number)]);
    expect(readEvent(wire)).toEqual({
      blockNumber: 1n,
      blockHash: wire.block_hash,
      timeMs: 1000,
      index: 0,
      domain: eventTable[kind].domain,
      kind,
      transactionHash: wire.transaction_hash,
      ticket: null,
      data: Object.fromEntries(expected),
    });
    expect(decodeDomainEvents([wire])).toEqual([readEvent(wire)]);
  });

  it('has a type for each kind that there is', () => {
    expectTypeOf<DomainEventKind>().toEqualTypeOf<EventKind>();
    expect(kinds.length).toBeGreaterThan(25);
  });

  it('of a kind that a newer node has, or with a field that it added, is as it came', () => {
    const wire = wireEvent('trade');
    const newer = { ...wire, kind: 'later', data: { ...wire.data, new_field: '0x1' } };
    expect(readEvent(newer)).toMatchObject({ kind: 'later', data: { tradeId: 17, newField: '0x1' } });
  });

  it.each([
    ['a quantity with leading zeros', { data: { price: '0x01' } }, 'price has to be a hex quantity'],
    ['an id beyond 2^53', { data: { order_id: '0x20000000000000' } }, 'order_id has to be a whole number'],
    ['a side that there is not', { data: { side: 'long' } }, 'side has to be one of buy, sell, it is "long"'],
    ['an address that is none', { data: { owner: 'alice' } }, 'owner has to be hex'],
    ['no data', { data: null }, 'data has to be an object'],
    ['a negative block', { block_number: '-0x1' }, 'block_number has to be a hex quantity that is not negative'],
  ])('with %s is refused, and the field is named', (_, change, words) => {
    const event = { ...wireEvent('order_accepted'), ...change } as RpcDomainEvent;
    expect(() => readEvent(event)).toThrow(words);
    expect(() => decodeDomainEvents([event])).toThrow(
      expect.objectContaining({ code: 'ANSWER_UNREADABLE', shortMessage: expect.stringContaining(words) }),
    );
  });
});

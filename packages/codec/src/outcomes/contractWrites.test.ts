import { describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import fc from 'fast-check';
import { decodeContractWrites, encodeContractWrites } from './contractWrites.ts';
import { decodeEvent, encodeEvent } from './events.ts';
import type { DomainEvent } from '../types.ts';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}`);
const ticket = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('what contracts leave to the next block', () => {
  const writes = fc.array(
    fc.record({
      ticket,
      transactionHash: hex(32) as fc.Arbitrary<Hash>,
      account: hex(20) as fc.Arbitrary<Address>,
      kind: fc.integer({ min: 0, max: 255 }),
      data: fc.uint8Array({ maxLength: 300 }),
    }),
    { maxLength: 5 },
  );

  it('any list comes back as it was', () => {
    fc.assert(fc.property(writes, (list) => expect(decodeContractWrites(encodeContractWrites(list))).toEqual(list)));
  });

  it('tickets from 1, kinds of one byte', () => {
    const write = {
      ticket: 0,
      transactionHash: `0x${'1'.repeat(64)}` as Hash,
      account: `0x${'2'.repeat(40)}` as Address,
    };
    expect(() => encodeContractWrites([{ ...write, kind: 1, data: new Uint8Array(0) }])).toThrow(/ticket/);
    expect(() => encodeContractWrites([{ ...write, ticket: 1, kind: 256, data: new Uint8Array(0) }])).toThrow(/kind/);
  });
});

describe('events that a contract caused', () => {
  const event: DomainEvent = {
    domain: 'orders',
    kind: 'bad_debt',
    actionIndex: null,
    data: { address: `0x${'3'.repeat(40)}`, amount: 4n },
  };

  it('carry ticket and transaction; others have the bytes that they had', () => {
    fc.assert(
      fc.property(ticket, hex(32), (number, transactionHash) => {
        const caused = { ...event, contract: { ticket: number, transactionHash: transactionHash as Hash } };
        expect(decodeEvent(encodeEvent(caused))).toEqual(caused);
      }),
    );
    expect(decodeEvent(encodeEvent(event))).toEqual(event);
    expect(Buffer.from(encodeEvent(event)).toString('hex')).toBe(`d80ac094${'3'.repeat(40)}04`);
  });
});

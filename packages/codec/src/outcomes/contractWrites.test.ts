import { describe, expect, it } from '@jest/globals';
import { address, counter, hash } from '../testing/arbitraries.ts';
import type { Address, Hash } from '@prime/primitives';
import fc from 'fast-check';
import { decodeContractWrites, encodeContractWrites } from './contractWrites.ts';
import { decodeEvent, encodeEvent } from './events.ts';
import type { DomainEvent } from '../types.ts';

describe('what contracts leave to the next block', () => {
  const writes = fc.array(
    fc.record({
      ticket: counter,
      transactionHash: hash,
      account: address,
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
      fc.property(counter, hash, (ticket, transactionHash) => {
        const caused = { ...event, contract: { ticket, transactionHash } };
        expect(decodeEvent(encodeEvent(caused))).toEqual(caused);
      }),
    );
    expect(decodeEvent(encodeEvent(event))).toEqual(event);
    expect(Buffer.from(encodeEvent(event)).toString('hex')).toBe(`d80ac094${'3'.repeat(40)}04`);
  });
});

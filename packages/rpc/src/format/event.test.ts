import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@prime/codec';
import type { Hash, Height, TimestampMs } from '@prime/primitives';
import { eventEntry, formatEvent } from './event.ts';

const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}` as Hash;
const event: DomainEvent = { domain: 'orders', kind: 'insurance_changed', actionIndex: null, data: { amount: -1n } };
const shown = (of: DomainEvent) =>
  formatEvent(eventEntry(5 as Height, 5_000 as TimestampMs, hashOf('b'), 2, of, [hashOf('a')]));

describe('what caused an event', () => {
  it('nothing but the block: no hash, no ticket', () => {
    expect(shown(event)).toEqual({
      block_number: '0x5',
      block_hash: hashOf('b'),
      time_ms: '0x1388',
      index: '0x2',
      domain: 'orders',
      kind: 'insurance_changed',
      transaction_hash: null,
      data: { amount: '-0x1' },
    });
  });

  it('an action of the block: its hash', () => {
    expect(shown({ ...event, actionIndex: 0 })).toMatchObject({ transaction_hash: hashOf('a') });
    expect(shown({ ...event, actionIndex: 0 })).not.toHaveProperty('ticket');
  });

  it('a contract: its ticket, and the hash of its transaction', () => {
    const contract = { ticket: 17, transactionHash: hashOf('c') };
    expect(shown({ ...event, contract })).toMatchObject({ ticket: '0x11', transaction_hash: hashOf('c') });
  });
});

describe('numbers of an event', () => {
  it('are JSON numbers where methods answer with such: markets, basis points, decimals', () => {
    const data = { market_id: 3, base_decimals: 16, quote_decimals: 18, initial_margin_bps: 1000, transfer_id: 16 };
    expect(shown({ ...event, data })['data']).toEqual({ ...data, transfer_id: '0x10' });
  });
});

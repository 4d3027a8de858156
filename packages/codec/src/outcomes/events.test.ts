import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { decodeEvent, encodeEvent, eventFromJson, eventToJson } from './events.ts';
import { eventTable } from './eventTable.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '../encoding/rlp.ts';
import type { DomainEvent } from '../types.ts';

const invalid = expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never;
const cancelled: DomainEvent = {
  domain: 'orders',
  kind: 'bad_debt',
  actionIndex: 3,
  data: { address: `0x${'a1'.repeat(20)}`, amount: 7n },
};
const published = (
  JSON.parse(readFileSync(new URL('../../testdata/events.json', import.meta.url), 'utf8')) as {
    vectors: { encoded?: string }[];
  }
).vectors.flatMap(({ encoded }) =>
  encoded === undefined ? [] : [decodeEvent(Uint8Array.from(Buffer.from(encoded.slice(2), 'hex')))],
);

describe('domain events', () => {
  it('no two kinds share a code', () => {
    const codes = Object.values(eventTable).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('refuses unknown kinds, a wrong domain, missing, foreign and mistyped fields', () => {
    const bad: readonly DomainEvent[] = [
      { ...cancelled, kind: 'nothing' },
      { ...cancelled, domain: 'bridge' },
      { ...cancelled, data: { address: cancelled.data['address']! } },
      { ...cancelled, data: { ...cancelled.data, more: 1 } },
      { ...cancelled, data: { ...cancelled.data, amount: -1n } },
      { ...cancelled, data: { address: '0x00', amount: 1n } },
      { ...cancelled, actionIndex: -1 },
    ];
    for (const event of bad) expect(() => encodeEvent(event)).toThrow(invalid);
  });

  it('changed bytes are refused, or are themselves canonical', () => {
    for (const event of published) {
      const bytes = encodeEvent(event);
      for (let place = 0; place < bytes.length; place++)
        for (const change of [1, 0x80, 0xff]) {
          const mutated = bytes.slice();
          mutated[place]! ^= change;
          let decoded: DomainEvent;
          try {
            decoded = decodeEvent(mutated);
          } catch (error) {
            expect(String((error as { code?: string }).code)).toMatch(/^CODEC_/);
            continue;
          }
          expect(encodeEvent(decoded)).toEqual(mutated);
        }
    }
  });

  it('the index of the first action is not the absence of an action', () => {
    const items = decodeRlp(encodeEvent({ ...cancelled, actionIndex: 0 })) as readonly RlpItem[];
    expect(decodeEvent(encodeRlp(items)).actionIndex).toBe(0);
    expect(decodeEvent(encodeRlp(items.with(1, []))).actionIndex).toBeNull();
  });

  it('JSON shows quantities in hex with the sign in front', () => {
    const event: DomainEvent = {
      domain: 'orders',
      kind: 'liquidation',
      actionIndex: null,
      data: {
        address: cancelled.data['address']!,
        order_id: 9,
        market_id: 4,
        size: -31n,
        fee: 0n,
        insurance_paid: 255n,
      },
    };
    expect(eventToJson(event)).toEqual({
      domain: 'orders',
      kind: 'liquidation',
      data: {
        address: cancelled.data['address'],
        order_id: '0x9',
        market_id: 4,
        size: '-0x1f',
        fee: '0x0',
        insurance_paid: '0xff',
      },
    });
  });

  it('every kind comes back from JSON, also where all its numbers are quantities', () => {
    const hexOf = (value: unknown): unknown => (typeof value === 'number' ? `0x${value.toString(16)}` : value);
    expect(new Set(published.map(({ kind }) => kind))).toEqual(new Set(Object.keys(eventTable)));
    for (const event of published) {
      const json = eventToJson(event);
      const { actionIndex, contract } = event;
      const origin = { actionIndex, ...(contract === undefined ? {} : { contract }) };
      expect(eventFromJson(json, origin)).toEqual(event);
      const quantities = Object.fromEntries(Object.entries(json.data).map(([name, value]) => [name, hexOf(value)]));
      expect(eventFromJson({ ...json, data: quantities as typeof json.data }, origin)).toEqual(event);
    }
  });

  it.each<[string, object]>([
    ['an unknown kind', { kind: 'nothing' }],
    ['another domain', { domain: 'bridge' }],
    ['a field too few', { data: { address: cancelled.data['address'] } }],
    ['a field too many', { data: { address: cancelled.data['address'], amount: '0x7', more: 1 } }],
    ['a decimal amount', { data: { address: cancelled.data['address'], amount: '7' } }],
    ['an amount that is a number', { data: { address: cancelled.data['address'], amount: 7 } }],
    ['a negative amount', { data: { address: cancelled.data['address'], amount: '-0x7' } }],
  ])('JSON with %s is refused', (_name, change) => {
    const json = { ...eventToJson(cancelled), ...change };
    expect(() => eventFromJson(json, { actionIndex: 3 })).toThrow(invalid);
  });
});

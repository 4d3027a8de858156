import { describe, expect, it } from '@jest/globals';
import { decodeRecord, encodeRecord } from './json.ts';
import { recordId, recordsOf } from './record.ts';
import { addressOf, blockOf, busyBlock, depositOf, hashOf, logOf, tradeOf } from './testing/blocks.ts';

describe('the records of a block', () => {
  it('are its events, its logs, its fills and at the end the block, numbered without gaps', () => {
    const block = blockOf({
      height: 7,
      events: [tradeOf(1, 0), depositOf(9)],
      actionHashes: [hashOf('action')],
      logs: [logOf(0), logOf(1)],
    });
    const { records, hash, parentHash } = recordsOf(block);
    expect(records.map(({ type }) => type)).toEqual(['event', 'event', 'log', 'log', 'fill', 'fill', 'block']);
    expect(records.map(recordId)).toEqual(['7:0', '7:1', '7:2', '7:3', '7:4', '7:5', '7:6']);
    expect(new Set(records.map((record) => record.block_hash))).toEqual(new Set([hash]));
    expect(parentHash).toBe(hashOf('block 6'));
    expect(records.at(-1)).toMatchObject({ events: 2, logs: 2, fills: 2, parent_hash: parentHash });
  });

  it('of an empty block are the block alone', () => {
    expect(recordsOf(blockOf({ height: 0 })).records).toMatchObject([
      { type: 'block', height: 0, index: 0, events: 0 },
    ]);
  });

  it('have amounts as decimal text, however large and of either sign, and ids as numbers', () => {
    const { records } = recordsOf(
      blockOf({ height: 7, events: [tradeOf(5, 0), depositOf(9)], actionHashes: [hashOf('a')] }),
    );
    expect(records[0]).toMatchObject({
      transaction_hash: hashOf('a'),
      ticket: null,
      data: { trade_id: 5, price: '1000000000000000000000000000000', fees: '-3', maker_order_id: 1 },
    });
    expect(records[1]).toMatchObject({ ticket: 9, data: { collateral: '-1000000000000000000000000000000' } });
  });

  it('have a fill for each side of a trade, the maker first', () => {
    expect(recordsOf(busyBlock(3)).records.filter(({ type }) => type === 'fill')).toMatchObject([
      { account: addressOf('maker'), side: 'sell', liquidity: 'maker', fee: '0', event_index: 0 },
      { account: addressOf('taker'), side: 'buy', liquidity: 'taker', fee: '-3', value: `${4n * 10n ** 30n}` },
    ]);
  });

  it('are what they were after a line of JSON; anything else is no record', () => {
    for (const record of recordsOf(busyBlock(3)).records) expect(decodeRecord(encodeRecord(record))).toEqual(record);
    const [record] = recordsOf(busyBlock(3)).records;
    const line = encodeRecord(record!);
    for (const wrong of ['', '1', 'null', line.slice(0, -1), `${line}${line}`, line.replace('"event"', '"even"')])
      expect(decodeRecord(wrong)).toBeNull();
    for (const field of ['height', 'index', 'time_ms'])
      for (const value of [-1, 0.5, '1', null])
        expect(decodeRecord(JSON.stringify({ ...record, [field]: value }))).toBeNull();
  });
});

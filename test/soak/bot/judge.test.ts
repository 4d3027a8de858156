import { describe, expect, it } from '@jest/globals';
import type { BotLine } from './botProcess.ts';
import type { AccountFacts } from './chainFacts.ts';
import { judge } from './judge.ts';

/** A judge that finds nothing would be content with everything: each lie is planted once. */

const bounds = { levels: 1, positionMax: 5n, quoteSize: 5n };
const facts: AccountFacts = {
  head: 20,
  fills: [
    { block: 3, tradeId: 1, side: 'buy', size: 4n },
    { block: 7, tradeId: 2, side: 'buy', size: 3n },
    { block: 7, tradeId: 3, side: 'sell', size: 2n },
  ],
  blocks: [
    { block: 3, position: 4n, open: { buy: [1n], sell: [] } },
    { block: 7, position: 5n, open: { buy: [1n], sell: [5n] } },
  ],
};
const read = (block: number, position: string): BotLine => ({
  msg: 'account read',
  block: `${block}`,
  position,
  fromFills: position,
});
const sure = (block: number, position: string, fromFills = position): BotLine => ({
  msg: 'account',
  sure: true,
  block: `${block}`,
  position,
  fromFills,
});
const fill = (tradeId: number, side: string, size: string): BotLine => ({ msg: 'fill', tradeId, side, size });
const honest = [
  read(2, '0'),
  fill(1, 'buy', '4'),
  sure(3, '4'),
  fill(2, 'buy', '3'),
  fill(3, 'sell', '2'),
  sure(20, '5'),
];
const findingsOf = (lines: readonly BotLine[], of = facts) => judge([{ lines, end: null }], of, bounds).findings;

describe('the judge of bots', () => {
  it('finds nothing in an honest life, also in one that ended early or began late', () => {
    expect(judge([{ lines: honest, end: null }], facts, bounds)).toEqual({ findings: [], claims: 3, fills: 3 });
    expect(findingsOf(honest.slice(0, 4))).toEqual([]);
    expect(findingsOf([read(6, '4'), fill(2, 'buy', '3')])).toEqual([]);
  });

  it.each([
    ['a position that the chain has not', [read(2, '0'), sure(7, '4')], 'position 4 at 7, the chain has 5'],
    ['a position that its fills do not make', [sure(7, '5', '4')], 'position 5 at 7, from fills it is 4'],
    [
      'a fill twice',
      [...honest.slice(0, 2), fill(1, 'buy', '4')],
      'fill buy 4 of trade 1, the chain has fill buy 3 of trade 2',
    ],
    ['a fill left out', [read(2, '0'), fill(2, 'buy', '3')], 'the chain has fill buy 4 of trade 1'],
    ['a fill of the other side', [read(2, '0'), fill(1, 'sell', '4')], 'the chain has fill buy 4 of trade 1'],
    ['a fill that never was', [...honest, fill(4, 'buy', '1')], 'trade 4 is not on the chain'],
    [
      'a book that failed its checksum',
      [{ msg: 'wrong', code: 'STREAM_CHECKSUM_WRONG' }],
      'told of STREAM_CHECKSUM_WRONG',
    ],
    ['a halt', [{ msg: 'halted', why: 'positions_disagree' }], 'halted: positions_disagree'],
  ])('finds %s', (_, lines, words) => {
    expect(findingsOf(lines)[0]).toContain(words);
  });

  it('finds an order too many and a position twice, from the chain alone', () => {
    const blocks = [
      { block: 3, position: 10n, open: { buy: [1n], sell: [] } },
      { block: 4, position: -11n, open: { buy: [1n, 1n], sell: [] } },
    ];
    expect(findingsOf([], { ...facts, blocks })).toEqual([
      'block 4: 2 buy orders, 1 at most',
      'block 4: position -11, 10 at most',
    ]);
  });
});

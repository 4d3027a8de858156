import { describe, expect, it } from '@jest/globals';
import { type ChainBlock, checkBlock } from './chainBlock.ts';
import { StreamsError } from './errors.ts';
import { blockOf, depositOf, hashOf, logOf, tradeOf } from './testing/blocks.ts';

const block = blockOf({
  height: 7,
  events: [tradeOf(1, 1), depositOf(9), tradeOf(2, null)],
  actionHashes: [hashOf('first'), hashOf('second')],
  logs: [logOf(0), logOf(1)],
});

const refusal = (changed: ChainBlock): string => {
  try {
    checkBlock(changed);
  } catch (error) {
    if (error instanceof StreamsError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'taken';
};

describe('a block that a node tells', () => {
  it('is taken where its events hash to what it commits to, whatever caused them', () => {
    expect(refusal(block)).toBe('taken');
    expect(refusal(blockOf({ height: 0 }))).toBe('taken');
  });

  it('is refused where an event at the end was left out, as the privacy fork does', () => {
    expect(refusal({ ...block, events: block.events.slice(0, -1) })).toMatch(
      /^STREAMS_ANSWER_WRONG block 7 .* its events hash to 0x[0-9a-f]{64}, and it commits to .*operator's surface/,
    );
  });

  it('is refused where an event in the middle was left out', () => {
    expect(refusal({ ...block, events: [block.events[0]!, block.events[2]!] })).toContain(
      'event 1 is event 2 of block 7',
    );
  });

  it.each([
    ['another amount', { data: { ...block.events[0]!.data, size: 5n } }],
    ['another cause', { transactionHash: hashOf('first') }],
    ['no cause', { transactionHash: null }],
    ['another ticket', { ticket: 8 }],
  ])('is refused where an event has %s', (_what, change) => {
    const events = [{ ...block.events[0]!, ...change }, ...block.events.slice(1)] as ChainBlock['events'];
    expect(refusal({ ...block, events })).toContain('its events hash to');
  });

  it('is refused where an event is of a kind that this program does not know', () => {
    const events = [{ ...block.events[0]!, kind: 'teleported' }] as unknown as ChainBlock['events'];
    expect(refusal({ ...block, events })).toContain('it holds an event that this program does not know');
  });

  it('is refused where a log is missing, or the block is another one', () => {
    expect(refusal({ ...block, logs: block.logs.slice(1) })).toContain('log 0 has the index 1');
    expect(refusal({ ...block, height: 8 })).toContain('it is block 7');
  });
});

import { describe, expect, it } from '@jest/globals';
import { type DomainEventOf, HistoryPrunedError, LimitExceededError } from '@prime/sdk';
import { type AskEvents, readEventPage } from './eventPages.ts';

const failure = (message: string) => ({ code: 0, message, data: {}, cause: new Error(message) });
const event = (blockNumber: bigint, index = 0, marketId = 1): DomainEventOf =>
  ({ blockNumber, index, data: { marketId } }) as unknown as DomainEventOf;
const namesOf = (events: readonly DomainEventOf[]): string[] =>
  events.map(({ blockNumber, index }) => `${blockNumber}/${index}`);

/** A node with these events, and the ranges that it was asked for. */
function nodeWith(events: readonly DomainEventOf[], limit = 1_000) {
  const ranges: string[] = [];
  const ask: AskEvents = async (from, to) => {
    ranges.push(`${from}-${to}`);
    const found = events.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
    if (found.length > limit) throw new LimitExceededError(failure('too many'));
    return found;
  };
  return { ask, ranges };
}
const all = { selection: {} };

describe('events of the past', () => {
  it('come newest first, of whole blocks, as many as wanted or a few more', async () => {
    const { ask } = nodeWith([event(1n), event(7n), event(8n, 0), event(8n, 1), event(9n)]);
    const page = await readEventPage(ask, { ...all, before: 10n, wanted: 2 });
    expect(namesOf(page.events)).toEqual(['9/0', '8/1', '8/0']);
    expect(page).toMatchObject({ fromBlock: 8n, end: null });
    const rest = await readEventPage(ask, { ...all, before: page.fromBlock, wanted: 2 });
    expect(namesOf(rest.events)).toEqual(['7/0', '1/0']);
    expect(await readEventPage(ask, { ...all, before: rest.fromBlock, wanted: 2 })).toEqual({
      events: [],
      fromBlock: 0n,
      end: 'genesis',
    });
  });

  it('are looked for in ever larger ranges where there are few, down to genesis', async () => {
    const { ask, ranges } = nodeWith([event(3n)]);
    const page = await readEventPage(ask, { ...all, before: 1_000_000n, wanted: 10 });
    expect(namesOf(page.events)).toEqual(['3/0']);
    expect(page.end).toBe('genesis');
    expect(ranges.length).toBeLessThan(8);
  });

  it('are asked for in smaller ranges where a node refuses so many', async () => {
    const many = Array.from({ length: 400 }, (_, index) => event(BigInt(index + 1)));
    const page = await readEventPage(nodeWith(many, 10).ask, { ...all, before: 401n, wanted: 12 });
    expect(page.events.length).toBeGreaterThanOrEqual(12);
    expect(new Set(namesOf(page.events)).size).toBe(page.events.length);
    expect(page.events[0]!.blockNumber).toBe(400n);
  });

  it('of one block that is more than an answer holds are an error', async () => {
    const crowd = Array.from({ length: 20 }, (_, index) => event(5n, index));
    await expect(readEventPage(nodeWith(crowd, 10).ask, { ...all, before: 6n, wanted: 1 })).rejects.toThrow('too many');
  });

  it('of another market are left out', async () => {
    const { ask } = nodeWith([event(1n, 0, 2), event(2n)]);
    const page = await readEventPage(ask, { selection: { marketId: 2 }, before: 3n, wanted: 5 });
    expect(namesOf(page.events)).toEqual(['1/0']);
  });

  it('end where the node keeps no older ones, after what it does keep', async () => {
    const { ask } = nodeWith([event(4n), event(6n)]);
    const pruned: AskEvents = (from, to) =>
      from < 5n
        ? Promise.reject(new HistoryPrunedError({ ...failure('gone'), data: { oldest: '0x5' } }))
        : ask(from, to);
    const page = await readEventPage(pruned, { ...all, before: 9n, wanted: 5 });
    expect(namesOf(page.events)).toEqual(['6/0']);
    expect(page).toMatchObject({ fromBlock: 5n, end: 'pruned' });
  });

  it('are given up after many requests that found none, to be gone on with', async () => {
    const ask: AskEvents = (from, to) =>
      to - from > 0n ? Promise.reject(new LimitExceededError(failure('much'))) : Promise.resolve([]);
    const page = await readEventPage(ask, { ...all, before: 1_000n, wanted: 5 });
    expect(page).toMatchObject({ events: [], end: null });
    expect(page.fromBlock).toBeGreaterThan(900n);
    expect(page.fromBlock).toBeLessThan(1_000n);
  });

  it('that can not be asked for are an error', async () => {
    const ask: AskEvents = () => Promise.reject(new Error('away'));
    await expect(readEventPage(ask, { ...all, before: 9n, wanted: 5 })).rejects.toThrow('away');
  });
});

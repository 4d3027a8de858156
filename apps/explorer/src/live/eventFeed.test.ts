import { describe, expect, it } from '@jest/globals';
import type { DomainEventOf } from '@prime/sdk';
import { prepend } from './eventFeed.ts';

const event = (blockNumber: bigint, index = 0): DomainEventOf => ({ blockNumber, index }) as unknown as DomainEventOf;
const namesOf = (events: readonly DomainEventOf[]): string[] =>
  events.map(({ blockNumber, index }) => `${blockNumber}/${index}`);

describe('a list of events', () => {
  it('grows at its top', () => {
    const { list, cutAt } = prepend([event(2n)], [event(3n), event(3n, 1)], 10);
    expect(namesOf(list)).toEqual(['3/1', '3/0', '2/0']);
    expect(cutAt).toBeNull();
  });

  it('that is full loses its oldest, and says from where on it is whole', () => {
    const { list, cutAt } = prepend([event(2n, 1), event(2n), event(1n)], [event(3n)], 2);
    expect(namesOf(list)).toEqual(['3/0', '2/1']);
    expect(cutAt).toBe(3n);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createClientIds } from './clientIds.ts';

describe('client ids', () => {
  const ids = createClientIds('maker', 1);

  it('have 16 bytes, and are known again by another process of the same bot', () => {
    const id = ids.next(123_456n, 7);
    expect(id).toMatch(/^0x[0-9a-f]{32}$/);
    expect(createClientIds('maker', 1).isOwn(id)).toBe(true);
    expect(ids.isOwn(id.toUpperCase().replace('0X', '0x'))).toBe(true);
  });

  it('of another bot, another market, a person, or none are not its own', () => {
    const others = [createClientIds('maker-2', 1), createClientIds('maker', 2)].map((other) => other.next(1n, 0));
    for (const other of [...others, `0x${'00'.repeat(16)}`, null])
      expect([other, ids.isOwn(other)]).toEqual([other, false]);
  });

  it('differ by block and by place', () => {
    const all = [1n, 2n, 2n ** 40n].flatMap((block) => [0, 1, 65_535].map((index) => ids.next(block, index)));
    expect(new Set(all).size).toBe(9);
  });
});

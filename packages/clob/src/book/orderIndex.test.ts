import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { noOrder, OrderIndex } from './orderIndex.ts';

/** An index beside a plain map, compared at what is asked for. */
class Compared {
  readonly index = new OrderIndex();
  readonly plain = new Map<number, number>();
  readonly live: number[] = [];

  set(id: number, handle: number): void {
    this.index.set(id, handle);
    this.plain.set(id, handle);
    this.live.push(id);
  }

  /** Takes out the order that stands at a place of the list. @returns its id */
  drop(at: number): number {
    const id = this.live[at]!;
    this.live[at] = this.live[this.live.length - 1]!;
    this.live.pop();
    this.index.delete(id);
    this.plain.delete(id);
    this.check(id);
    return id;
  }

  check(id: number): void {
    if (this.index.get(id) !== this.plain.get(id))
      throw new Error(`order ${id} is ${this.index.get(id)}, not ${this.plain.get(id)}`);
  }

  /** Everything that the index says otherwise than the map, one way or the other. */
  differences(): string[] {
    const { index, plain } = this;
    const found: string[] = [];
    const compare = (what: string, is: unknown, shouldBe: unknown): void => {
      const [told, expected] = [String(is), String(shouldBe)];
      if (told !== expected) found.push(`${what}: ${told}, not ${expected}`);
    };
    const page = new Int32Array(8);
    for (const [id, handle] of plain) {
      compare(`order ${id}`, index.get(id), handle);
      index.readPage(id, page);
      const first = id - (id & 7);
      compare(
        `page of ${id}`,
        page,
        Array.from(page, (_, at) => plain.get(first + at) ?? noOrder),
      );
    }
    compare(
      'ids',
      index.ids(),
      [...plain.keys()].sort((a, b) => a - b),
    );
    compare('size', index.size, plain.size);
    return found;
  }
}

describe('order index', () => {
  it.each([1, 2, 3])('holds what a plain map holds of ids in any order: seed %i', (seed) => {
    const random = createPrng(seed);
    const compared = new Compared();
    const { live, plain } = compared;
    // Ids of one home too: multiples of 2^32 share the bits that the home is made of.
    const idOf = (step: number): number => (random.chance(1, 3) ? step * 2 ** 32 : step);
    for (let step = 1; step < 30_000; step++) {
      if (live.length === 0 || random.chance(step < 15_000 ? 2 : 1, 3)) {
        const id = idOf(step);
        if (!plain.has(id)) compared.set(id, step);
      } else compared.drop(random.below(live.length));
      compared.check(live[random.below(live.length + 1)] ?? step + 1);
    }
    expect(compared.differences()).toEqual([]);
  });

  // How long orders live, and how many ids go to others, decides how large the ring gets and who outlives it.
  it.each([
    { seed: 1, resting: 50, gapMax: 1, about: 'short lives: the ring stays as it is' },
    { seed: 2, resting: 3000, gapMax: 2, about: 'long lives: the ring grows' },
    { seed: 3, resting: 300, gapMax: 40, about: 'few of the ids rest' },
    { seed: 4, resting: 200, gapMax: 5000, about: 'gaps as long as the ring' },
  ])('holds what a plain map holds of ids that ascend: $about', ({ seed, resting, gapMax }) => {
    const random = createPrng(seed);
    const compared = new Compared();
    const { live } = compared;
    let id = 1;
    for (let step = 0; step < 40_000; step++) {
      // Of five that leave, four are young; the rest stay until the ring has come round.
      if (live.length > resting) {
        const back = random.chance(4, 5) ? Math.min(20, live.length) : live.length;
        const gone = compared.drop(live.length - 1 - random.below(back));
        // Taken back, as when a block is undone.
        if (random.chance(1, 10)) compared.set(gone, step);
      }
      compared.set((id += 1 + random.below(gapMax)), step);
      compared.check(id + 1 + random.below(10_000));
      compared.check(id - random.below(Math.min(id, 10_000)));
      compared.check(live[random.below(live.length)]!);
    }
    expect(compared.differences()).toEqual([]);
    while (live.length > 0) compared.drop(random.below(live.length));
    expect(compared.index.size).toBe(0);
  });

  it('has nothing under ids that no order has', () => {
    const index = new OrderIndex();
    index.set(1, 7);
    const ids = [0, 1, 2, 1 + 1024, 1 + 2 ** 32, Number.MAX_SAFE_INTEGER];
    expect(ids.map((id) => index.get(id))).toEqual([undefined, 7, undefined, undefined, undefined, undefined]);
  });
});

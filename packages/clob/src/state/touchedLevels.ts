import type { Market } from './markets.ts';
import type { SideIndex } from '../book/orderPool.ts';
import type { Quantity } from '../book/quantity.ts';

/** Prices at which something happened in the open block, where levels are records, see levelRecords.ts. */
export class TouchedLevels {
  /** By market; ticks of buys, and of sells. */
  readonly ticks = new Map<Market, readonly [Set<Quantity>, Set<Quantity>]>();

  /** Something comes, leaves or shrinks at a price. What is undone later may stay noted. */
  note(market: Market, side: SideIndex, ticks: Quantity): void {
    let sides = this.ticks.get(market);
    if (sides === undefined) {
      sides = [new Set(), new Set()];
      this.ticks.set(market, sides);
    }
    sides[side].add(ticks);
  }

  clear(): void {
    this.ticks.clear();
  }
}

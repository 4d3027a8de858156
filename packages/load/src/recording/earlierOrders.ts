import { addressOf, type Call, numberOf, objectOf, quantityOf, textOf } from './answers.ts';
import type { EarlierOrder } from './blockRecorder.ts';
import type { FlowOrder } from './flow/flow.ts';
import type { EventFacts } from './networkBlocks.ts';

/** What a record's blocks did to an order that is older than they are. */
interface Touched {
  /** Base units that traded, or were taken off. */
  used: bigint;
  /** What was left when it was cancelled; null while it rests, or when it was filled. */
  left: bigint | null;
}

/**
 * Finds the orders that rested before a record begins and that its blocks trade with, shrink or cancel. Others change nothing that the blocks tell: what no
 * order reached was not in the way of any.
 */
export class EarlierOrders {
  /** Ids come from one counter: this one and all above it are of these blocks. */
  #firstOwn = Number.POSITIVE_INFINITY;
  readonly #touched = new Map<number, Touched>();

  /** Takes the events of the next block. */
  add(events: readonly EventFacts[]): void {
    for (const { kind, data } of events)
      if (kind === 'order_accepted') this.#firstOwn = Math.min(this.#firstOwn, numberOf(data, 'order_id'));
      else if (kind === 'trade') this.#use(numberOf(data, 'maker_order_id'), quantityOf(data, 'size'));
      else if (kind === 'order_reduced') this.#use(numberOf(data, 'order_id'), quantityOf(data, 'amount'));
      else if (kind === 'order_cancelled') this.#use(numberOf(data, 'order_id'), 0n, quantityOf(data, 'remaining'));
  }

  /**
   * Asks for what the events do not tell: owner, side, price. By id, which is the order in which they came.
   *
   * An order that is not cancelled in the record has a lot more than was used of it: how much more makes no difference, for nobody reached it.
   */
  async read(call: Call, lots: ReadonlyMap<number, bigint>): Promise<readonly EarlierOrder[]> {
    const found: EarlierOrder[] = [];
    for (const [id, { used, left }] of [...this.#touched].sort(([a], [b]) => a - b)) {
      const order = objectOf(await call('primeorders_getOrder', [`0x${id.toString(16)}`]), `order ${id}`);
      const market = numberOf(order, 'market_id');
      const isFilled = order['status'] === 'filled';
      const size = used + (left ?? (isFilled ? 0n : (lots.get(market) ?? 1n)));
      const side = textOf(order, 'side') as FlowOrder['side'];
      if (size > 0n)
        found.push({
          id,
          owner: addressOf(order, 'owner'),
          order: { market, side, price: `${quantityOf(order, 'price')}`, size: `${size}` },
        });
    }
    return found;
  }

  #use(id: number, size: bigint, left: bigint | null = null): void {
    if (id >= this.#firstOwn) return;
    const touched = this.#touched.get(id) ?? { used: 0n, left: null };
    touched.used += size;
    touched.left = left ?? touched.left;
    this.#touched.set(id, touched);
  }
}

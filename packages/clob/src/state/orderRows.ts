/**
 * Orders as rows of numbers: how a state tells another one what became of them. A row says all of an order as it stands after a block, or
 * that it is gone, so it does not matter how often or from what before it is applied.
 */
export interface OrderRows {
  /** {@link orderNumbers} a row, ascending by id. */
  readonly numbers: Float64Array;
  readonly clientIds: readonly (readonly [row: number, clientId: string])[];
}

/** id, market (0: gone), owner's place, side, ticks, size and remaining in lots, flags of the pool, expiry, block. */
export const orderNumbers = 10;

/** Says that no order changed. */
export const noOrderRows: OrderRows = { numbers: new Float64Array(0), clientIds: [] };

/** One row, read. */
export interface OrderRowView {
  readonly id: number;
  /** 0: the order is gone. */
  readonly market: number;
  readonly owner: number;
  readonly side: number;
  readonly ticks: number;
  readonly size: number;
  readonly remaining: number;
  readonly flags: number;
  readonly expiresAt: number;
  readonly createdBlock: number;
  readonly clientId: string | null;
}

function viewOf(numbers: Float64Array, row: number, clientId: string | undefined): OrderRowView {
  const at = row * orderNumbers;
  return {
    id: numbers[at]!,
    market: numbers[at + 1]!,
    owner: numbers[at + 2]!,
    side: numbers[at + 3]!,
    ticks: numbers[at + 4]!,
    size: numbers[at + 5]!,
    remaining: numbers[at + 6]!,
    flags: numbers[at + 7]!,
    expiresAt: numbers[at + 8]!,
    createdBlock: numbers[at + 9]!,
    clientId: clientId ?? null,
  };
}

/** Reads several lists of rows as one, ascending by id. */
export class RowMerge {
  readonly #lists: { readonly numbers: Float64Array; readonly clientIds: ReadonlyMap<number, string>; row: number }[];

  constructor(lists: readonly OrderRows[]) {
    this.#lists = lists.map(({ numbers, clientIds }) => ({ numbers, clientIds: new Map(clientIds), row: 0 }));
  }

  /** The next row, if its id is below one. */
  next(before: number): OrderRowView | null {
    let least = before;
    let found = null;
    for (const list of this.#lists) {
      const id = list.numbers[list.row * orderNumbers];
      if (id === undefined || id >= least) continue;
      least = id;
      found = list;
    }
    return found === null ? null : viewOf(found.numbers, found.row, found.clientIds.get(found.row++));
  }
}

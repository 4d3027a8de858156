/** How a node is asked: one JSON-RPC call. Rejects with whatever the transport or the node refused it with. */
export type Call = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** A node of the network that is judged. */
export interface AuditedNode {
  readonly name: string;
  readonly call: Call;
}

/** 0x and the fewest hex digits; a minus in front of negative ones. */
export const toHex = (value: number | bigint): string =>
  value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

/** The number that {@link toHex} wrote. */
export const fromHex = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text));

/** Results in the order of the items, with so many of them under way at once. The first failure ends it. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    const result = work(item);
    // Told by the loop when its turn comes.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= width) yield await running.shift()!;
  }
  for (const result of running) yield await result;
}

/** {@link inOrder} as a list. */
export async function allInOrder<Item, Result>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of inOrder(items, width, work)) results.push(result);
  return results;
}

/**
 * As many pairs as there can be, each of one left and one right, each of both in one pair at most.
 *
 * @param edges for each left one the right ones that it may be paired with, the preferred first
 * @returns for each left one its right one, or null
 */
export function matchMost(edges: readonly (readonly number[])[]): (number | null)[] {
  const leftOf = new Map<number, number>();
  // Kuhn's algorithm: a left one takes a right one when its present partner finds another.
  const place = (left: number, tried: Set<number>): boolean => {
    for (const right of edges[left]!) {
      if (tried.has(right)) continue;
      tried.add(right);
      const holder = leftOf.get(right);
      if (holder !== undefined && !place(holder, tried)) continue;
      leftOf.set(right, left);
      return true;
    }
    return false;
  };
  for (const left of edges.keys()) place(left, new Set());
  const pairs: (number | null)[] = edges.map(() => null);
  for (const [right, left] of leftOf) pairs[left] = right;
  return pairs;
}

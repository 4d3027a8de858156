import type { ExplorerNode } from '../node/node.ts';

/** One of something for each node, made when it is asked for first: what only some pages follow, and all of these share. */
export function ofNode<T>(make: (node: ExplorerNode) => T): (node: ExplorerNode) => T {
  const made = new WeakMap<ExplorerNode, { readonly value: T }>();
  return (node) => {
    const known = made.get(node) ?? { value: make(node) };
    made.set(node, known);
    return known.value;
  };
}

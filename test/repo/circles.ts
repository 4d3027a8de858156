/** Names of modules, and of those that each one imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Circles of a graph, each as `a → b → a`: one for each import that leads back to a module on the way to it. There is none exactly where the graph has no
 * circle. A module that is imported and is no key of the graph leads nowhere.
 */
export function circlesOf(graph: ImportGraph): string[] {
  const circles: string[] = [];
  const visited = new Set<string>();
  const way: string[] = [];
  const visit = (name: string): void => {
    visited.add(name);
    way.push(name);
    for (const imported of graph.get(name) ?? []) {
      const from = way.indexOf(imported);
      if (from >= 0) circles.push([...way.slice(from), imported].join(' → '));
      else if (!visited.has(imported)) visit(imported);
    }
    way.pop();
  };
  for (const name of graph.keys()) if (!visited.has(name)) visit(name);
  return circles;
}

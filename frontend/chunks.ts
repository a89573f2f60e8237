import { join } from 'node:path';

/** What is known of a module while chunks are made. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * How the code of the page is put into files: what it needs before any view into one, and what several
 * views share into another. Left alone, each shared module becomes a file of its own, and a start
 * fetches forty of them.
 */
export function chunks(root: string) {
  const first = (id: string, graph: Graph) => (needed(join(root, 'src', 'main.ts'), graph).has(id) ? 'page' : null);
  return {
    includeDependenciesRecursively: false,
    groups: [
      { name: first, debugName: 'page', priority: 2 },
      { name: 'shared', minShareCount: 2, priority: 1 },
    ],
  };
}

let known: Set<string> | undefined;

/** Everything that a module needs before it can run. */
function needed(from: string, graph: Graph): Set<string> {
  if (known) return known;
  known = new Set([from]);
  for (const id of known) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) known.add(next);
  return known;
}

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
  let before: Set<string> | undefined;
  const page = (id: string, graph: Graph) => {
    before ??= needed(join(root, 'src', 'main.ts'), graph);
    return before.has(id) ? 'page' : null;
  };
  return {
    includeDependenciesRecursively: false,
    groups: [
      { name: page, debugName: 'page', priority: 2 },
      { name: 'shared', minShareCount: 2, priority: 1 },
    ],
  };
}

/** Everything that a module needs before it can run, and the module itself. */
function needed(from: string, graph: Graph): Set<string> {
  const found = new Set([from]);
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds the groups of nodes that reach each other (Tarjan's strongly connected components), sorted by name. */
export function circlesOf(graph: Graph): string[][] {
  const state = { index: new Map<string, number>(), low: new Map<string, number>(), stack: [] as string[] };
  const circles: string[][] = [];
  const visit = (node: string): void => {
    const order = state.index.size;
    state.index.set(node, order);
    state.low.set(node, order);
    state.stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!state.index.has(next)) visit(next);
      if (state.stack.includes(next)) lower(state.low, node, state.low.get(next) ?? order);
    }
    if (state.low.get(node) !== order) return;
    const circle = state.stack.splice(state.stack.indexOf(node));
    if (circle.length > 1 || graph.get(node)?.has(node)) circles.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!state.index.has(node)) visit(node);
  return circles;
}

function lower(low: Map<string, number>, node: string, value: number): void {
  low.set(node, Math.min(low.get(node) ?? value, value));
}

export function addEdge(graph: Map<string, Set<string>>, from: string, to: string): void {
  const edges = graph.get(from) ?? new Set();
  graph.set(from, edges.add(to));
  if (!graph.has(to)) graph.set(to, new Set());
}

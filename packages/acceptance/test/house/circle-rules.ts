import { posix } from 'node:path';
import { addEdge, circlesOf, type Graph } from './circles.ts';
import type { Finding } from './finding.ts';
import { isWingOfRooms } from './wing-rules.ts';
import {
  isTest,
  packageOf,
  resolveImport,
  type Workspace,
  workspaceNamed,
  workspaces,
} from './workspaces.ts';

const maxRooms = 12;

const sources = (workspace: Workspace) => workspace.files.filter(({ path }) => !isTest(path));

/**
 * Builds the graph of files. Imports of types count: two files that need each other's types are read together, and so
 * are one file.
 */
function fileGraph(workspace: Workspace): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of sources(workspace)) {
    for (const { specifier } of file.imports) {
      const target = resolveImport(file, specifier);
      if (target?.startsWith(`${workspace.folder}/src/`)) addEdge(graph, file.path, target);
    }
  }
  return graph;
}

/**
 * Returns the folder of a wing, or of src, that contains a file. A file directly in a wing counts as its own room, so that
 * a list of dependencies and the rooms that use them make no circle. A file directly in src belongs to no room.
 */
function findRoom(workspace: Workspace, path: string): string | undefined {
  const parts = path.slice(`${workspace.folder}/src/`.length).split('/');
  const depth = isWingOfRooms(workspace.folder, parts[0]) ? 2 : 1;
  return parts.length > 1 ? parts.slice(0, depth).join('/') : undefined;
}

function roomGraph(workspace: Workspace): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, targets] of fileGraph(workspace)) {
    for (const to of targets) {
      const rooms = [findRoom(workspace, from), findRoom(workspace, to)] as const;
      if (rooms[0] && rooms[1] && rooms[0] !== rooms[1]) addEdge(graph, rooms[0], rooms[1]);
    }
  }
  return graph;
}

const circles = (rule: string, workspace: string, graph: Graph): Finding[] =>
  circlesOf(graph).map((circle) => ({ rule, workspace, text: circle.join(', ') }));

/** Finds more than a dozen rooms under src, or in a wing. */
function tooManyRooms(workspace: Workspace): Finding[] {
  const rooms = new Set(sources(workspace).flatMap(({ path }) => findRoom(workspace, path) ?? []));
  const folders = [...rooms].filter((room) => posix.extname(room) === '');
  const byWing = Map.groupBy(folders, (room) => posix.dirname(room));
  return [...byWing.values()]
    .filter((found) => found.length > maxRooms)
    .map((found) => ({
      rule: 'too many rooms',
      workspace: workspace.folder,
      text: `${found.length} rooms, at most ${maxRooms}: ${found.toSorted().join(', ')}`,
    }));
}

/** Finds imports of the aggregate. The other rooms depend on it; it depends on none of them. */
function aggregateImports(workspace: Workspace): Finding[] {
  const imported = roomGraph(workspace).get('requests/request') ?? [];
  const targets = [...imported].filter((room) => room !== 'base' && posix.extname(room) === '');
  if (workspace.folder !== 'apps/intake' || targets.length === 0) return [];
  const text = `requests/request/ imports ${targets.toSorted().join(', ')}`;
  return [{ rule: 'aggregate imports a room', workspace: workspace.folder, text }];
}

/** Builds the graph of declared dependencies, including those of tests: a build orders workspaces by it. */
function packageGraph(): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { name, dependencies, devDependencies, files } of workspaces) {
    const declared = [
      ...dependencies,
      ...devDependencies,
      ...files.flatMap(({ imports }) => imports.map((one) => packageOf(one.specifier))),
    ];
    for (const other of declared) {
      if (workspaceNamed(other) && other !== name) addEdge(graph, name, other);
    }
  }
  return graph;
}

export const circleFindings = (): Finding[] => [
  ...circles('circle of packages', 'packages', packageGraph()),
  ...workspaces.flatMap((workspace) => circles('circle of files', workspace.folder, fileGraph(workspace))),
  ...workspaces
    .filter(({ isApp }) => isApp)
    .flatMap((workspace) => [
      ...circles('circle of rooms', workspace.folder, roomGraph(workspace)),
      ...tooManyRooms(workspace),
      ...aggregateImports(workspace),
    ]),
];

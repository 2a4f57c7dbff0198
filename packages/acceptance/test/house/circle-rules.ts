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

const mostRooms = 12;

const sources = (workspace: Workspace) => workspace.files.filter(({ path }) => !isTest(path));

/** Imports of types count: two files that need each other's types are read together, and so are one file. */
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
 * The folder of a wing, or of src, that a file lies in. A file directly in a wing is a room of its own, so that a list of
 * dependencies and the rooms that take them make no circle; a file directly in src lies in no room.
 */
function roomOf(workspace: Workspace, path: string): string | undefined {
  const parts = path.slice(`${workspace.folder}/src/`.length).split('/');
  const depth = isWingOfRooms(workspace.folder, parts[0]) ? 2 : 1;
  return parts.length > 1 ? parts.slice(0, depth).join('/') : undefined;
}

function roomGraph(workspace: Workspace): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, targets] of fileGraph(workspace)) {
    for (const to of targets) {
      const rooms = [roomOf(workspace, from), roomOf(workspace, to)] as const;
      if (rooms[0] && rooms[1] && rooms[0] !== rooms[1]) addEdge(graph, rooms[0], rooms[1]);
    }
  }
  return graph;
}

const circles = (rule: string, workspace: string, graph: Graph): Finding[] =>
  circlesOf(graph).map((circle) => ({ rule, workspace, text: circle.join(', ') }));

/** At most a dozen rooms under src, and in each wing. */
function tooManyRooms(workspace: Workspace): Finding[] {
  const rooms = new Set(sources(workspace).flatMap(({ path }) => roomOf(workspace, path) ?? []));
  const folders = [...rooms].filter((room) => posix.extname(room) === '');
  const byWing = Map.groupBy(folders, (room) => posix.dirname(room));
  return [...byWing.values()]
    .filter((found) => found.length > mostRooms)
    .map((found) => ({
      rule: 'too many rooms',
      workspace: workspace.folder,
      text: `${found.length} rooms, at most ${mostRooms}: ${found.toSorted().join(', ')}`,
    }));
}

/** The aggregate is what the other rooms are about; it knows none of them. */
function aggregateImports(workspace: Workspace): Finding[] {
  const imported = roomGraph(workspace).get('requests/request') ?? [];
  const targets = [...imported].filter((room) => room !== 'base' && posix.extname(room) === '');
  if (workspace.folder !== 'apps/intake' || targets.length === 0) return [];
  const text = `requests/request/ imports ${targets.toSorted().join(', ')}`;
  return [{ rule: 'aggregate imports a room', workspace: workspace.folder, text }];
}

/** What is declared counts, for tests too: a build orders workspaces by it. */
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

import type { Finding } from './finding.ts';
import { isTest, resolveImport, type Workspace, workspaces } from './workspaces.ts';

interface Wing {
  /** Wings that this one imports. */
  readonly imports: readonly string[];
  /** True if the folders within are separate rooms. */
  readonly hasRooms: boolean;
}

interface WingPlan {
  readonly wings: Readonly<Record<string, Wing>>;
  /** Files directly under `src`, which combine the wings. */
  readonly top: readonly string[];
  /** Wing that may import files directly under `src`. */
  readonly outermost: string;
}

/** Apps whose folders under `src` are wings, from the lowest to the highest. */
const plans: Readonly<Record<string, WingPlan>> = {
  'apps/intake': {
    wings: {
      base: { imports: [], hasRooms: false },
      outside: { imports: ['base'], hasRooms: false },
      access: { imports: ['base', 'outside'], hasRooms: true },
      requests: { imports: ['base', 'outside', 'access'], hasRooms: true },
      desk: { imports: ['base', 'access', 'requests'], hasRooms: true },
      commands: { imports: ['base', 'outside', 'access', 'requests', 'desk'], hasRooms: false },
    },
    top: ['main', 'config', 'service', 'router', 'entities', 'start-workers', 'sweeper-tasks'],
    outermost: 'commands',
  },
};

/** Maximum folders between `src` and a file: wing, room, and one within the room. */
const maxFolders = 3;

/** Checks for a wing whose folders are rooms, by its path from the repository's root. */
export function isWingOfRooms(folder: string, name: string | undefined): boolean {
  return name !== undefined && plans[folder]?.wings[name]?.hasRooms === true;
}

/** Splits a path under `src`; undefined if it lies elsewhere. */
function splitFolders({ folder }: Workspace, path: string): string[] | undefined {
  const src = `${folder}/src/`;
  return path.startsWith(src) ? path.slice(src.length).split('/').slice(0, -1) : undefined;
}

function findPlaceFault(
  { wings, top }: WingPlan,
  path: string,
  folders: readonly string[],
): string | undefined {
  const [wing] = folders;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.ts$/, '');
  if (wing === undefined) return top.includes(name) ? undefined : 'belongs into a wing';
  if (wings[wing] === undefined) return `${wing} is no wing`;
  return folders.length > maxFolders ? `lies more than ${maxFolders} folders deep` : undefined;
}

function isPermitted({ wings, outermost }: WingPlan, from: string, to: string | undefined): boolean {
  if (to === undefined) return from === outermost;
  return from === to || wings[from]?.imports.includes(to) === true;
}

/** Finds imports between wings that do not go down; imports of types count. Files directly under `src` may import any. */
export function wingFindings(): Finding[] {
  return workspaces.flatMap((workspace) => {
    const plan = plans[workspace.folder];
    if (plan === undefined) return [];
    const finding = (rule: string, text: string): Finding => ({ rule, workspace: workspace.folder, text });
    return workspace.files
      .filter(({ path }) => !isTest(path))
      .flatMap((file) => {
        const folders = splitFolders(workspace, file.path);
        if (folders === undefined) return [];
        const fault = findPlaceFault(plan, file.path, folders);
        const placed = fault === undefined ? [] : [finding('wrong place', `${file.path} ${fault}`)];
        const [wing] = folders;
        if (wing === undefined) return placed;
        const wrong = file.imports
          .map(({ specifier }) => resolveImport(file, specifier) ?? '')
          .map((target) => ({ target, to: splitFolders(workspace, target) }))
          .filter(({ to }) => to !== undefined && !isPermitted(plan, wing, to[0]))
          .map(({ target }) => finding('wrong direction of wings', `${file.path} imports ${target}`));
        return [...placed, ...wrong];
      });
  });
}

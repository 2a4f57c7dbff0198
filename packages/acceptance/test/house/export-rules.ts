import type { Finding } from './finding.ts';
import { withoutComments } from './read-imports.ts';
import { isTest, resolveImport, type SourceFile, type Workspace, workspaces } from './workspaces.ts';

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?<kind>function\*?|const|let|class|interface|type|enum) (?<name>[\w$]+)/gm;
const unpacked = /^export const \{(?<names>[^}]+)\} =/gm;
const list = /^export (?<type>type )?\{(?<names>[^}]+)\}/gm;

/** Installed by others, who import what nobody here does. */
const published = ['packages/bus', 'packages/sdk', 'packages/operators-client'];

/** Taken by its path: the tests of the deployment hold every service's settings against `deploy/`. */
function isTakenByPath({ path }: SourceFile): boolean {
  return /^apps\/[^/]+\/src\/config\.ts$/.test(path);
}

/**
 * What a file shows. A type that it also uses itself is left out: it is the shape of something shown, and has a
 * name so that a caller may say it.
 */
function exportsOf(file: SourceFile): string[] {
  const text = withoutComments(file.text);
  const declared = [...text.matchAll(declaration)].flatMap(({ groups: { kind, name = '' } = {} }) =>
    (kind === 'interface' || kind === 'type') && mentions(text, name) > 1 ? [] : [name],
  );
  const grouped = [...text.matchAll(list), ...text.matchAll(unpacked)].flatMap(({ groups }) =>
    groups?.type === undefined ? (groups?.names ?? '').split(',').map((name) => name.trim()) : [],
  );
  const values = grouped.filter((name) => name !== '' && !name.startsWith('type '));
  return [...declared, ...values.map((name) => name.replace(/^.*(?: as |: )/, ''))];
}

function mentions(text: string, name: string): number {
  return text.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length - 1;
}

interface Use {
  readonly by: SourceFile;
  readonly workspace: Workspace;
  readonly name: string;
}

/** Who imports which name of which file; `*` where the whole file is taken. */
function readUses(): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const workspace of workspaces) {
    for (const by of workspace.files) {
      for (const statement of by.imports) {
        const target = resolveImport(by, statement.specifier);
        if (target === undefined) continue;
        const names = statement.namespace ? membersOf(by.text, statement.namespace) : statement.names;
        uses.set(target, [...(uses.get(target) ?? []), ...names.map((name) => ({ by, workspace, name }))]);
      }
    }
  }
  return uses;
}

/** `fields.idSchema` uses one name; `fields` alone, handed to something, uses all. */
function membersOf(text: string, namespace: string): string[] {
  const found = [...text.matchAll(new RegExp(`\\b${namespace}\\b(?:\\.(?<member>[\\w$]+))?`, 'g'))].slice(1);
  return found.map(({ groups }) => groups?.member ?? '*');
}

/**
 * What a package shows at its entry must be used by another workspace or by the package itself, its tests do not
 * count; what a file shows, by another file. Routers, which an app shows, are for whoever writes a dashboard.
 */
export function unusedExports(): Finding[] {
  const uses = readUses();
  return workspaces.flatMap((workspace) => {
    const entries = [...workspace.exports.values()].map((path) => `${workspace.folder}/${path.slice(2)}`);
    return workspace.files
      .filter((file) => !isTest(file.path) && !isTakenByPath(file))
      .flatMap((file) => {
        const isEntry = entries.includes(file.path);
        if (isEntry && (workspace.isApp || published.includes(workspace.folder))) return [];
        const usable = (uses.get(file.path) ?? []).filter(
          (use) => !isEntry || use.workspace !== workspace || !isTest(use.by.path),
        );
        const names = new Set(usable.map(({ name }) => name));
        if (names.has('*')) return [];
        return exportsOf(file)
          .filter((name) => !names.has(name))
          .map((name) => ({
            rule: 'unused export',
            workspace: workspace.folder,
            text: `${file.path}: ${name}`,
          }));
      });
  });
}

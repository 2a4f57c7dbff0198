import type { Finding } from './finding.ts';
import { withoutComments } from './read-imports.ts';
import { isTest, resolveImport, type SourceFile, type Workspace, workspaces } from './workspaces.ts';

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?<kind>function\*?|const|let|class|interface|type|enum) (?<name>[\w$]+)/gm;
const destructured = /^export const \{(?<names>[^}]+)\} =/gm;
const list = /^export (?<type>type )?\{(?<names>[^}]+)\}/gm;

/** Packages installed by others, who import names that no workspace here imports. */
const published = ['packages/bus', 'packages/sdk', 'packages/operators-client'];

/** Recognizes files imported by path: the deployment's tests compare every service's settings with `deploy/`. */
function isTakenByPath({ path }: SourceFile): boolean {
  return /^apps\/[^/]+\/src\/config\.ts$/.test(path);
}

/**
 * Lists the exports of a file. A type that the file uses itself is omitted: it describes an exported value, and has a
 * name for callers.
 */
function listExports(file: SourceFile): string[] {
  const text = withoutComments(file.text);
  const declared = [...text.matchAll(declaration)].flatMap(({ groups: { kind, name = '' } = {} }) =>
    (kind === 'interface' || kind === 'type') && mentions(text, name) > 1 ? [] : [name],
  );
  const grouped = [...text.matchAll(list), ...text.matchAll(destructured)].flatMap(({ groups }) =>
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

/** Reads the imported names by file; `*` for an import of the whole file. */
function readUses(): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const workspace of workspaces) {
    for (const by of workspace.files) {
      for (const statement of by.imports) {
        const target = resolveImport(by, statement.specifier);
        if (target === undefined) continue;
        const names = statement.namespace ? listMembers(by.text, statement.namespace) : statement.names;
        uses.set(target, [...(uses.get(target) ?? []), ...names.map((name) => ({ by, workspace, name }))]);
      }
    }
  }
  return uses;
}

/** Lists the used members: `fields.idSchema` uses one name; `fields` alone, passed on, uses all. */
function listMembers(text: string, namespace: string): string[] {
  const found = [...text.matchAll(new RegExp(`\\b${namespace}\\b(?:\\.(?<member>[\\w$]+))?`, 'g'))].slice(1);
  return found.map(({ groups }) => groups?.member ?? '*');
}

/** Recognizes the file of an entry: `./src/main.ts`, or the index of a subject for `./src/*\/index.ts`. */
function isPackageEntry({ exports, folder }: Workspace, { path }: SourceFile): boolean {
  const [subject, ...below] = path.slice(`${folder}/src/`.length).split('/');
  const pattern = below.join('/') === 'index.ts' ? path.replace(`/${subject}/`, '/*/') : path;
  const targets = [...exports.values()].map((target) => `${folder}/${target.slice(2)}`);
  return targets.includes(path) || targets.includes(pattern);
}

/**
 * Finds unused exports. Another workspace or the package itself must use the exports of its entry; its tests do not
 * count. Another file must use the exports of a file. Routers, which an app exports, are for authors of dashboards.
 */
export function unusedExports(): Finding[] {
  const uses = readUses();
  return workspaces.flatMap((workspace) =>
    workspace.files
      .filter((file) => !isTest(file.path) && !isTakenByPath(file))
      .flatMap((file) => {
        const isEntry = isPackageEntry(workspace, file);
        if (isEntry && (workspace.isApp || published.includes(workspace.folder))) return [];
        const usable = (uses.get(file.path) ?? []).filter(
          (use) => !isEntry || use.workspace !== workspace || !isTest(use.by.path),
        );
        const names = new Set(usable.map(({ name }) => name));
        if (names.has('*')) return [];
        return listExports(file)
          .filter((name) => !names.has(name))
          .map((name) => ({
            rule: 'unused export',
            workspace: workspace.folder,
            text: `${file.path}: ${name}`,
          }));
      }),
  );
}

export interface ImportStatement {
  readonly specifier: string;
  /** Names under which the other file exports them; `*` for all. */
  readonly names: readonly string[];
  /** Local name of `* as name`. */
  readonly namespace: string | undefined;
  /** True for `import type` and `export type`, which do not exist at run time. */
  readonly typeOnly: boolean;
  /** True for `export … from`, which re-exports the names. */
  readonly reExport: boolean;
}

const statement =
  /^(?<kind>import|export)(?<type>\s+type)?\s+(?:(?<clause>[\w$*{}\s,]+?)\s+from\s+)?'(?<specifier>[^'\n]+)'/gm;
/** Matches modules loaded at run time, or named for a worker or a mock: always a dependency of the running program. */
const runtimeImport =
  /(?<!typeof )\b(?:import|vi\.mock|vi\.importActual|(?:import\.meta|require|createRequire\([^)]*\))\.resolve)\(\s*'(?<module>[^'\n]+)'|\bnew URL\('(?<file>[^'\n]+\.ts)'/g;

/**
 * Reads the import and export statements of a file. A pattern suffices, because the formatter puts each at the start of
 * a line and in single quotes. Similar text inside a template is removed first.
 */
export function readImports(source: string): ImportStatement[] {
  const text = withoutTemplates(source);
  const statements = [...text.matchAll(statement)].map(({ groups }) => toImport(groups ?? {}));
  const others = [...withoutComments(text).matchAll(runtimeImport)].map(({ groups }) => ({
    specifier: groups?.module ?? groups?.file?.replace(/^(?!\.)/, './') ?? '',
    names: ['*'],
    namespace: undefined,
    typeOnly: false,
    reExport: false,
  }));
  return [...statements, ...others];
}

function toImport(groups: Record<string, string | undefined>): ImportStatement {
  const clause = groups.clause ?? '';
  const braces = /\{(?<inside>[^}]*)\}/.exec(clause)?.groups?.inside ?? '';
  const named = braces
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .filter((name) => name !== '')
    .map((name) => name.split(/\s+as\s+/)[0] ?? name);
  const rest = clause.replace(/\{[^}]*\}/, '').trim();
  const namespace = /\*\s+as\s+(?<local>[\w$]+)/.exec(rest)?.groups?.local;
  const all = rest === '*' ? ['*'] : [];
  const byDefault = /^[\w$]+/.test(rest) ? ['default'] : [];
  return {
    specifier: groups.specifier ?? '',
    names: [...named, ...all, ...byDefault],
    namespace,
    typeOnly: groups.type !== undefined,
    reExport: groups.kind === 'export',
  };
}

/**
 * Removes import lines from templates: those that span lines contain other programs' text, such as examples, SQL,
 * pages.
 */
function withoutTemplates(source: string): string {
  return source.replace(/`(?:\\.|[^`\\])*`/gs, (template) => template.replaceAll(/^(import|export)\b/gm, ''));
}

export function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

/**
 * Tokens of SQL: quoted text, quoted names, comments and casts, in which a colon means something else; or a parameter.
 */
const tokens = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::|:(?<name>[a-zA-Z]\w*)/g;

export interface NumberedSql {
  /** SQL with `$1`, `$2` … */
  readonly text: string;
  /** Names in the order of their numbers. */
  readonly names: readonly string[];
}

/** Turns `:requestId` into `$1`: a name that occurs several times is one parameter. */
export function numberParameters(sql: string): NumberedSql {
  const names: string[] = [];
  const text = sql.replaceAll(tokens, (token: string, ...rest: unknown[]) => {
    const { name } = rest.at(-1) as { name?: string };
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

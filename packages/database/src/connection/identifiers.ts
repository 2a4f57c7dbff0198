const identifier = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Quotes a table, column, role or schema name for SQL. Only lower-case names are accepted, because all of ours are:
 * anything else is a mistake or an injection and throws `TypeError`.
 */
export function quoteIdentifier(name: string): string {
  if (!identifier.test(name)) throw new TypeError(`not a plain SQL identifier: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

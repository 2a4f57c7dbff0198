import { sessionSettings } from './session-settings.ts';

/** How a session has begun, as the server says it. */
export type SessionStart = Readonly<Record<string, string>>;

const names = ['search_path', ...Object.keys(sessionSettings)];

/**
 * The number of a transaction takes an entry in the server's table of locks, as every write does: a plain read would also succeed
 * where that table is full, or where the server takes no writes.
 */
export const sessionStart = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}, pg_current_xact_id()`;

/**
 * A pooler in transaction mode passes no start-up options on, so the role's own defaults count.
 * @throws Error that says what to set, before a statement finds no table or reads a time in another form
 */
export function judgeSession(session: SessionStart, schema: string): void {
  for (const [name, value] of Object.entries({ search_path: schema, ...sessionSettings })) {
    const found = session[name] ?? '';
    if (found === value || (name === 'datestyle' && found.startsWith('ISO,'))) continue;
    const text = name === 'search_path' ? value : `'${value}'`;
    throw new Error(
      `behind the pooler ${name} is "${found}": ALTER ROLE … SET ${name} = ${text} (deploy/postgres/roles.sql)`,
    );
  }
}

import { sessionSettings } from './session-settings.ts';

/** Settings of a session at its start, as the server reports them. */
export type SessionStart = Readonly<Record<string, string>>;

const names = ['search_path', ...Object.keys(sessionSettings)];

/**
 * Query of the settings. The number of a transaction takes an entry in the server's table of locks, as every write
 * does. A plain read would also succeed while that table is full, or while the server refuses writes.
 */
export const sessionStart = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}, pg_current_xact_id()`;

/**
 * Checks the settings of a session. A pooler in transaction mode passes no start-up options on, so the role's own
 * defaults apply.
 * @throws Error that names the setting to correct, before a statement finds no table or reads a time in another form
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

/** How a session has begun, as the server says it. */
export interface SessionStart {
  readonly path: string;
  readonly zone: string;
}

/**
 * The number of a transaction takes an entry in the server's table of locks, as every write does: a plain read would also succeed
 * where that table is full, or where the server takes no writes.
 */
export const sessionStart =
  "select current_setting('search_path') as path, current_setting('timezone') as zone, pg_current_xact_id()";

/**
 * A pooler in transaction mode passes no start-up options on, so the role's own defaults count.
 * @throws Error that says what to set, before a statement finds no table or reads a time in another zone
 */
export function judgeSession({ path, zone }: SessionStart, schema: string): void {
  if (path !== schema)
    throw new Error(
      `behind the pooler search_path is "${path}": ALTER ROLE … SET search_path = ${schema} (deploy/postgres/roles.sql)`,
    );
  if (zone !== 'UTC')
    throw new Error(
      `behind the pooler timezone is "${zone}": ALTER ROLE … SET timezone = 'UTC' (deploy/postgres/roles.sql)`,
    );
}

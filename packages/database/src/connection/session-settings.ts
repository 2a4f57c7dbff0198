/**
 * Settings that determine the text of numbers and times and the isolation of transactions. Each connection sets them
 * itself: a role may change its own defaults permanently with nothing but its password.
 */
export const sessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  row_security: 'on',
} as const;

/** Defaults of a service's role, as set by `deploy/postgres/roles.sql`. Sessions through a pooler use them. */
const roleSettings: Readonly<Record<string, string>> = {
  ...sessionSettings,
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '10s',
  // The ORM writes values into the text of its statements: a failed one would leave hashes, seals and MACs in the
  // server's log.
  log_min_error_statement: 'panic',
};

/**
 * Compares the defaults of a role with those that provisioning has set. A missing one is the server's.
 * @param stored as in `pg_db_role_setting`: `name=value`
 * @returns descriptions of the differences
 */
export function judgeRoleSettings(stored: readonly string[], schema: string): string[] {
  const expected: Readonly<Record<string, string>> = { ...roleSettings, search_path: schema };
  return stored.flatMap((entry) => {
    const [name = '', value = ''] = entry.split(/=(.*)/s);
    const expectedValue = expected[name.toLowerCase()];
    if (expectedValue === value) return [];
    return expectedValue === undefined
      ? `the role sets ${name} to "${value}"`
      : `the role sets ${name} to "${value}" in place of "${expectedValue}"`;
  });
}

/**
 * Settings by which numbers and times are written as text and transactions are isolated. A role may change its own
 * defaults for good, with its present password alone, so each connection says them itself.
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

/** Defaults of a service's role, as `deploy/postgres/roles.sql` makes them: those of sessions that come through a pooler. */
const roleSettings: Readonly<Record<string, string>> = {
  ...sessionSettings,
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '10s',
  // Statements of the ORM have their values in the text: a failed one would leave hashes, seals and MACs in the server's log.
  log_min_error_statement: 'panic',
};

/**
 * Compares the defaults that a role has with those that provisioning gave it. One that is missing is the server's.
 * @param stored as `pg_db_role_setting` has them: `name=value`
 * @returns what is wrong
 */
export function judgeRoleSettings(stored: readonly string[], schema: string): string[] {
  const expected: Readonly<Record<string, string>> = { ...roleSettings, search_path: schema };
  return stored.flatMap((entry) => {
    const [name = '', value = ''] = entry.split(/=(.*)/s);
    const right = expected[name.toLowerCase()];
    if (right === value) return [];
    return right === undefined
      ? `the role sets ${name} to "${value}"`
      : `the role sets ${name} to "${value}" in place of "${right}"`;
  });
}

/**
 * Builds SQL that formats a timestamptz as ISO 8601 in UTC with milliseconds: the form of the contracts and of `new
 * Date`.
 */
export function isoSql(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

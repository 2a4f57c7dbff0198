/**
 * Returns the SQL condition that a request's personal data was erased according to the audit log. The column
 * alone is no proof: a database role can set it and so exempt the request from verification.
 * @param request name of the row, never input
 */
export function wasErasedSql(request: string): string {
  return `(${request}.erased_at is not null and exists (select from audit where action = 'requests.erase'
    and coalesce(case when target like 'request:%' then substr(target, 9) end, details ->> 'requestId') = ${request}.id::text))`;
}

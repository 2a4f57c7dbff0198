/**
 * SQL: the request's personal data was erased, as the audit log says: the column alone, which a database role can set, would take
 * the proof from all that is shown of it.
 * @param request name of the row, never input
 */
export function wasErasedSql(request: string): string {
  return `(${request}.erased_at is not null and exists (select from audit where action = 'requests.erase'
    and coalesce(case when target like 'request:%' then substr(target, 9) end, details ->> 'requestId') = ${request}.id::text))`;
}

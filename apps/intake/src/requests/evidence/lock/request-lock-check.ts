/**
 * Returns SQL that requests a new check of the locks of requests; it reads `changed.id`. It belongs in the
 * statement that changes a request's legal hold or erases it.
 */
export function requestLockCheckSql(changed: string): string {
  return `update evidence_lock set due_at = now(), asked = evidence_lock.asked + 1
  from evidence join ${changed} on evidence.request_id = ${changed}.id
  where evidence_lock.object_id = evidence.object ->> 'id'`;
}

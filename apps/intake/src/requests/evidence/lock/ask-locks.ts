/**
 * SQL that has the locks of requests looked at again, by whoever carries them out; reads `changed.id`. In the statement
 * that changes a request's legal hold or erases it.
 */
export function askLocks(changed: string): string {
  return `update evidence_lock set due_at = now(), asked = evidence_lock.asked + 1
  from evidence join ${changed} on evidence.request_id = ${changed}.id
  where evidence_lock.object_id = evidence.object ->> 'id'`;
}

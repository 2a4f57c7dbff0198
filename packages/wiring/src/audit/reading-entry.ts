import type { AuditEntry } from '@rubrica/database';
import type { ReadingOfApplicants } from '../calls/reads-of-applicants.ts';

/** Builds the standard audit entry of an access to applicants' data, under its request if it concerns only one. */
export function readingEntry({ operator, action, requestIds, askedBy }: ReadingOfApplicants): AuditEntry {
  const [first, ...others] = requestIds;
  const isSingle = first !== undefined && others.length === 0;
  return {
    actor: `operator:${operator.email}`,
    action,
    target: isSingle ? `request:${first}` : 'requests',
    details: isSingle ? { askedBy } : { askedBy, requestIds },
  };
}

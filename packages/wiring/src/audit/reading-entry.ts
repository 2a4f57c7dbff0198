import type { AuditEntry } from '@rubrica/database';
import type { ReadingOfApplicants } from '../calls/reading-of-applicants.ts';

/** A reading of applicants' data, as a standard log keeps it: under its request where it is of one alone. */
export function readingEntry({ operator, action, requestIds, askedBy }: ReadingOfApplicants): AuditEntry {
  const [first, ...others] = requestIds;
  const isOfOne = first !== undefined && others.length === 0;
  return {
    actor: `operator:${operator.email}`,
    action,
    target: isOfOne ? `request:${first}` : 'requests',
    details: isOfOne ? { askedBy } : { askedBy, requestIds },
  };
}

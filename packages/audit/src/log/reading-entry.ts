import type { OperatorCaller } from '@rubrica/process/trpc';
import type { AuditEntry } from './standard-log.ts';

/** Access to applicants' data by one answer: the reader, the procedure, and the requests that it shows. */
export interface ReadingOfApplicants {
  readonly operator: OperatorCaller;
  /** Procedure that answered. */
  readonly action: string;
  readonly requestIds: readonly string[];
  /** Names of the filter fields; never their values, which would outlive the applicant's data. */
  readonly askedBy: readonly string[];
}

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

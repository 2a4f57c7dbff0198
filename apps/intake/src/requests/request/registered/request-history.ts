import { statuses } from '@rubrica/contracts/shared/enumerations';
import { isTerminal, type Trigger } from '../state-machine.ts';

/** Steps that write the registered data anew, under the next version. */
export const renewingTriggers = [
  'retryRegistration',
  'retryValidation',
  'retryGeneration',
  'validateAgain',
  'claim',
  'issueStepwise',
] as const satisfies readonly Trigger[];

/** Counts of the timeline, which the service's role in the database can extend and cannot shorten. */
export interface RequestHistory {
  /** Steps that renewed the registered data. */
  readonly renewals: number;
  /** Steps that voided the decision: the validation failed, or the applicant found the data wrong. */
  readonly failures: number;
  /** Entries of a request that has ended. */
  readonly ended: number;
  /** Attempts of the identity step that were used up. */
  readonly rejectedIdentities: number;
  /** Proofs of life that failed or expired. */
  readonly failedLiveness: number;
}

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const terminal = quoteNames(statuses.filter(isTerminal));

/** SQL over `timeline` that is true if the entry ends its request without a certificate. */
export const endedWithoutSql = `timeline.status in (${quoteNames(
  statuses.filter((status) => isTerminal(status) && status !== 'GENERATED'),
)})`;

/** SQL over `request` that is true if a step of its timeline has ended it. */
export const hasEndedSql = `exists (select from timeline
    where timeline.request_id = request.id and timeline.status in (${terminal}))`;

/**
 * Returns SQL of the `RequestHistory` of a request as JSON.
 * @param id SQL expression of its id, never input
 */
export function historySql(id: string): string {
  return `(select jsonb_build_object(
    'renewals', count(*) filter (where trigger in (${quoteNames(renewingTriggers)})),
    'failures', count(*) filter (where timeline.status = 'ERROR' and timeline.validation_status = 'ERROR'),
    'ended', count(*) filter (where timeline.status in (${terminal})),
    'rejectedIdentities', count(*) filter (where trigger = 'rejectIdentity'),
    'failedLiveness', count(*) filter (where trigger = 'failLiveness'))
    from timeline where timeline.request_id = ${id})`;
}

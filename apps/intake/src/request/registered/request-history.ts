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

/** Counts of the timeline, which the service's role in the database can add to and cannot shorten. */
export interface RequestHistory {
  /** Steps that renewed the registered data. */
  readonly renewals: number;
  /** Steps that leave nothing approved: every end, and every step before or outside a completed validation. */
  readonly unapproved: number;
}

/** `unapproved` of a request whose registration and validation began with one entry. */
export const unapprovedOnceBegun = 1;

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const terminal = quoted(statuses.filter(isTerminal));

/** SQL: `RequestHistory` of a request as JSON. @param id SQL expression of its id, never input */
export function historySql(id: string): string {
  return `(select jsonb_build_object(
    'renewals', count(*) filter (where trigger in (${quoted(renewingTriggers)})),
    'unapproved', count(*) filter (where timeline.validation_status <> 'COMPLETED' or timeline.status in (${terminal})))
    from timeline where timeline.request_id = ${id})`;
}

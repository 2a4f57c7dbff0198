import type { SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { forgetLinks } from './claim/dead-link.ts';
import { forgetSecrets, remindApplicants } from './claim/remind-applicants.ts';
import { forgetRenewalLinks } from './claim/renewal/renewal-link.ts';
import { expireRequests } from './request/expire-requests.ts';
import type { RetentionDays } from './request/retention-of.ts';

interface DeadlineRules {
  readonly clock: Clock;
  readonly retention: RetentionDays;
}

/** What is done at the deadlines of requests, the earliest first: a reminder goes before the window ends. */
export function deadlineTasks(rules: DeadlineRules): readonly SweeperTask[] {
  return [
    remindApplicants(rules.clock),
    expireRequests(rules),
    forgetSecrets(rules.clock),
    forgetLinks(rules.clock),
    forgetRenewalLinks(rules.clock),
  ];
}

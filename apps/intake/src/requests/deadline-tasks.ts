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

/** Lists the tasks at deadlines of requests, earliest first: a reminder is sent before the window ends. */
export function deadlineTasks(rules: DeadlineRules): readonly SweeperTask[] {
  return [
    remindApplicants(rules.clock),
    expireRequests(rules),
    forgetSecrets(rules.clock),
    forgetLinks(rules.clock),
    forgetRenewalLinks(rules.clock),
  ];
}

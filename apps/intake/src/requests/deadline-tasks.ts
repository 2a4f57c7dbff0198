import type { SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { forgetLinks } from './claim/dead-link.ts';
import { forgetSecrets, remindApplicants } from './claim/remind-applicants.ts';
import { forgetRenewalLinks } from './renewal/renewal-link.ts';
import type { RetentionDays } from './request/determine-retention.ts';
import { expireRequests } from './request/expire-requests.ts';

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

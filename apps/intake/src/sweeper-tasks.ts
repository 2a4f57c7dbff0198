import { expireChanges } from '@rubrica/approvals/expire-changes';
import { purgeOutbox, type SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';
import { forgetLetters } from './access/letters/forget-letters.ts';
import { forgetFlows } from './access/openid/used-flows.ts';
import { forgetAssertions } from './access/partners/keys/used-assertions.ts';
import { forgetChallenges } from './access/passkeys/challenges.ts';
import { forgetAttempts } from './access/passwords/attempts.ts';
import { forgetSessions } from './access/sessions/forget-sessions.ts';
import { countDays } from './desk/reports/count-days.ts';
import { forgetEvidenceLinks } from './desk/review/forget-evidence-links.ts';
import { forgetPresence } from './desk/review/presence.ts';
import { forgetTickets } from './requests/claim/claim-ticket.ts';
import { forgetCodes } from './requests/claim/code-history.ts';
import { forgetLinks } from './requests/claim/dead-link.ts';
import { forgetSecrets, remindApplicants } from './requests/claim/remind-applicants.ts';
import { scheduleFirstReminders } from './requests/renewal/reminders/schedule-first-reminders.ts';
import { forgetRenewalLinks } from './requests/renewal/renewal-link.ts';
import type { RetentionDays } from './requests/request/determine-retention.ts';
import { expireRequests } from './requests/request/expire-requests.ts';
import { orderWaiting } from './requests/request/issuance-slots.ts';
import { wakeStuck } from './requests/request/wake-stuck.ts';

export interface SweepRules {
  readonly clock: Clock;
  readonly retention: RetentionDays;
  readonly timeZone: string;
}

/**
 * Lists all tasks. Deadlines follow `clock`, so that a test can let days pass; leases follow the database's
 * clock.
 */
export function sweeperTasks(rules: SweepRules): readonly SweeperTask[] {
  return [
    wakeStuck,
    orderWaiting,
    expireRequests(rules),
    remindApplicants(rules.clock),
    scheduleFirstReminders(rules.clock),
    forgetSecrets(rules.clock),
    forgetCodes(rules.clock),
    forgetTickets(rules.clock),
    forgetLinks(rules.clock),
    forgetRenewalLinks(rules.clock),
    forgetEvidenceLinks(rules.clock),
    forgetPresence(rules.clock),
    forgetAssertions(rules.clock),
    forgetAttempts(rules.clock),
    forgetSessions(rules.clock),
    forgetChallenges(rules.clock),
    forgetFlows(rules.clock),
    forgetLetters(rules.clock),
    countDays(rules.clock, rules.timeZone),
    ...expireChanges('intake', { form: 'standard', now: rules.clock }),
    purgeOutbox(),
  ];
}

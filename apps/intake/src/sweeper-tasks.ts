import { approvalSweeps, purgeOutbox, type SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { forgetRights } from './claim/claim-right.ts';
import { forgetLinks } from './claim/dead-link.ts';
import { dateReminders } from './claim/end-reminders/date-reminders.ts';
import { forgetCodes } from './claim/forget-codes.ts';
import { forgetSecrets, remindApplicants } from './claim/remind-applicants.ts';
import { forgetRenewalLinks } from './claim/renewal/renewal-link.ts';
import { forgetLetters } from './operators/invitations/forget-letters.ts';
import { forgetFlows } from './operators/openid/used-flows.ts';
import { forgetChallenges } from './operators/passkeys/challenges.ts';
import { countDays } from './operators/reports/count-days.ts';
import { forgetSessions } from './operators/sessions/forget-sessions.ts';
import { forgetAttempts } from './operators/slow-downs/attempts.ts';
import { forgetAssertions } from './partners/keys/used-assertions.ts';
import { expireRequests } from './request/expire-requests.ts';
import { orderWaiting } from './request/issuance-slots.ts';
import type { RetentionDays } from './request/retention-of.ts';
import { wakeStuck } from './request/wake-stuck.ts';
import { forgetEvidenceLinks } from './review/forget-evidence-links.ts';
import { forgetPresence } from './review/presence.ts';

export interface SweepRules {
  readonly clock: Clock;
  readonly retention: RetentionDays;
  readonly timeZone: string;
}

/** What is done at the deadlines of requests, the earliest first: a reminder goes before the window ends. */
export function deadlineTasks(rules: Pick<SweepRules, 'clock' | 'retention'>): readonly SweeperTask[] {
  return [
    remindApplicants(rules.clock),
    expireRequests(rules),
    forgetSecrets(rules.clock),
    forgetLinks(rules.clock),
    forgetRenewalLinks(rules.clock),
  ];
}

/** Deadlines go by `clock`, so that a test can let days pass; leases go by the database's clock. */
export function sweeperTasks(rules: SweepRules): readonly SweeperTask[] {
  return [
    wakeStuck,
    orderWaiting,
    expireRequests(rules),
    remindApplicants(rules.clock),
    dateReminders(rules.clock),
    forgetSecrets(rules.clock),
    forgetCodes(rules.clock),
    forgetRights(rules.clock),
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
    ...approvalSweeps('intake', { form: 'standard', now: rules.clock }),
    purgeOutbox(),
  ];
}

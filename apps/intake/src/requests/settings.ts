import { flag, integer, setting } from '@rubrica/process/config';
import { z } from 'zod';

/** Maximum spread: a spread of a day or more would take the last reminder beyond the end. */
const maxSpreadHours = 23;

/** Settings of callbacks, windows, links and codes. */
export const requestRules = z.object({
  callbackAllowLoopback: setting(flag().default(false), {
    env: 'CALLBACK_ALLOW_LOOPBACK',
    about: 'accepts callback addresses on this machine; for the embedded stack and tests',
  }),
  claimWindowDays: setting(integer({ min: 1, max: 365 }).default(50), {
    env: 'CLAIM_WINDOW_DAYS',
    about: 'days an applicant has to claim',
  }),
  errorWindowDays: setting(integer({ min: 1, max: 365 }).default(50), {
    env: 'ERROR_WINDOW_DAYS',
    about: 'days a request may stay in error before it expires',
  }),
  resendIntervalSeconds: setting(integer({ min: 0, max: 86_400 }).default(60), {
    env: 'RESEND_INTERVAL_SECONDS',
    about: 'seconds between two claim mails of a request',
  }),
  claimCodeChannel: setting(z.enum(['sms', 'email']).default('sms'), {
    env: 'CLAIM_CODE_CHANNEL',
    about: 'where codes go: `sms`, or `email` (the second one, else the first)',
  }),
  codeIntervalSeconds: setting(integer({ min: 0, max: 300 }).default(20), {
    env: 'CLAIM_CODE_INTERVAL_SECONDS',
    about: 'seconds between two codes of a request, unless the one before was used',
  }),
});

export const reminderSettings = z.object({
  spreadHours: setting(integer({ min: 0, max: maxSpreadHours }).default(6), {
    env: 'REMINDER_SPREAD_HOURS',
    about:
      'hours over which the reminders of certificates that end at the same moment are spread, each at its own place',
  }),
  perSecond: setting(integer({ min: 1, max: 10_000 }).default(60), {
    env: 'REMINDERS_PER_SECOND',
    about: 'reminders of the end of certificates a second, of all copies together',
  }),
});

export const retentionSettings = z.object({
  issuedDays: setting(integer({ min: 1, max: 36_530 }).default(3_653), {
    env: 'EVIDENCE_RETENTION',
    about: 'days after the end of a certificate for which evidence and personal data of its request are kept',
  }),
  unissuedDays: setting(integer({ min: 1, max: 36_530 }).default(90), {
    env: 'EVIDENCE_RETENTION_UNISSUED_DAYS',
    about: 'the same after the end of a request for which nothing was issued',
  }),
});

export type RequestRules = z.output<typeof requestRules> & {
  readonly reminders: z.output<typeof reminderSettings>;
  readonly retention: z.output<typeof retentionSettings>;
};

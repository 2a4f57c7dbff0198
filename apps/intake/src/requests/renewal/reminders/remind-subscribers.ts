import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { Keyring } from '@rubrica/process/keyring';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import { crashPoints } from '../../../base/crash-points.ts';
import { type PeriodicJob, startPeriodicJob } from '../../../base/periodic-job.ts';
import { createClaimToken } from '../../claim/claim-link.ts';
import { protectRenewalLink } from '../../claim/link-mac.ts';
import { type EndingCertificate, judgeReminders } from '../../request/reminder-rule.ts';
import { protectEvent } from '../../request/stored-event.ts';
import type { RequestRules } from '../../settings.ts';
import { computeKnownUntil, computeRenewalEnd } from '../renewal-link.ts';
import { type DueCertificate, findDueReminder, findDueReminders } from './find-due.ts';
import { type PlannedReminder, writeReminders } from './write-reminders.ts';

export interface ReminderDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly rows: Pick<RowGuard, 'protect'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly rules: Pick<RequestRules, 'reminders'>;
}

/** Maximum rows of one statement; the rest goes in the next run. */
const batchRows = 500;

/**
 * Reminds subscribers, and notifies partners, of certificates that are about to end; as many as the
 * configured rate allows now. Nothing is locked between reading and writing: of two copies with the same
 * certificate one writes.
 * @returns the number of reminders written
 */
export async function remindSubscribers(deps: ReminderDeps): Promise<number> {
  const now = deps.clock();
  const { perSecond } = deps.rules.reminders;
  return remind(await findDueReminders(deps.database, { now, perSecond, most: batchRows }), now, deps);
}

/**
 * Sends the due reminders of one request at once. If the periodic job holds one, it repeats until that has
 * committed.
 */
export async function remindForRequest(deps: ReminderDeps, requestId: string): Promise<void> {
  const now = deps.clock();
  for (;;) {
    const rows = await findDueReminder(deps.database, { now, requestId });
    if (rows.length === 0) return;
    await remind(rows, now, deps);
  }
}

async function remind(rows: readonly DueCertificate[], now: Date, deps: ReminderDeps): Promise<number> {
  if (rows.length === 0) return 0;
  const planned = await Promise.all(rows.map((row) => plan(row, now, deps)));
  crashpoint(crashPoints.beforeReminders);
  const written = await writeReminders(deps.database, planned, now);
  crashpoint(crashPoints.afterReminders);
  return written;
}

/**
 * Plans a reminder. A link is created before it is stored, with the first reminder that carries one; later
 * ones carry the same link.
 */
async function plan(row: DueCertificate, now: Date, deps: ReminderDeps): Promise<PlannedReminder> {
  const { requestId, lookedAt, recipient } = row;
  const certificate = { ...row, notBefore: new Date(row.notBefore), notAfter: new Date(row.notAfter) };
  const spreadMs = deps.rules.reminders.spreadHours * HOUR_MS;
  const { reminds, tells, daysLeft, nextAt } = judgeReminders(certificate, {
    now,
    lookedAt: new Date(lookedAt),
    spreadMs,
  });
  const isMailed = reminds && recipient !== null;
  const eventId = tells && row.isTold ? deps.newId() : null;
  const event = { requestId, type: 'certificate.expiring', daysLeft, occurredAt: now };
  return {
    ...{ requestId, lookedAt, nextAt, recipient, daysLeft },
    mailId: isMailed ? deps.newId() : null,
    ...(isMailed && row.takesLink ? await createLink(certificate, row, deps) : noLink),
    eventId,
    eventMac: eventId === null ? null : protectEvent(deps.rows, { id: eventId, ...event }),
  };
}

type PlannedLink = Pick<
  PlannedReminder,
  'sealedLink' | 'linkUntil' | 'tokenSha256' | 'linkMac' | 'linkKnownUntil'
>;

const noLink: PlannedLink = {
  sealedLink: null,
  linkUntil: null,
  tokenSha256: null,
  linkMac: null,
  linkKnownUntil: null,
};

async function createLink(
  certificate: EndingCertificate,
  { requestId, sealedLink }: DueCertificate,
  { keyring, rows }: ReminderDeps,
): Promise<PlannedLink> {
  const linkUntil = computeRenewalEnd(certificate);
  if (sealedLink !== null) return { ...noLink, sealedLink, linkUntil };
  const token = await createClaimToken(keyring, requestId);
  const linkKnownUntil = computeKnownUntil(certificate);
  const { sealed, sha256: tokenSha256 } = token;
  const linkMac = protectRenewalLink(rows, { requestId, tokenSha256 });
  return { sealedLink: sealed, linkUntil, tokenSha256, linkMac, linkKnownUntil };
}

/** Interval of the job. It is short, so that many due reminders go in small groups. */
const everyMs = 1_000;

/** Sends due reminders every second, until stopped. */
export function startReminding(
  deps: ReminderDeps & { readonly logger: Pick<Logger, 'info' | 'error'> },
): PeriodicJob {
  const { logger } = deps;
  const run = async () => {
    const count = await remindSubscribers(deps);
    if (count > 0) logger.info({ action: 'remind-subscribers', count }, 'subscribers reminded');
  };
  return startPeriodicJob(run, { everyMs, what: 'subscriber reminders', logger });
}

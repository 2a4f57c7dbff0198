import { DAY_MS } from '@rubrica/contracts/shared/durations';

/**
 * Days before the end of a certificate at which its subscriber is reminded; at some of them its partner is
 * notified too.
 */
export const reminderDays = [30, 15, 5, 1] as const;
type ReminderDays = (typeof reminderDays)[number];
const partnerDays: readonly ReminderDays[] = [30, 5];

/** End of a certificate, with the days by which the sandbox has advanced it. */
export interface EndingCertificate {
  readonly requestId: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly certificateAdvancedDays: number;
}

interface Step {
  readonly days: ReminderDays;
  /** Time by the real clock, without its spread. */
  readonly dueAt: number;
  readonly at: number;
}

/**
 * Reminders that are due now, of each kind only the latest, and the time of the next check; null if nothing
 * is left.
 */
export interface JudgedReminders {
  readonly reminds: boolean;
  readonly tells: boolean;
  /** Days until the end, rounded up. */
  readonly daysLeft: number;
  readonly nextAt: Date | null;
}

/** Computes the end of the certificate by the real clock. */
function computeEnd({
  notAfter,
  certificateAdvancedDays,
}: Omit<EndingCertificate, 'requestId' | 'notBefore'>): Date {
  return new Date(notAfter.getTime() - certificateAdvancedDays * DAY_MS);
}

/**
 * Computes the delay of a certificate's reminders. Certificates that end at the same moment are spread over
 * `spreadMs`, each always with the same delay.
 */
function computeDelay(requestId: string, spreadMs: number): number {
  // The last digits of a UUID v7 are random.
  return Math.floor((Number.parseInt(requestId.slice(-8), 16) / 2 ** 32) * spreadMs);
}

/** Lists the steps, without those that would precede the issuance. */
function listSteps(certificate: EndingCertificate, spreadMs: number): Step[] {
  const end = computeEnd(certificate).getTime();
  const lifeMs = certificate.notAfter.getTime() - certificate.notBefore.getTime();
  return reminderDays
    .filter((days) => days * DAY_MS <= lifeMs)
    .map((days) => {
      const dueAt = end - days * DAY_MS;
      return { days, dueAt, at: dueAt + computeDelay(certificate.requestId, spreadMs) };
    });
}

/** Computes the first reminder of a certificate that is issued now; null if it has none. */
export function firstReminder(certificate: EndingCertificate, spreadMs: number): Date | null {
  const [first] = listSteps(certificate, spreadMs);
  return first === undefined ? null : new Date(first.at);
}

interface JudgeOptions {
  readonly now: Date;
  /** Time that was last stored as `nextAt`: everything before it is done. */
  readonly lookedAt: Date;
  readonly spreadMs: number;
}

/** Judges the reminders. After the end of the certificate nothing is due any more, whatever was left. */
export function judgeReminders(
  certificate: EndingCertificate,
  { now, lookedAt, spreadMs }: JudgeOptions,
): JudgedReminders {
  const leftMs = computeEnd(certificate).getTime() - now.getTime();
  const daysLeft = Math.ceil(leftMs / DAY_MS);
  if (leftMs <= 0) return { reminds: false, tells: false, daysLeft, nextAt: null };
  // The spread may have been another one when the last check was stored. It is less than a day, and steps are
  // further apart.
  const open = listSteps(certificate, spreadMs).filter(({ dueAt }) => dueAt > lookedAt.getTime() - DAY_MS);
  const due = open.filter(({ at }) => at <= now.getTime());
  const next = open.find(({ at }) => at > now.getTime());
  return {
    reminds: due.length > 0,
    tells: due.some(({ days }) => partnerDays.includes(days)),
    daysLeft,
    nextAt: next === undefined ? null : new Date(next.at),
  };
}

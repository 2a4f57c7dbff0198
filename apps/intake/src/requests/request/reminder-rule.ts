import { DAY_MS } from '@rubrica/contracts/shared/durations';

/** Days before the end of a certificate at which its subscriber is reminded; at some of them its partner is told too. */
export const reminderDays = [30, 15, 5, 1] as const;
type ReminderDays = (typeof reminderDays)[number];
const toldDays: readonly ReminderDays[] = [30, 5];

/** A certificate, with the days by which the sandbox has advanced it. */
export interface Ending {
  readonly requestId: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly certificateAdvancedDays: number;
}

interface Step {
  readonly days: ReminderDays;
  /** By the real clock, without its spread. */
  readonly dueAt: number;
  readonly at: number;
}

/** What is due now, of each kind the latest alone, and when to look again; null: nothing is left. */
export interface JudgedReminders {
  readonly reminds: boolean;
  readonly tells: boolean;
  /** Until the end, rounded up. */
  readonly daysLeft: number;
  readonly nextAt: Date | null;
}

/** When the certificate ends, by the real clock. */
function endOf({ notAfter, certificateAdvancedDays }: Omit<Ending, 'requestId' | 'notBefore'>): Date {
  return new Date(notAfter.getTime() - certificateAdvancedDays * DAY_MS);
}

/** Certificates that end at the same moment have their reminders spread over `spreadMs`, each always at its own place. */
function spreadOf(requestId: string, spreadMs: number): number {
  // The last digits of a UUID v7 are random.
  return Math.floor((Number.parseInt(requestId.slice(-8), 16) / 2 ** 32) * spreadMs);
}

/** Those that would lie before the issuance are left out. */
function stepsOf(certificate: Ending, spreadMs: number): Step[] {
  const end = endOf(certificate).getTime();
  const lifeMs = certificate.notAfter.getTime() - certificate.notBefore.getTime();
  return reminderDays
    .filter((days) => days * DAY_MS <= lifeMs)
    .map((days) => {
      const dueAt = end - days * DAY_MS;
      return { days, dueAt, at: dueAt + spreadOf(certificate.requestId, spreadMs) };
    });
}

/** When a certificate that is issued now has its first reminder; null: it has none. */
export function firstReminder(certificate: Ending, spreadMs: number): Date | null {
  const [first] = stepsOf(certificate, spreadMs);
  return first === undefined ? null : new Date(first.at);
}

interface Moment {
  readonly now: Date;
  /** What was written down as `nextAt` the last time: all that lies before is done. */
  readonly lookedAt: Date;
  readonly spreadMs: number;
}

/** After the end of the certificate nothing is due any more, whatever was left. */
export function judgeReminders(certificate: Ending, { now, lookedAt, spreadMs }: Moment): JudgedReminders {
  const leftMs = endOf(certificate).getTime() - now.getTime();
  const daysLeft = Math.ceil(leftMs / DAY_MS);
  if (leftMs <= 0) return { reminds: false, tells: false, daysLeft, nextAt: null };
  // The spread may have been another when the last look was written down; it is less than a day, and steps are further apart.
  const open = stepsOf(certificate, spreadMs).filter(({ dueAt }) => dueAt > lookedAt.getTime() - DAY_MS);
  const due = open.filter(({ at }) => at <= now.getTime());
  const next = open.find(({ at }) => at > now.getTime());
  return {
    reminds: due.length > 0,
    tells: due.some(({ days }) => toldDays.includes(days)),
    daysLeft,
    nextAt: next === undefined ? null : new Date(next.at),
  };
}

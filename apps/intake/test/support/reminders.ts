import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type Clock, uuidv7 } from '@rubrica/process/time';

import { pollFor } from '@rubrica/testkit';
import { claimGround } from './claims.ts';
import { changePartner } from './own-database.ts';
import { playService } from './play-service.ts';
import { asPartner, makeRegistration, partnerIds, type RunningIntake } from './running-intake.ts';

type CertificateType = 'TRADITIONAL_SIGNATURE' | 'TRANSACTIONAL_SIGNATURE';

/** What a partner wants to happen after issuance; what it does not say is as by default. */
export interface AfterIssuance {
  readonly events?: readonly ('certificate.expiring' | 'certificate.revoked')[];
  readonly holderReminders?: readonly CertificateType[];
  readonly holderRenewal?: boolean;
}

export const byDefault = {
  events: [],
  holderReminders: ['TRADITIONAL_SIGNATURE'],
  holderRenewal: false,
} satisfies AfterIssuance;

export interface Issued {
  readonly requestId: string;
  readonly referenceTransaction: string;
  readonly serialNumber: string;
  readonly notAfter: Date;
}

interface Wanted {
  /** Of its life; a second is taken off, as of all certificates. */
  readonly days?: number;
  /** When it began, in days before now. */
  readonly agoDays?: number;
  readonly fields?: Record<string, string | undefined>;
}

/** Intake, and certificates that are issued as generation would tell of them. */
export function certificatesOf(intake: RunningIntake, clock: Clock) {
  const requests = () => intake.client(asPartner('sandbox')).requests;
  const statusOf = async (requestId: string) =>
    (await requests().status.query({ family: 'TV', requestId })).status;
  const rowsOf = <Row>(sql: string, requestId: string) => intake.query<Row>(sql, [requestId]);
  const issue = async (requestId: string, { days = 365, agoDays = 0 }: Wanted = {}): Promise<Date> => {
    await pollFor(async () => (await statusOf(requestId)) === 'GENERATING', { what: 'GENERATING' });
    const second = Math.floor(clock().getTime() / 1_000) * 1_000 - agoDays * DAY_MS;
    const notAfter = new Date(second + days * DAY_MS - 1_000);
    await intake.tell('events.certificate.issued', {
      ...{ requestId, attempt: 1, certificateId: uuidv7(), serialNumber: serialOf(requestId) },
      ...{ notBefore: new Date(second).toISOString(), notAfter: notAfter.toISOString() },
      ...{ cappedBy: null, truncated: [] },
    });
    await pollFor(async () => (await statusOf(requestId)) === 'GENERATED', { what: 'GENERATED' });
    return notAfter;
  };
  /** As generation tells of a revocation, a certificate hold or a release. */
  const tellStatus = (requestId: string, status: 'VALID' | 'HELD' | 'REVOKED', version: number) =>
    intake.tell('events.certificate.status', {
      ...{ requestId, version, status },
      reason: { VALID: null, HELD: 'certificateHold' as const, REVOKED: 'keyCompromise' as const }[status],
      at: status === 'VALID' ? null : clock().toISOString(),
    });
  return {
    issue,
    async issued(wanted: Wanted = {}): Promise<Issued> {
      const input = makeRegistration(wanted.fields);
      await requests().register.mutate(input);
      const { requestId } = input;
      const notAfter = await issue(requestId, wanted);
      const referenceTransaction = String(input.fields.referenceTransaction);
      return { requestId, referenceTransaction, serialNumber: serialOf(requestId), notAfter };
    },
    setPartner: (settings: AfterIssuance = {}) =>
      changePartner(intake.ground, partnerIds.sandbox, { ...byDefault, ...settings }),
    tellStatus,
    /** Until it is noted. */
    async becomes(requestId: string, status: 'VALID' | 'HELD' | 'REVOKED', version: number) {
      await tellStatus(requestId, status, version);
      const isNoted = async () => {
        const sql = 'select certificate_version as version from intake.request where id = $1';
        const [row] = await rowsOf<{ version: number }>(sql, requestId);
        return (row?.version ?? 0) >= version;
      };
      await pollFor(isNoted, { what: 'the status of the certificate' });
    },
    /** Until whatever is due now was looked at. */
    settled: (requestId: string) =>
      pollFor(
        async () => {
          const [row] = await rowsOf<{ at: Date | string | null }>(
            `select next_reminder_at::text as at from intake.request where id = $1`,
            requestId,
          );
          return row?.at === 'infinity' || (row?.at != null && new Date(row.at) > clock());
        },
        { what: 'the look at its reminders' },
      ),
    mailsOf: (requestId: string) =>
      rowsOf<{ id: string; template: string; sealed: string | null }>(
        `select id, template, sealed_secret as sealed from intake.message
         where request_id = $1 and template in ('end-reminder', 'renewal-reminder') order by created_at, id`,
        requestId,
      ),
    eventsOf: (requestId: string) =>
      rowsOf<{ id: string; type: string; daysLeft: number | null }>(
        `select id, type, days_left as "daysLeft" from intake.webhook_event
         where request_id = $1 and type in ('certificate.expiring', 'certificate.revoked') order by occurred_at, id`,
        requestId,
      ),
    /** Jobs whose message or event is of the request. */
    async jobsOf(requestId: string) {
      const [mails, webhooks] = [
        await intake.outbox('jobs.mail.send'),
        await intake.outbox('jobs.webhook.deliver'),
      ];
      const own = new Set(
        (
          await rowsOf<{ id: string }>(
            `select id from intake.message where request_id = $1 and template like '%reminder'
             union all select id from intake.webhook_event where request_id = $1 and type like 'certificate.%'
               and type <> 'certificate.issued'`,
            requestId,
          )
        ).map(({ id }) => id),
      );
      return {
        mails: mails.filter(({ messageId }) => own.has(messageId)).length,
        webhooks: webhooks.filter(({ eventId }) => own.has(eventId)).length,
      };
    },
  };
}

export function serialOf(requestId: string): string {
  return requestId.replaceAll('-', '').toUpperCase();
}

/** Intake with a clock that the test moves, without a spread. */
export async function reminderGround(env: Record<string, string> = {}) {
  const ground = await claimGround({ REMINDER_SPREAD_HOURS: '0', ...env });
  return { ...ground, ...certificatesOf(ground.intake, ground.clock) };
}
export type ReminderGround = Awaited<ReturnType<typeof reminderGround>>;

/** Both peers' ear for the clock of a request. */
export async function playCertificates({ ground }: RunningIntake) {
  await using owned = new AsyncDisposableStack();
  const retained = ({ requests }: { requests: readonly unknown[] }) => ({ changed: requests.length });
  owned.use(await playService(ground, 'notifier', { 'deliveries.retain': retained }));
  const generation = await playService(ground, 'generation', {
    'bundles.retain': retained,
  });
  owned.use(generation);
  return owned.move();
}

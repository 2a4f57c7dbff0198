import type { Message } from '@rubrica/contracts/messages/messages';
import { emitting, isUniqueViolation, type OutboxParams, outboxParams, statement } from '@rubrica/database';
import { crashpoint } from '@rubrica/process';
import type { IntakeDeps } from '../context.ts';
import { crashPoints } from '../crash-points.ts';
import { webhookJob } from '../request/jobs.ts';
import { protectEvent } from '../request/stored-event.ts';

type Event = Message<'events.certificate.status'>;

interface Recorded {
  readonly requestId: string;
  readonly version: number;
  readonly status: 'VALID' | 'REVOKED';
  readonly reason: Event['reason'];
  readonly revokedAt: Event['at'];
}

/** An event that comes twice, or after a later one, changes nothing. A copy without its reason is older than the event. */
const change = `update request set certificate_status = :status, certificate_version = :version,
    revocation_reason = :reason, revoked_at = :revokedAt
    where id = :requestId and (certificate_version < :version
      or (certificate_version = :version and revocation_reason is distinct from :reason))`;

const recordStatus = statement<Recorded>({
  name: 'record-certificate-status',
  groupCommit: true,
  sql: change,
});

/** There is no way back from it, so its partner hears of it once. */
const recordRevocation = statement<
  Recorded & OutboxParams & { readonly eventId: string; readonly eventMac: string; readonly now: Date }
>({
  name: 'record-revocation',
  emits: true,
  groupCommit: true,
  sql: `
with changed as (${change} returning id, partner_id, callback_url),
told as (
  insert into webhook_event (id, request_id, type, occurred_at, mac)
  select :eventId::uuid, changed.id, 'certificate.revoked', :now::timestamptz, :eventMac::text
  from changed join partner on partner.id = changed.partner_id
  where callback_url is not null and 'certificate.revoked' = any(partner.events)
  returning id
)
${emitting({ from: 'told', gives: 'id' })}`,
});

/** Writes down how a certificate stands, whoever has changed it: a certificate on hold is shown as revoked. */
export function createRecordStatus({
  database,
  clock,
  newId,
  rows,
}: Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'rows'>) {
  return async ({ requestId, version, status, reason, at }: Event): Promise<undefined> => {
    const recorded = { requestId, version, reason };
    try {
      if (status !== 'REVOKED') {
        const shown = status === 'VALID' ? 'VALID' : 'REVOKED';
        await recordStatus.run(database, { ...recorded, status: shown, revokedAt: null });
        return;
      }
      crashpoint(crashPoints.beforeRevocation);
      const eventId = newId();
      const now = clock();
      const event = { id: eventId, type: 'certificate.revoked' } as const;
      const job = webhookJob(event);
      const eventMac = protectEvent(rows, { ...event, requestId, occurredAt: now });
      await recordRevocation.run(database, {
        ...{ ...recorded, status, revokedAt: at, eventId, eventMac, now },
        ...outboxParams(job),
      });
      crashpoint(crashPoints.afterRevocation);
    } catch (error) {
      // A renewal that was released from hold, while its former was renewed once more: that one stays the only one.
      if (!isUniqueViolation(error, 'request_renewal_of')) throw error;
    }
  };
}

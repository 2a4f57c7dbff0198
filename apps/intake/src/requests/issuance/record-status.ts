import type { Message } from '@rubrica/contracts/messages/messages';
import { isUniqueViolation } from '@rubrica/database/connection';
import { emitting, type OutboxParams, outboxParams } from '@rubrica/database/outbox';
import { statement } from '@rubrica/database/statement';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { MessageOutcome } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { webhookJob } from '../../base/jobs.ts';
import type { RequestsDeps } from '../deps.ts';
import { FalseEvent, findCertificate } from '../request/status/find-certificate.ts';
import { protectEvent } from '../request/stored-event.ts';

type Event = Message<'events.certificate.status'>;

interface StatusCopy {
  readonly requestId: string;
  readonly version: number;
  readonly status: 'VALID' | 'REVOKED';
  readonly reason: Event['reason'];
  readonly revokedAt: Event['at'];
}

/**
 * Updates the copy. An event that comes twice, or after a later one, changes nothing. A copy without its
 * reason is older than the event.
 */
const change = `update request set certificate_status = :status, certificate_version = :version,
    revocation_reason = :reason, revoked_at = :revokedAt
    where id = :requestId and (certificate_version < :version
      or (certificate_version = :version and revocation_reason is distinct from :reason))`;

const recordStatus = statement<StatusCopy>({
  name: 'record-certificate-status',
  groupCommit: true,
  sql: change,
});

/** Records a final revocation, of which the partner is notified once. */
const recordRevocation = statement<
  StatusCopy & OutboxParams & { readonly eventId: string; readonly eventMac: string; readonly now: Date }
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

const findOwner = statement<
  { readonly requestId: string },
  { readonly id: string; readonly partnerId: string }
>({
  name: 'find-certificate-owner',
  groupCommit: true,
  sql: 'select id, partner_id as "partnerId" from request where id = :requestId',
});

/**
 * Records the certificate status in generation's register, no matter who changed it. A certificate on hold is
 * shown as revoked.
 */
export function createRecordStatus(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rows' | 'peers'>,
) {
  const { database, clock, newId, rows } = deps;
  return async (received: Event): Promise<MessageOutcome> => {
    const { requestId } = received;
    const [request] = await findOwner.run(database, { requestId });
    if (!request) return undefined;
    const certificate = await findCertificate(deps, request);
    if (certificate === null || certificate.version < received.version)
      return { never: new FalseEvent(requestId) };
    const { version, revocationReason: reason, revokedAt } = certificate;
    const status = certificate.status === 'REVOKED' ? 'REVOKED' : 'VALID';
    const recorded = { requestId, version, status, reason } as const;
    try {
      if (status === 'VALID' || reason === 'certificateHold') {
        await recordStatus.run(database, { ...recorded, revokedAt: null });
        return undefined;
      }
      crashpoint(crashPoints.beforeRevocation);
      const eventId = newId();
      const now = clock();
      const event = { id: eventId, type: 'certificate.revoked' } as const;
      const eventMac = protectEvent(rows, { ...event, requestId, occurredAt: now });
      await recordRevocation.run(database, {
        ...{ ...recorded, revokedAt, eventId, eventMac, now },
        ...outboxParams(webhookJob(event)),
      });
      crashpoint(crashPoints.afterRevocation);
    } catch (error) {
      // The renewal was released from hold after its former certificate was renewed once more; that later
      // renewal stays the only one.
      if (!isUniqueViolation(error, 'request_renewal_of')) throw error;
    }
    return undefined;
  };
}

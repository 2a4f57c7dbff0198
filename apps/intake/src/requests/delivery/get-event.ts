import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import {
  type FurtherEventType,
  furtherEventTypeSchema,
  type RevocationReason,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import type { Request } from '../request/request.entity.ts';
import { isEventAuthentic, type StoredEvent, storedEventSql } from '../request/stored-event.ts';
import { grantAttempt, isOpenSql, type StoredSecrets, secretsInForceSql } from './grant-attempt.ts';

interface FoundEvent extends Pick<Request, 'partnerId' | 'family' | 'referenceTransaction' | 'serialNumber'> {
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly event: StoredEvent;
  readonly hasEnded: boolean;
  /** Request whose certificate this request renews; null once that request is erased. */
  readonly former: StoredRegistration | null;
  readonly daysLeft: number | null;
  /** End of the certificate, as raw SQL returns it. */
  readonly notAfter: string | null;
  readonly revocationReason: RevocationReason | null;
  readonly revokedAt: string | null;
  readonly requestId: string;
  readonly type: WebhookEventType;
  readonly url: string;
  readonly message: string | null;
  readonly code: ErrorCode | null;
  readonly envelope: boolean;
  readonly omitPassword: boolean;
  readonly occurredAt: string;
  /** Secrets for the first attempt; null for all others. */
  readonly secrets: StoredSecrets | null;
}

const find = statement<{ readonly eventId: string; readonly now: Date }, FoundEvent>({
  name: 'webhook-event',
  groupCommit: true,
  sql: `
select event.request_id as "requestId", request.partner_id as "partnerId", request.family, event.type,
  request.callback_url as url, request.reference_transaction as "referenceTransaction", event.message,
  case when event.mac is null then coalesce(event.code, request.error_code) else event.code end as code, partner.envelope,
  request.serial_number as "serialNumber", request.not_after as "notAfter", event.days_left as "daysLeft",
  request.revocation_reason as "revocationReason", request.revoked_at as "revokedAt",
  (select ${registeredSql('former')} from request as former
    where former.id = request.renewal_of and former.erased_at is null) as former,
  event.ended_at is not null as "hasEnded", ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
  ${storedEventSql('event')} as event,
  request.password_origin = 'HOLDER' as "omitPassword", event.occurred_at as "occurredAt",
  case when event.attempts = 0 and ${isOpenSql(':now::timestamptz')}
    then ${secretsInForceSql('request.partner_id', ':now')} end as secrets
from webhook_event as event join request on request.id = event.request_id
  join partner on partner.id = request.partner_id
where event.id = :eventId and request.callback_url is not null`,
});

type GetEvent = UseCase<'intake', 'events.get'>;

/**
 * Reads one event for its delivery, in a single statement because each delivery asks for it.
 * @throws AppError REQUEST_NOT_FOUND; SERVICE_UNAVAILABLE while it or its request is not authentic
 */
export function createGetEvent(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rows'>,
): GetEvent {
  return async ({ eventId }) => {
    const [event] = await find.run(deps.database, { eventId, now: deps.clock() });
    if (!event) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    assertAuthentic(event, deps.rows);
    const { requestId, partnerId, type, url, referenceTransaction } = event;
    const renewalOf = event.former && String(event.former.reference_transaction);
    const { message, code, envelope, omitPassword, family, occurredAt, hasEnded, secrets } = event;
    return {
      ...{ requestId, partnerId, type, url, referenceTransaction, renewalOf },
      ...{ message, code, envelope, omitPassword },
      certificate: describeCertificate(event),
      ...grantAttempt({ eventId, partnerId, url, secrets }, deps),
      grant: hasEnded ? null : grantBundle({ ...event, eventId }, deps),
      eventId,
      identifierName: identifierNames[family],
      occurredAt: new Date(occurredAt).toISOString(),
    };
  };
}

/**
 * Refuses an event whose content or destination is not as this service wrote it.
 * @throws AppError SERVICE_UNAVAILABLE
 */
function assertAuthentic({ event, stored, history, former }: FoundEvent, rows: RequestsDeps['rows']): void {
  const isOwn =
    isEventAuthentic(rows, event) &&
    isAuthentic(rows, stored, history) &&
    (former === null || isAuthentic(rows, former));
  if (!isOwn) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
}

/** Describes the certificate after a later change. For its issuance the bundle itself does. */
function describeCertificate(event: FoundEvent) {
  const { type, serialNumber, notAfter, daysLeft, revocationReason, revokedAt } = event;
  if (!isFurtherEvent(type) || serialNumber === null || notAfter === null) return null;
  return {
    ...{ serialNumber, daysLeft, revocationReason },
    notAfter: new Date(notAfter).toISOString(),
    revokedAt: revokedAt && new Date(revokedAt).toISOString(),
  };
}

function isFurtherEvent(type: WebhookEventType): type is FurtherEventType {
  return furtherEventTypeSchema.safeParse(type).success;
}

/** Grants the notifier the bundle that the event delivers. */
function grantBundle(
  event: FoundEvent & { readonly eventId: string },
  deps: Parameters<typeof writeGrant>[1],
): string | null {
  const { type, eventId, requestId, partnerId, serialNumber: serial } = event;
  if (type !== 'certificate.issued' || serial === null) return null;
  const bundle = { requestId, partnerId, serial, occasion: `event:${eventId}` };
  return writeGrant({ purpose: 'release', azp: 'notifier', ...bundle }, deps);
}

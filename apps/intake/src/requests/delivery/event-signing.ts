import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import { isEventAuthentic, type StoredEvent, storedEventSql } from '../request/stored-event.ts';
import {
  grantAttempt,
  isOpenSql,
  maxFurtherAttempts,
  type StoredSecrets,
  secretsInForceSql,
} from './grant-attempt.ts';

/** Counts an attempt before it is granted: an answer that is lost still uses one up. */
const countAttempt = statement<
  { readonly eventId: string; readonly now: Date },
  {
    readonly secrets: StoredSecrets;
    readonly partnerId: string;
    readonly url: string;
    readonly stored: StoredRegistration;
    readonly history: RequestHistory;
    readonly event: StoredEvent;
  }
>({
  name: 'count-webhook-attempt',
  groupCommit: true,
  sql: `
update webhook_event as event set attempts = event.attempts + 1
from request where request.id = event.request_id and event.id = :eventId
  and request.callback_url is not null and event.attempts < ${maxFurtherAttempts} and ${isOpenSql(':now::timestamptz')}
returning ${secretsInForceSql('request.partner_id', ':now')} as secrets, request.partner_id as "partnerId",
  request.callback_url as url,
  ${registeredSql('request')} as stored, ${historySql('request.id')} as history, ${storedEventSql('event')} as event`,
});

type EventSigning = UseCase<'intake', 'events.signing'>;

/**
 * Grants one further attempt, by signing its destination as the partner registered it and the secrets that
 * sign it. The notifier gets no secrets of a partner to whom there is nothing to deliver.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if the event is unknown or no longer open; SERVICE_UNAVAILABLE
 *   while it or its request is not authentic
 */
export function createEventSigning(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'rows' | 'keyring'>,
): EventSigning {
  const { database, clock, rows } = deps;
  return async ({ eventId }) => {
    const [row] = await countAttempt.run(database, { eventId, now: clock() });
    if (!row) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    if (!isEventAuthentic(rows, row.event) || !isAuthentic(rows, row.stored, row.history))
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    const { partnerId, url, secrets } = row;
    return {
      destinationSha256: sha256Hex(url),
      ...grantAttempt({ eventId, partnerId, url, secrets }, deps),
    };
  };
}

import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { sealedSecretsOf } from './secrets-in-force.ts';

interface Row {
  readonly request_id: string;
  readonly partner_id: string;
  readonly family: Family;
  readonly type: WebhookEventType;
  readonly callback_url: string;
  readonly reference_transaction: string;
  readonly message: string | null;
  readonly omit_password: boolean;
  readonly occurred_at: string;
  readonly sealed_secrets: string[];
}

const text = `
select event.request_id, request.partner_id, request.family, event.type, request.callback_url,
  request.reference_transaction, event.message, request.password_origin = 'HOLDER' as omit_password,
  event.occurred_at, ${sealedSecretsOf('request.partner_id', '$2')} as sealed_secrets
from webhook_event as event join request on request.id = event.request_id
where event.id = $1 and request.callback_url is not null`;

type GetEvent = UseCase<'intake', 'events.get'>;

/**
 * One event as the notifier delivers it, in one statement: it is asked for each.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createGetEvent({ database, clock }: Pick<IntakeDeps, 'database' | 'clock'>): GetEvent {
  return async ({ eventId }) => {
    const params = [eventId, clock()];
    const [row] = await database.statement<Row>({ name: 'webhook-event', text, params });
    if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return {
      eventId,
      requestId: row.request_id,
      partnerId: row.partner_id,
      type: row.type,
      url: row.callback_url,
      identifierName: identifierNames[row.family],
      referenceTransaction: row.reference_transaction,
      message: row.message,
      omitPassword: row.omit_password,
      occurredAt: new Date(row.occurred_at).toISOString(),
      sealedSecrets: row.sealed_secrets,
    };
  };
}

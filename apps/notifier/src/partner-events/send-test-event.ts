import { recordAudit } from '@rubrica/audit/log';
import { webhookEvents } from '@rubrica/contracts/rest/webhooks';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import type { Database } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { toDestination } from '../destinations/destination.ts';
import { recordWorking } from '../destinations/destination-sql.ts';

export interface SendTestEventDeps extends Pick<NotifierDeps, 'ping' | 'nudgeNotices'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
}

const exampleReference = 'EXAMPLE-1';
const exampleCode = 'FINGER_CODE_MISMATCH';

/**
 * Sends one signed example event to a receiver of the calling partner, through the dialer of real events. A destination
 * that acknowledges is enabled. The audit row is written before the call.
 * @throws AppError CALLBACK_URL_NOT_ALLOWED
 */
export function createSendTestEvent(deps: SendTestEventDeps): UseCase<'notifier', 'events.test'> {
  const { database, ping, nudgeNotices } = deps;
  return async ({ type, url }, { caller: { partnerId, clientId }, token: operatorToken = '' }) => {
    const id = uuidv7();
    const destination = toDestination(url);
    await database.transaction((em) =>
      recordAudit(em, {
        actor: `partner:${clientId}`,
        action: 'events.test',
        target: `partner:${partnerId}`,
        details: { id, destination, type },
      }),
    );
    const { namesRequest, example } = webhookEvents[type];
    const body = {
      ...(namesRequest && { [identifierNames.TV]: uuidv7() }),
      referenceTransaction: exampleReference,
      ...example,
    };
    const code = 'message' in example ? exampleCode : undefined;
    const call = { id, partnerId, url, operatorToken, byPartner: true as const, event: { type, body, code } };
    const { outcome, status, error, durationMs } = await ping(call);
    const delivered = outcome === 'ACKNOWLEDGED';
    if (delivered) {
      await recordWorking.run(database, { partnerId, destination });
      nudgeNotices();
    }
    return { delivered, status, durationMs, error };
  };
}

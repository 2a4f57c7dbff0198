import { recordAudit } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { markDeliveryDue } from '../deliveries/operators/resend-delivery.ts';
import { findOwnEvent } from './own-events.ts';

export interface ResendEventDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
}

/**
 * Resends one event of the calling partner, with its id and bytes. Intake reopens the event first, with the partner's
 * token: a crash after it leaves an open event without effect, and never a delivery that intake does not sign.
 * @throws AppError REQUEST_NOT_FOUND; PAYLOAD_EXPIRED after its content was deleted
 */
export function createResendEvent(deps: ResendEventDeps): UseCase<'notifier', 'events.resend'> {
  const { database, intake, nudgeDeliveries } = deps;
  return async ({ eventId }, { caller: { partnerId, clientId }, token: operatorToken = '' }) => {
    const { requestId } = await findOwnEvent(database, { partnerId, eventId });
    await intake['events.reopen']({ partnerId, eventIds: [eventId], operatorToken });
    const event = await database.transaction(async (em) => {
      const resent = await markDeliveryDue.run(em, { id: eventId });
      if (resent.length === 0) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
      await recordAudit(em, {
        actor: `partner:${clientId}`,
        action: 'events.resend',
        target: `delivery:${eventId}`,
        details: { requestId },
      });
      return findOwnEvent(em, { partnerId, eventId });
    });
    nudgeDeliveries();
    return event;
  };
}

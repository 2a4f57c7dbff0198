import { type Database, recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { makeDue } from '../deliveries/resend-delivery.ts';
import { findOwnEvent } from './own-events.ts';

export interface ResendEventDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
}

/**
 * Sends one event of the calling partner again, under its id and with its bytes. Intake opens the event first, on the
 * partner's word: a crash after it leaves an event open for nothing, and never a delivery that nothing signs.
 * @throws AppError REQUEST_NOT_FOUND, or PAYLOAD_EXPIRED once the content has been deleted
 */
export function createResendEvent(deps: ResendEventDeps): UseCase<'notifier', 'events.resend'> {
  const { database, intake, nudgeDeliveries } = deps;
  return async ({ eventId }, { caller: { partnerId, clientId }, token: operatorToken = '' }) => {
    const { requestId } = await findOwnEvent(database, { partnerId, eventId });
    await intake['events.reopen']({ partnerId, eventIds: [eventId], operatorToken });
    const event = await database.transaction(async (em) => {
      const resent = await makeDue.run(em, { id: eventId });
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

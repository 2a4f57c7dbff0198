import { recordAudit } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../../context.ts';
import { DeliveryEntity, toDeliveryRow } from '../../store/delivery.entity.ts';
import { deliveryNotFound } from './get-delivery.ts';

export interface ResendDeliveryDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'fork' | 'transaction'>;
}

/**
 * Makes the delivery due now with the same id and bytes, and starts a new series of attempts. The fence increases, so
 * that an attempt in progress cannot end the new series with its result.
 */
export const markDeliveryDue = statement<{ id: string }>({
  name: 'resend-delivery',
  sql: `
update delivery set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
where id = :id and body is not null returning 1 as done`,
});

/**
 * Resends a delivery. Intake reopens the event first, with the operator's token: a crash after it leaves an open event
 * without effect, and never a delivery that intake does not sign.
 * @throws AppError REQUEST_NOT_FOUND; PAYLOAD_EXPIRED after its content was deleted
 */
export function createResendDelivery({
  database,
  intake,
  nudgeDeliveries,
}: ResendDeliveryDeps): OperatorUseCase<'deliveries.resend'> {
  return async ({ id, reason }, { caller, token: operatorToken = '' }) => {
    const found = await database.fork().findOne(DeliveryEntity, { id });
    if (found === null) throw deliveryNotFound();
    const { partnerId } = found;
    await intake['events.reopen']({ partnerId, eventIds: [id], operatorToken });
    const delivery = await database.transaction(async (em) => {
      const resent = await markDeliveryDue.run(em, { id });
      const stored = await em.findOne(DeliveryEntity, { id });
      if (stored === null) throw deliveryNotFound();
      if (resent.length === 0) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'deliveries.resend',
        target: `delivery:${id}`,
        reason,
        details: { requestId: stored.requestId },
      });
      return toDeliveryRow(stored);
    });
    nudgeDeliveries();
    return delivery;
  };
}

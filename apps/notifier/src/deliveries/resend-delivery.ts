import { type Database, recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { DeliveryEntity, toDeliveryRow } from '../store/delivery.entity.ts';
import { deliveryNotFound } from './get-delivery.ts';

export interface ResendDeliveryDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'fork' | 'transaction'>;
}

/**
 * The same id and bytes once more, now, and again by the schedule from its start should that fail. The fence
 * moves on, so that an attempt under way cannot end the new round with its own result.
 */
export const makeDue = statement<{ id: string }>({
  name: 'resend-delivery',
  sql: `
update delivery set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
where id = :id and body is not null returning 1 as done`,
});

/**
 * Intake opens the event again first, on the operator's word: a crash after it leaves an event open for nothing, and
 * never a delivery that nothing signs.
 * @throws AppError REQUEST_NOT_FOUND, or PAYLOAD_EXPIRED once the content has been deleted
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
      const resent = await makeDue.run(em, { id });
      const known = await em.findOne(DeliveryEntity, { id });
      if (known === null) throw deliveryNotFound();
      if (resent.length === 0) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'deliveries.resend',
        target: `delivery:${id}`,
        reason,
        details: { requestId: known.requestId },
      });
      return toDeliveryRow(known);
    });
    nudgeDeliveries();
    return delivery;
  };
}

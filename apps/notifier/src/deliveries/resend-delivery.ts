import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';
import { type DeliveryRow, deliveryColumns } from '../store/rows.ts';
import { deliveryNotFound } from './get-delivery.ts';

export interface ResendDeliveryDeps extends Pick<NotifierDeps, 'nudgeDeliveries'> {
  readonly database: Pick<Database, 'transaction'>;
}

/**
 * The same id and bytes once more, now, and again by the schedule from its start should that fail. The fence
 * moves on, so that an attempt under way cannot end the new round with its own result.
 */
const resendSql = `
update delivery set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
where id = $1 and body is not null returning ${deliveryColumns}`;

/** @throws AppError REQUEST_NOT_FOUND, or PAYLOAD_EXPIRED once the content has been deleted */
export function createResendDelivery({
  database,
  nudgeDeliveries,
}: ResendDeliveryDeps): OperatorUseCase<'deliveries.resend'> {
  return async ({ id, reason }, { caller }) => {
    const delivery = await database.transaction(async (em) => {
      const sql = runnerOf(em);
      const [resent] = await sql.execute<DeliveryRow>(resendSql, [id]);
      if (resent === undefined) {
        const [known] = await sql.execute('select 1 from delivery where id = $1', [id]);
        throw known === undefined ? deliveryNotFound() : new AppError({ code: 'PAYLOAD_EXPIRED' });
      }
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'deliveries.resend',
        target: `delivery:${id}`,
        reason,
        details: { requestId: resent.requestId },
      });
      return resent;
    });
    nudgeDeliveries();
    return delivery;
  };
}

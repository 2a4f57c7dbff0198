import type { InferEntity } from '@mikro-orm/core';
import type { Database } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DeliveryAttemptEntity, DeliveryEntity, toDeliveryRow } from '../store/delivery.entity.ts';

/** Far above the ten attempts of a round: only many resends come near. */
const maxAttempts = 500;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetDelivery({
  database,
}: {
  readonly database: Pick<Database, 'fork'>;
}): OperatorUseCase<'deliveries.get'> {
  return async ({ id }) => {
    const em = database.fork();
    const delivery = await em.findOne(DeliveryEntity, { id });
    if (delivery === null) throw deliveryNotFound();
    const order = { orderBy: { fence: 'asc' }, limit: maxAttempts } as const;
    const attempts = await em.find(DeliveryAttemptEntity, { deliveryId: id }, order);
    return { ...toDeliveryRow(delivery), attemptLog: attempts.map(toAttempt) };
  };
}

/** Numbered in the order of their leases; one whose process died has left no row and no number. */
function toAttempt(attempt: InferEntity<typeof DeliveryAttemptEntity>, index: number) {
  const { startedAt, durationMs, status = null, outcome, error = null } = attempt;
  return { number: index + 1, startedAt: startedAt.toISOString(), durationMs, status, outcome, error };
}

export function deliveryNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The delivery was not found' });
}

import type { InferEntity } from '@mikro-orm/core';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import { AttemptEntity, DeliveryEntity, toDeliveryRow } from '../../store/delivery.entity.ts';
import { outlineBody } from '../content/body-outline.ts';
import { type ShowBodyDeps, showBody } from '../content/show-body.ts';

/** Far above the ten attempts of a series: only many resends come close. */
const maxAttempts = 500;

export interface GetDeliveryDeps extends ShowBodyDeps {
  readonly database: Pick<Database, 'fork' | 'statement'>;
}

/**
 * Returns one delivery with its attempts.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createGetDelivery(deps: GetDeliveryDeps): OperatorUseCase<'deliveries.get'> {
  return async ({ id }) => {
    const em = deps.database.fork();
    const delivery = await em.findOne(DeliveryEntity, { id });
    if (delivery === null) throw deliveryNotFound();
    const order = { orderBy: { fence: 'asc' }, limit: maxAttempts } as const;
    const attempts = await em.find(AttemptEntity, { deliveryId: id }, order);
    const body = await showBody(id, deps);
    const outline = body === null ? null : outlineBody(body);
    return { ...toDeliveryRow(delivery), outline, attemptLog: attempts.map(toAttempt) };
  };
}

/** Converts an attempt, numbered in the order of leases. An attempt whose process crashed has no row and no number. */
function toAttempt(attempt: InferEntity<typeof AttemptEntity>, index: number) {
  const { startedAt, durationMs, status = null, outcome, error = null, answer = null } = attempt;
  return {
    number: index + 1,
    startedAt: startedAt.toISOString(),
    durationMs,
    status,
    outcome,
    error,
    answer,
  };
}

export function deliveryNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('operator.deliveryNotFound') });
}

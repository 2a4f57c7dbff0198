import type { InferEntity } from '@mikro-orm/core';
import { type Database, type Sealed, statement } from '@rubrica/database';
import { AppError, type Keyring } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { AttemptEntity, DeliveryEntity, toDeliveryRow } from '../store/delivery.entity.ts';
import { outlineOf } from './body-outline.ts';
import { openBody } from './open-body.ts';

/** Far above the ten attempts of a round: only many resends come near. */
const maxAttempts = 500;

const findBody = statement<{ readonly id: string }, { readonly body: Sealed | null }>({
  name: 'delivery-body',
  sql: 'select body from delivery where id = :id',
});

export interface GetDeliveryDeps {
  readonly database: Pick<Database, 'fork' | 'statement'>;
  readonly keyring: Pick<Keyring, 'open'>;
}

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetDelivery({ database, keyring }: GetDeliveryDeps): OperatorUseCase<'deliveries.get'> {
  return async ({ id }) => {
    const em = database.fork();
    const delivery = await em.findOne(DeliveryEntity, { id });
    if (delivery === null) throw deliveryNotFound();
    const order = { orderBy: { fence: 'asc' }, limit: maxAttempts } as const;
    const attempts = await em.find(AttemptEntity, { deliveryId: id }, order);
    const [{ body = null } = {}] = await findBody.run(database, { id });
    const outline = body === null ? null : outlineOf(await openBody({ ...delivery, body }, keyring));
    return { ...toDeliveryRow(delivery), outline, attemptLog: attempts.map(toAttempt) };
  };
}

/** Numbered in the order of their leases; one whose process died has left no row and no number. */
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
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The delivery was not found' });
}

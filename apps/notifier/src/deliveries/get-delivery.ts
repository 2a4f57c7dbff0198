import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Database } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { iso } from '../store/instants.ts';
import { type DeliveryRow, deliveryColumns } from '../store/rows.ts';

type Delivery = OperatorOutput<'deliveries.get'>;

/** Far above the ten attempts of a round: only many resends come near. */
const maxAttempts = 500;

/** Attempts are numbered in the order of their leases; one whose process died has left no row and no number. */
const attemptsSql = `
select row_number() over (order by fence)::int as number, ${iso('started_at')} as "startedAt",
  duration_ms as "durationMs", status, outcome, error
from delivery_attempt where delivery_id = $1 order by fence limit ${maxAttempts}`;

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetDelivery({
  database,
}: {
  readonly database: Pick<Database, 'execute'>;
}): OperatorUseCase<'deliveries.get'> {
  return async ({ id }) => {
    const [[delivery], attemptLog] = await Promise.all([
      database.execute<DeliveryRow>(`select ${deliveryColumns} from delivery where id = $1`, [id]),
      database.execute<Delivery['attemptLog'][number]>(attemptsSql, [id]),
    ]);
    if (delivery === undefined) throw deliveryNotFound();
    return { ...delivery, attemptLog };
  };
}

export function deliveryNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The delivery was not found' });
}

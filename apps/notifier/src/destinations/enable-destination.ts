import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DestinationEntity, toDestinationRow } from '../store/destination.entity.ts';
import { toDestination } from './destination.ts';

/**
 * Sets the destination on trial until the first success, when the partner is notified. The time until it is disabled
 * again starts from zero.
 */
const enable = statement<{ partnerId: string; destination: string }, { id: string }>({
  name: 'enable-destination',
  sql: `
update endpoint set state = 'TRIAL', disabled_at = null, counted_from = now(), last_failed_at = now()
where partner_id = :partnerId and destination = :destination and state = 'DISABLED' returning id`,
});

/**
 * Enables a destination. New events are sent again; stopped deliveries stay stopped until they are recovered.
 * @throws AppError REQUEST_NOT_FOUND where the partner has no such disabled destination
 */
export function createEnableDestination({
  database,
}: {
  readonly database: Pick<Database, 'transaction'>;
}): OperatorUseCase<'deliveries.enableDestination'> {
  return ({ partnerId, url, reason }, { caller }) => {
    const destination = toDestination(url);
    return database.transaction(async (em) => {
      const [enabled] = await enable.run(em, { partnerId, destination });
      if (enabled === undefined) throw createNotDisabled(destination);
      await recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'deliveries.enableDestination',
        target: `partner:${partnerId}`,
        reason,
        details: { destination },
      });
      return toDestinationRow(await em.findOneOrFail(DestinationEntity, { id: enabled.id }));
    });
  };
}

function createNotDisabled(destination: string): AppError {
  const text = createText('operator.destinationNotDisabled', { destination });
  return new AppError({ code: 'REQUEST_NOT_FOUND', text });
}

import { createText } from '@rubrica/contracts/error-texts/create-text';
import { type Database, recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { DestinationEntity, toDestinationRow } from '../store/destination.entity.ts';
import { destinationOf } from './destination.ts';

/**
 * On trial until the first success, which is when the partner is notified. The time until it is disabled again starts
 * from zero.
 */
const enable = statement<{ partnerId: string; destination: string }, { id: string }>({
  name: 'enable-destination',
  sql: `
update endpoint set state = 'TRIAL', disabled_at = null, counted_from = now(), last_failed_at = now()
where partner_id = :partnerId and destination = :destination and state = 'DISABLED' returning id`,
});

/**
 * New events are sent again; what was stopped stays so until it is recovered.
 * @throws AppError REQUEST_NOT_FOUND where the partner has no such disabled destination
 */
export function createEnableDestination({
  database,
}: {
  readonly database: Pick<Database, 'transaction'>;
}): OperatorUseCase<'deliveries.enableDestination'> {
  return ({ partnerId, url, reason }, { caller }) => {
    const destination = destinationOf(url);
    return database.transaction(async (em) => {
      const [enabled] = await enable.run(em, { partnerId, destination });
      if (enabled === undefined) throw notDisabled(destination);
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

function notDisabled(destination: string): AppError {
  const text = createText('operator.destinationNotDisabled', { destination });
  return new AppError({ code: 'REQUEST_NOT_FOUND', text });
}

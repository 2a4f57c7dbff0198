import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import { type DestinationRow, destinationColumns } from '../store/rows.ts';
import { destinationOf } from './destination.ts';

export type EnableDestination = OperatorInput<'deliveries.enableDestination'> & { actor: string };

/** On trial until the first success, which is when the partner is told; the days to the next disabling begin anew. */
const enableSql = `
update endpoint set state = 'TRIAL', disabled_at = null, counted_from = now(), last_failed_at = now()
where partner_id = $1 and destination = $2 and state = 'DISABLED' returning ${destinationColumns}`;

/**
 * New events are sent again; what was stopped stays so until it is recovered.
 * @throws AppError REQUEST_NOT_FOUND where the partner has no such disabled destination
 */
export function enableDestination(
  { database }: { database: Pick<Database, 'transaction'> },
  { partnerId, url, reason, actor }: EnableDestination,
): Promise<DestinationRow> {
  const destination = destinationOf(url);
  return database.transaction(async (em) => {
    const [enabled] = await runnerOf(em).execute<DestinationRow>(enableSql, [partnerId, destination]);
    if (enabled === undefined) throw notDisabled(destination);
    await recordAudit(em, {
      actor,
      action: 'deliveries.enableDestination',
      target: `partner:${partnerId}`,
      reason,
      details: { destination },
    });
    return enabled;
  });
}

const notDisabled = (destination: string) =>
  new AppError({
    code: 'REQUEST_NOT_FOUND',
    publicMessage: `${destination} is not disabled for this partner`,
  });

import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { recordAudit, statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { createFindAskingParty } from './asking-party.ts';

const reopen = statement<{
  readonly eventIds: readonly string[];
  readonly partnerId: string;
  readonly now: Date;
}>({
  name: 'reopen-events',
  sql: `
update webhook_event as event set attempts = 0, reopened_at = :now
from request where request.id = event.request_id and event.id = any(:eventIds::uuid[])
  and request.partner_id = :partnerId and event.ended_at is null
returning 1 as done`,
});

type ReopenEvents = UseCase<'intake', 'events.reopen'>;

/**
 * An operator, or the partner itself, has events sent again. Their secrets are given out as on the first day; a crash of the notifier after it
 * leaves them open for nothing.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function createReopenEvents(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'tokenClock' | 'keyring'>,
): ReopenEvents {
  const { role } = operatorProcedures['deliveries.resend'];
  const findAskingParty = createFindAskingParty(deps);
  return async ({ partnerId, eventIds, operatorToken: callToken }) => {
    const asking = await findAskingParty({ callToken, partnerId, role });
    return deps.database.transaction(async (em) => {
      await asking.assertStanding(em);
      const rows = await reopen.run(em, { partnerId, eventIds, now: deps.clock() });
      await recordAudit(em, {
        actor: asking.actor,
        action: 'events.reopen',
        target: `partner:${partnerId}`,
        details: { count: rows.length, first: eventIds[0] },
      });
      return { count: rows.length };
    });
  };
}

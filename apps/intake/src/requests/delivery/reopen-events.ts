import { recordAudit } from '@rubrica/audit/log';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { createFindRequestingParty } from './requesting-party.ts';

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
 * Reopens events that an operator, or the partner itself, has delivered again. Their secrets are handed out
 * as on the first day. If the notifier crashes afterwards, they stay open without effect.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export function createReopenEvents(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'tokenClock' | 'keyring'>,
): ReopenEvents {
  const { role } = operatorProcedures['deliveries.resend'];
  const findAskingParty = createFindRequestingParty(deps);
  return async ({ partnerId, eventIds, operatorToken: callToken }) => {
    const requester = await findAskingParty({ callToken, partnerId, role });
    return deps.database.transaction(async (em) => {
      await requester.assertStanding(em);
      const rows = await reopen.run(em, { partnerId, eventIds, now: deps.clock() });
      await recordAudit(em, {
        actor: requester.actor,
        action: 'events.reopen',
        target: `partner:${partnerId}`,
        details: { count: rows.length, first: eventIds[0] },
      });
      return { count: rows.length };
    });
  };
}

import { type Database, recordAudit, statement } from '@rubrica/database';
import { invalidField } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';

export interface RecoverDeliveriesDeps extends Pick<NotifierDeps, 'nudgeDeliveries'> {
  readonly database: Pick<Database, 'transaction'>;
}

const batchRows = 500;
/** Keeps one call short enough for an operator to wait for; the answer says whether more are left. */
const mostBatches = 20;

interface RecoverParams {
  readonly partnerId: string;
  /** Times of events, the second exclusive. */
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  /** The last id of the batch before. */
  readonly after: string | null;
}

/**
 * As a resend of each: same id and bytes, due now, the schedule from its start. Walks by id, so that what one batch
 * has changed is not met by the next. Purged ones have nothing to send; a disabled destination has to be enabled first.
 */
const recover = statement<RecoverParams, { id: string }>({
  name: 'recover-deliveries',
  sql: `
with range as (
  select d.id from delivery d
  where d.partner_id = :partnerId and d.occurred_at >= :from and d.occurred_at < :to
    and d.state = any (:states::text[]) and d.body is not null and (:after::uuid is null or d.id > :after)
    and not exists (select 1 from endpoint n where n.partner_id = d.partner_id
      and n.destination = d.destination and n.state = 'DISABLED')
  order by d.id limit ${batchRows} for update of d
)
update delivery d set state = 'PENDING', due_at = now(), round_attempts = 0, fence = d.fence + 1
from range where d.id = range.id returning d.id`,
});

/**
 * Sends again what a partner has missed between two moments. Each batch is a transaction of its own with an audit row
 * of its own, so that a call that breaks off has audited exactly what it did.
 */
export function createRecoverDeliveries({
  database,
  nudgeDeliveries,
}: RecoverDeliveriesDeps): OperatorUseCase<'deliveries.recover'> {
  return async ({ partnerId, from, to, state, reason }, { caller }) => {
    if (from >= to) throw invalidField('from', 'from must be before to');
    const states = state === undefined ? ['EXHAUSTED', 'STOPPED'] : [state];
    let after: string | null = null;
    let count = 0;
    for (let batch = 0; batch < mostBatches; batch++) {
      const ids: string[] = await database.transaction(async (em) => {
        const rows = await recover.run(em, { partnerId, from, to, states, after });
        if (rows.length > 0 || batch === 0) {
          await recordAudit(em, {
            actor: `operator:${caller.email}`,
            action: 'deliveries.recover',
            target: `partner:${partnerId}`,
            reason,
            details: { from, to, states, count: rows.length },
          });
        }
        return rows.map(({ id }) => id);
      });
      count += ids.length;
      nudgeDeliveries();
      if (ids.length < batchRows) return { count, complete: true };
      after = ids.toSorted().at(-1) ?? null;
    }
    return { count, complete: false };
  };
}

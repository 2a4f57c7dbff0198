import { recordAudit } from '@rubrica/audit/log';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { invalidField } from '@rubrica/process/errors';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../../context.ts';

export interface RecoverDeliveriesDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
}

const batchRows = 500;
/** Limits one call, because an operator waits for it; the answer says whether more are left. */
const maxBatches = 20;

interface RecoverParams {
  readonly partnerId: string;
  /** Range of event times, with an exclusive end. */
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  /** Last id of the previous batch. */
  readonly after: string | null;
}

/**
 * Selects deliveries to resend: same id and bytes, due now, with a new series of attempts. Walks by id, so that a batch
 * never meets the changes of the previous one. Purged deliveries have no content; a disabled destination must be
 * enabled first.
 */
const lostSql = `
  select d.id from delivery d
  where d.partner_id = :partnerId and d.occurred_at >= :from and d.occurred_at < :to
    and d.state = any (:states::text[]) and d.body is not null and (:after::uuid is null or d.id > :after)
    and not exists (select 1 from endpoint n where n.partner_id = d.partner_id
      and n.destination = d.destination and n.state = 'DISABLED')
  order by d.id limit ${batchRows}`;

const findLost = statement<RecoverParams, { id: string }>({ name: 'find-lost-deliveries', sql: lostSql });

const recover = statement<RecoverParams & { readonly ids: readonly string[] }, { id: string }>({
  name: 'recover-deliveries',
  sql: `
with range as (${lostSql.replace('where', 'where d.id = any(:ids::uuid[]) and')} for update of d)
update delivery d set state = 'PENDING', due_at = now(), round_attempts = 0, fence = d.fence + 1
from range where d.id = range.id returning d.id`,
});

/**
 * Resends what a partner missed between two instants. Intake reopens the events of a batch first, with the operator's
 * token; a crash after it leaves them open without effect. Each batch is a separate transaction with an audit row, so
 * an interrupted call has audited exactly what it did.
 */
export function createRecoverDeliveries({
  database,
  intake,
  nudgeDeliveries,
}: RecoverDeliveriesDeps): OperatorUseCase<'deliveries.recover'> {
  return async ({ partnerId, from, to, state, reason }, { caller, token: operatorToken = '' }) => {
    if (from >= to)
      throw invalidField('from', createFieldText('from', createText('field.before', { other: 'to' })));
    const states = state === undefined ? ['EXHAUSTED', 'STOPPED'] : [state];
    let after: string | null = null;
    let count = 0;
    for (let batch = 0; batch < maxBatches; batch++) {
      const range: RecoverParams = { partnerId, from, to, states, after };
      const found = (await findLost.run(database, range)).map(({ id }) => id);
      if (found.length > 0) await intake['events.reopen']({ partnerId, eventIds: found, operatorToken });
      count += await database.transaction(async (em) => {
        const rows = await recover.run(em, { ...range, ids: found });
        if (rows.length > 0 || batch === 0) {
          await recordAudit(em, {
            actor: `operator:${caller.email}`,
            action: 'deliveries.recover',
            target: `partner:${partnerId}`,
            reason,
            details: { from, to, states, count: rows.length },
          });
        }
        return rows.length;
      });
      nudgeDeliveries();
      if (found.length < batchRows) return { count, complete: true };
      after = found.at(-1) ?? null;
    }
    return { count, complete: false };
  };
}

import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { type Database, recordAudit, statement } from '@rubrica/database';
import { invalidField } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../context.ts';

export interface RecoverDeliveriesDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
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
const lost = `
  select d.id from delivery d
  where d.partner_id = :partnerId and d.occurred_at >= :from and d.occurred_at < :to
    and d.state = any (:states::text[]) and d.body is not null and (:after::uuid is null or d.id > :after)
    and not exists (select 1 from endpoint n where n.partner_id = d.partner_id
      and n.destination = d.destination and n.state = 'DISABLED')
  order by d.id limit ${batchRows}`;

const findLost = statement<RecoverParams, { id: string }>({ name: 'find-lost-deliveries', sql: lost });

const recover = statement<RecoverParams & { readonly ids: readonly string[] }, { id: string }>({
  name: 'recover-deliveries',
  sql: `
with range as (${lost.replace('where', 'where d.id = any(:ids::uuid[]) and')} for update of d)
update delivery d set state = 'PENDING', due_at = now(), round_attempts = 0, fence = d.fence + 1
from range where d.id = range.id returning d.id`,
});

/**
 * Sends again what a partner has missed between two moments. Intake opens the events of a batch first, on the operator's
 * word: a crash after it leaves them open for nothing. Each batch is a transaction of its own with an audit row
 * of its own, so that a call that breaks off has audited exactly what it did.
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
    for (let batch = 0; batch < mostBatches; batch++) {
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

import type { Database } from '@rubrica/database/connection';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { generationJobSql as job } from '../../base/jobs.ts';
import { sweeperTask } from '../../base/sweeper-task.ts';
import { progressTimeoutMs } from './compute-due-at.ts';
import { type PlanOptions, startsGeneration } from './plan-transition.ts';
import type { Trigger } from './state-machine.ts';

/**
 * Certificates of one partner that are ordered from generation at once: some seconds of one copy's work.
 * Further requests wait in intake, so that one partner's batch does not delay the certificates of others.
 */
const slotsPerPartner = 32;

/** SQL that is true for a request whose certificate is ordered. */
export const isOrderedSql = `status = 'GENERATING' and not awaits_issuance_slot`;
/** SQL that is true for a request whose certificate is ordered once its partner has a free slot. */
export const awaitsSlot = `status = 'GENERATING' and awaits_issuance_slot`;

const countOrdered = statement<{ partnerId: string }, { ordered: number }>({
  name: 'count-ordered-certificates',
  sql: `select count(*)::integer as ordered from (
    select from request where partner_id = :partnerId and ${isOrderedSql} limit ${slotsPerPartner}
  ) as counted`,
});

/**
 * Determines whether a request has to wait for a slot of its partner, for a transition that starts
 * generation.
 */
export async function planSlot(
  target: StatementTarget,
  { partnerId, trigger }: { readonly partnerId: string; readonly trigger: Trigger },
): Promise<Pick<PlanOptions, 'awaitsSlot'>> {
  if (!startsGeneration(trigger)) return {};
  const [counted] = await countOrdered.run(target, { partnerId });
  return { awaitsSlot: (counted?.ordered ?? 0) >= slotsPerPartner };
}

/**
 * Returns SQL that orders the certificates that have waited longest, as many as the partners have free slots.
 * @param partners SQL that returns `partner_id`
 */
function orderNextSql(partners: string): string {
  return `
with room as materialized (
  select partner_id, ${slotsPerPartner} - (
    select count(*) from (
      select from request where request.partner_id = waiting.partner_id and ${isOrderedSql} limit ${slotsPerPartner}
    ) as counted
  ) as free
  from (${partners}) as waiting
), next as materialized (
  select oldest.id from room cross join lateral (
    select id from request where request.partner_id = room.partner_id and ${awaitsSlot}
    order by updated_at limit room.free for update skip locked
  ) as oldest
), ordered as (
  update request set awaits_issuance_slot = false, due_at = now() + make_interval(secs => ${progressTimeoutMs / 1_000})
  where id in (select id from next)
  returning id, generation_attempt
)
insert into outbox (message_id, subject, payload)
select ${job.id}, ${job.subject}, ${job.payload} from ordered
returning 1`;
}

const orderNext = statement<{ partnerId: string }>({
  name: 'order-next-certificates',
  emits: true,
  sql: orderNextSql('select :partnerId::uuid as partner_id'),
});

/**
 * Orders the next certificates of a partner after one is done. If the process dies before, `orderWaiting`
 * does so.
 */
export async function orderNextCertificates(
  database: Pick<Database, 'statement'>,
  partnerId: string,
): Promise<void> {
  await orderNext.run(database, { partnerId });
}

const orderOfAll = statement<object>({
  name: 'order-waiting-certificates',
  emits: true,
  sql: orderNextSql(`select distinct partner_id from request where ${awaitsSlot}`),
});

/** Orders certificates that wait although their partner has a free slot. */
export const orderWaiting = sweeperTask(orderOfAll, {
  batchRows: 1_000_000,
  emits: true,
  params: () => ({}),
});

import { lease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';
import { sweeperTask } from '../../base/sweeper-task.ts';
import type { RetentionDays } from './determine-retention.ts';
import { refundQuotaBatchSql } from './quota.ts';
import { type Transition, transitions } from './state-machine.ts';

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const batchRows = 200;
/** Effects that the statement carries out; a further effect in one of the rows must be added to it first. */
type Expiry = Transition<['destroy-secrets']>;
const { from, to }: Expiry = transitions.expire;
const { from: stepwiseFrom }: Expiry = transitions.expireSteps;

const expire = statement<{ readonly now: Date; readonly unissuedDays: number }>({
  name: 'expire-requests',
  sql: `
    with due as (
      select id, due_at from request where due_at <= :now
        and (status in (${quoteNames(from)}) or (expires_at is not null and status in (${quoteNames(stepwiseFrom)})))
      order by due_at limit ${batchRows} for update skip locked
    ), expired as (
      update request set status = '${to}', due_at = null, sealed_password = null,
        evidence_due_at = case when request.advanced_days > 0 then due.due_at else :now::timestamptz end + make_interval(days => :unissuedDays::integer),
        ${lease.end}, fence = fence + 1, version = version + 1, updated_at = :now
      from due where request.id = due.id returning request.id, status, validation_status, partner_id, certificate_type, created_at
    ), unlinked as (
      update message set sealed_secret = null from expired where message.request_id = expired.id
    ), unlinked_renewal as (
      update renewal_link set sealed_token = null from expired where renewal_id = expired.id
    ), ended as (
      update claim_code set digest = null, sealed_key = null from expired where claim_code.request_id = expired.id
    ), noted as (
      insert into timeline (request_id, at, trigger, status, validation_status, actor)
      select id, :now, 'expire', status, validation_status, 'service:intake' from expired
    )
    select id, ${refundQuotaBatchSql.sql} from (select * from expired order by ${refundQuotaBatchSql.order}) ended`,
});

/**
 * Ends requests that were not corrected, claimed or finished in time, destroys their secrets and refunds
 * their quota, in one statement. The evidence stays for its retention.
 */
export function expireRequests({
  clock,
  retention: { unissuedDays },
}: {
  readonly clock: Clock;
  readonly retention: RetentionDays;
}): SweeperTask {
  return sweeperTask(expire, { batchRows, params: () => ({ now: clock(), unissuedDays }) });
}

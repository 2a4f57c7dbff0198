import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { type Database, statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { iso } from '../store/instants.ts';

type Item = retentionContract.PeerHoldings['items'][number];

/**
 * The body of a delivery, of whatever event; where it holds no bundle, and a message's masked recipient, it goes
 * with the request's own data, whose end intake knows.
 */
const findKept = statement<{ requestIds: readonly string[] }, Item>({
  name: 'deliveries-holding',
  sql: `
select d.request_id as "requestId", 'DELIVERY' as kind, d.type || ' ' || d.state as detail,
  ${iso('d.created_at')} as since, case when r.held then null else ${iso('d.purge_at')} end as until,
  case when r.held then 'LEGAL_HOLD' when d.has_bundle then 'DELIVERY' else 'AFTER_END' end as rule
from delivery as d left join retention as r on r.request_id = d.request_id
where d.request_id = any(:requestIds::uuid[]) and d.body is not null
union all
select m.request_id, 'MESSAGES', m.template || ' ' || m.state, ${iso('m.created_at')}, null,
  case when r.held then 'LEGAL_HOLD' else 'AFTER_END' end
from message as m left join retention as r on r.request_id = m.request_id
where m.request_id = any(:requestIds::uuid[]) and m.recipient_masked <> ''
order by since`,
});

/** What is kept of requests, deliveries and applicant messages, until when and why. */
export function createDeliveriesHolding({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'deliveries.holding'> {
  return async ({ requestIds }) => ({
    items: await findKept.run(database, { requestIds }),
  });
}

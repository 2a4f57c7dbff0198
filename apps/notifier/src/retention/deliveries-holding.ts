import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import { isoSql } from '../store/instants.ts';

type Item = retentionContract.PeerHoldings['items'][number];

/**
 * Selects stored bodies and masked recipients. Except for a body with a bundle, they are deleted with the request's own
 * data, whose expiry intake knows.
 */
const findHoldings = statement<{ requestIds: readonly string[] }, Item>({
  name: 'deliveries-holding',
  sql: `
select d.request_id as "requestId", 'DELIVERY' as kind, d.type || ' ' || d.state as detail,
  ${isoSql('d.created_at')} as since, case when r.held then null else ${isoSql('d.purge_at')} end as until,
  case when r.held then 'LEGAL_HOLD' when d.has_bundle then 'DELIVERY' else 'AFTER_END' end as rule
from delivery as d left join retention as r on r.request_id = d.request_id
where d.request_id = any(:requestIds::uuid[]) and d.body is not null
union all
select m.request_id, 'MESSAGES', m.template || ' ' || m.state, ${isoSql('m.created_at')}, null,
  case when r.held then 'LEGAL_HOLD' else 'AFTER_END' end
from message as m left join retention as r on r.request_id = m.request_id
where m.request_id = any(:requestIds::uuid[]) and m.recipient_masked <> ''
order by since`,
});

/** Lists the stored deliveries and applicant messages of requests, with expiry and reason. */
export function createDeliveriesHolding({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'notifier', 'deliveries.holding'> {
  return async ({ requestIds }) => ({
    items: await findHoldings.run(database, { requestIds }),
  });
}

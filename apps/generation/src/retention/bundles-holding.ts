import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';

interface HoldingRow {
  readonly requestId: string;
  readonly serial: string;
  readonly issuedAt: string;
  readonly purgeAt: string;
  readonly isBundled: boolean;
  readonly held: boolean;
}

const findHoldings = statement<{ requestIds: readonly string[] }, HoldingRow>({
  name: 'bundles-holding',
  sql: `
select c.request_id as "requestId", c.serial, c.issued_at as "issuedAt", b.purge_at as "purgeAt",
  b.certificate_id is not null and b.purged_at is null as "isBundled", coalesce(r.held, false) as held
from certificate as c
left join bundle as b on b.certificate_id = c.id
left join retention as r on r.request_id = c.request_id
where c.request_id = any(:requestIds::uuid[]) order by c.issued_at`,
});

/** Lists the stored certificates and bundles of requests, with expiry and reason. */
export function createBundlesHolding({
  database,
}: {
  readonly database: Pick<Database, 'statement'>;
}): UseCase<'generation', 'bundles.holding'> {
  return async ({ requestIds }) => {
    const rows = await findHoldings.run(database, { requestIds });
    return { items: rows.flatMap(toItems) };
  };
}

function toItems(row: HoldingRow): retentionContract.PeerHoldings['items'] {
  const { requestId, serial, held } = row;
  const since = new Date(row.issuedAt).toISOString();
  const common = { requestId, detail: serial, since };
  const until = held ? null : new Date(row.purgeAt).toISOString();
  return [
    { ...common, kind: 'CERTIFICATE', until: null, rule: 'REGISTER' },
    ...(row.isBundled
      ? [{ ...common, kind: 'BUNDLE', until, rule: held ? 'LEGAL_HOLD' : 'DELIVERY' } as const]
      : []),
  ];
}

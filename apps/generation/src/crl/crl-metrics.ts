import type { Database } from '@rubrica/database/connection';
import { type Metrics, metric } from '@rubrica/process/metrics';

/** Selects the list that expires first: programs refuse every certificate of an authority whose list has expired. */
const soonest = `
select extract(epoch from min(next_update) - now())::float8 as remaining
from crl`;

/** Exposes how fresh the revocation lists are; every copy reports the same. */
export function exposeRevocationLists(
  database: Pick<Database, 'execute'>,
  metrics: Pick<Metrics, 'gauge'>,
): void {
  metrics.gauge({
    ...metric('rubrica_revocation_list_remaining_seconds'),
    async collect(gauge) {
      const [row] = await database.execute<{ remaining: number | null }>(soonest);
      if (row === undefined || row.remaining === null) gauge.clear();
      else gauge.set(row.remaining);
    },
  });
}

/** Counts lists that were not signed because they would have lost entries of the previous list. */
export function countRefusedLists(metrics: Pick<Metrics, 'counter'>): (list: string) => void {
  const refused = metrics.counter(metric('rubrica_revocation_lists_refused_total'));
  return (list) => refused.inc({ list });
}

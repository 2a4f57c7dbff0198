import { type Status, statuses } from '@rubrica/contracts/shared/enumerations';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { overviewWarnings } from './overview-warnings.ts';

type Overview = OperatorUseCase<'overview'>;

interface Row {
  readonly status: Status;
  readonly count: number;
  readonly registered_last_day: number;
  readonly generated_last_day: number;
  readonly oldest_unfinished: string | null;
}

/** Bounded by what is young or unfinished, so that it costs the same however many requests have ended. */
const text = `
select status, count(*)::int as count,
  count(*) filter (where created_at > now() - interval '1 day')::int as registered_last_day,
  count(*) filter (where status = 'GENERATED' and updated_at > now() - interval '1 day')::int as generated_last_day,
  to_char(min(created_at) filter (where due_at is not null) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as oldest_unfinished
from request where due_at is not null or created_at > now() - interval '30 days'
group by status`;

export function createOverview(deps: Pick<IntakeDeps, 'database' | 'peers' | 'rows' | 'rules'>): Overview {
  return async () => {
    const [rows, warnings] = await Promise.all([deps.database.execute<Row>(text), overviewWarnings(deps)]);
    const counts = new Map(rows.map((row) => [row.status, row.count]));
    const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
    const oldest = rows.flatMap((row) => row.oldest_unfinished ?? []).sort();
    return {
      requests: Object.fromEntries(statuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
        Status,
        number
      >,
      registeredLastDay: sum((row) => row.registered_last_day),
      generatedLastDay: sum((row) => row.generated_last_day),
      oldestUnfinishedAt: oldest[0] ?? null,
      warnings,
    };
  };
}

import {
  type Family,
  families,
  type Status,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { isTerminal } from '../request/state-machine.ts';
import { findFaultyEvidence } from './faulty-evidence.ts';
import { overviewWarnings } from './overview-warnings.ts';
import { registrationTrend } from './registration-trend.ts';

type Overview = OperatorUseCase<'overview'>;

/** Of each family and each pair of statuses: a state of a busy year is not counted to its end for a first look. */
const mostCounted = 100_000;

interface Row {
  readonly status: Status;
  readonly count: number;
  readonly isComplete: boolean;
  /** Instants are text, as raw SQL gives them. */
  readonly oldest: string | null;
}

/**
 * All that has not ended, and what has ended of those registered within 30 days. Counted along an index that holds both
 * statuses and the time, without a look at a row; what is older than that costs nothing.
 */
export const countByStatus = statement<
  {
    readonly families: readonly Family[];
    readonly statuses: readonly Status[];
    readonly validationStatuses: readonly string[];
    readonly ended: readonly Status[];
  },
  Row
>({
  name: 'count-by-status',
  sql: `
select status, sum(count)::int as count, bool_and(count < ${mostCounted}) as "isComplete",
  min(oldest) filter (where status <> all(:ended::text[])) as oldest
from unnest(:families::text[]) as f (family) cross join unnest(:statuses::text[]) as s (status)
  cross join unnest(:validationStatuses::text[]) as v (validation_status)
  cross join lateral (
    select count(*) as count, min(created_at) as oldest from (
      select created_at from request
      where request.family = f.family and request.status = s.status
        and request.validation_status = v.validation_status
        and created_at > case when s.status = any(:ended::text[]) then now() - interval '30 days' else '-infinity' end
      order by created_at limit ${mostCounted}
    ) as one
  ) as counted
group by status`,
});

const countLastDay = statement<object, { readonly registered: number; readonly generated: number }>({
  name: 'count-last-day',
  sql: `
select
  (select count(*) from (
    select from request where created_at > now() - interval '1 day' limit ${mostCounted}
  ) as one)::int as registered,
  (select count(*) from (
    select from request where status = 'GENERATED' and updated_at > now() - interval '1 day' limit ${mostCounted}
  ) as one)::int as generated`,
});

export const everyState = { families, statuses, validationStatuses, ended: statuses.filter(isTerminal) };

export function createOverview(
  deps: Pick<IntakeDeps, 'database' | 'peers' | 'rows' | 'rules' | 'timeZone'>,
): Overview {
  return async () => {
    const [rows, [lastDay], warnings, trend, faultyEvidence] = await Promise.all([
      countByStatus.run(deps.database, everyState),
      countLastDay.run(deps.database, {}),
      overviewWarnings(deps),
      registrationTrend(deps.database, deps.timeZone),
      findFaultyEvidence.run(deps.database, {}),
    ]);
    const counts = new Map(rows.map((row) => [row.status, row.count]));
    const { registered = 0, generated = 0 } = lastDay ?? {};
    const oldest = rows.flatMap((row) => (row.oldest === null ? [] : Date.parse(row.oldest)));
    return {
      requests: Object.fromEntries(statuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
        Status,
        number
      >,
      registeredLastDay: registered,
      generatedLastDay: generated,
      isComplete: rows.every((row) => row.isComplete) && Math.max(registered, generated) < mostCounted,
      oldestUnfinishedAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
      trend,
      warnings,
      faultyEvidence,
    };
  };
}

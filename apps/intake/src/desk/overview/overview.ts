import { statement } from '@rubrica/database/statement';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { DeskDeps } from '../deps.ts';
import { countRequests, maxCountedRequests } from './count-requests.ts';
import { findFaultyEvidence } from './faulty-evidence.ts';
import { findOverviewWarnings } from './overview-warnings.ts';

type Overview = OperatorUseCase<'overview'>;

const countLastDay = statement<object, { readonly registered: number; readonly generated: number }>({
  name: 'count-last-day',
  sql: `
select
  (select count(*) from (
    select from request where created_at > now() - interval '1 day' limit ${maxCountedRequests}
  ) as one)::int as registered,
  (select count(*) from (
    select from request where status = 'GENERATED' and updated_at > now() - interval '1 day' limit ${maxCountedRequests}
  ) as one)::int as generated`,
});

export function createOverview(
  deps: Pick<DeskDeps, 'database' | 'peers' | 'rows' | 'rules' | 'timeZone' | 'sandbox' | 'fileChecker'>,
): Overview {
  return async () => {
    const [counts, [lastDay], warnings, faultyEvidence] = await Promise.all([
      countRequests(deps.database, deps.timeZone),
      countLastDay.run(deps.database, {}),
      findOverviewWarnings(deps),
      findFaultyEvidence.run(deps.database, {}),
    ]);
    const { registered = 0, generated = 0 } = lastDay ?? {};
    return {
      ...counts,
      registeredLastDay: registered,
      generatedLastDay: generated,
      isComplete: counts.isComplete && Math.max(registered, generated) < maxCountedRequests,
      warnings,
      isSandbox: deps.sandbox,
      faultyEvidence,
    };
  };
}

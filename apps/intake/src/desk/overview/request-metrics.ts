import { type Family, statuses } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { type Metrics, metric } from '@rubrica/process/metrics';
import { supersedesSql } from '../../requests/request/renewals.ts';
import { countRequests } from './count-requests.ts';

/** Lifetime of a counted answer: every scraper asks every copy for the same figure. */
const countTtlMs = 30_000;
const ageBuckets = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3_600, 86_400, 604_800];
const orderBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3_600];

/** Queries of the oldest due row of each queue, for `rubrica_due_oldest_seconds`. */
export const dueQueues = {
  reminders: "select min(next_reminder_at) as at from request where next_reminder_at < 'infinity'",
  // The timeline decides, because it never changes; the due time moves with each try.
  superseding: `select min(at) as at from request join timeline on request_id = request.id and trigger = 'issue'
    where ${supersedesSql} and supersede_due_at is not null`,
  requests: 'select min(due_at) as at from request where due_at is not null and not awaits_issuance_slot',
} as const;

/** Exposes the figures of requests. @returns a function to call when a request has its certificate */
export function createRequestMetrics(
  { database, timeZone }: { readonly database: Pick<Database, 'statement'>; readonly timeZone: string },
  metrics: Pick<Metrics, 'gauge' | 'histogram'>,
): (issued: { family: Family; ageSeconds: number; orderSeconds: number }) => void {
  let countedAt = Number.NEGATIVE_INFINITY;
  metrics.gauge({
    ...metric('rubrica_requests'),
    async collect(gauge) {
      if (performance.now() - countedAt < countTtlMs) return;
      countedAt = performance.now();
      const { requests } = await countRequests(database, timeZone);
      for (const state of statuses) gauge.set({ state }, requests[state]);
    },
  });
  const ages = metrics.histogram({
    ...metric('rubrica_registration_to_certificate_seconds'),
    buckets: ageBuckets,
    exemplars: true,
  });
  const orders = metrics.histogram({
    ...metric('rubrica_order_to_certificate_seconds'),
    buckets: orderBuckets,
    exemplars: true,
  });
  return ({ family, ageSeconds, orderSeconds }) => {
    ages.observe({ family }, ageSeconds);
    orders.observe({ family }, orderSeconds);
  };
}

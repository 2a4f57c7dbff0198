import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { createKeyset } from '@rubrica/database/keyset';
import { statement } from '@rubrica/database/statement';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { DeskDeps } from '../deps.ts';
import { isWaitingSql, reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';

/**
 * Reads the queue. The index gives the order and leaves out requests that do not wait; filtering costs no
 * more than the queue.
 */
const find = statement<QueueParams, StoredReview>({
  name: 'review-queue',
  sql: `
select ${reviewColumns} from request
where ${isWaitingSql} and (review_since, request.id) > (:afterSince::timestamptz, :afterId::uuid)
  and review_since <= :latest::timestamptz
  and (:family::text is null or family = :family) and (:partnerId::uuid is null or partner_id = :partnerId)
  and (:policy::text is null or review_policy = :policy)
  and (:assignedTo::uuid is null or review_assigned_to = :assignedTo)
  and (not :isUnassigned::boolean or review_assigned_to is null)
order by review_since, request.id limit :limit`,
});

interface QueueParams {
  readonly afterSince: Date | string;
  readonly afterId: string;
  readonly latest: Date | 'infinity';
  readonly family: string | null;
  readonly partnerId: string | null;
  readonly policy: string | null;
  readonly assignedTo: string | null;
  readonly isUnassigned: boolean;
  readonly limit: number;
}

/** Keyset of a row by the time since when it waits. */
const byWaiting = createKeyset('createdAt');

const startPosition = { afterSince: '-infinity', afterId: '00000000-0000-0000-0000-000000000000' };

type Filters = OperatorInput<'reviews.queue'>;

function toParams(filters: Filters, { operatorId, now }: { operatorId: string; now: Date }): QueueParams {
  const { cursor, minAgeSeconds, assignedTo } = filters;
  const after = cursor === undefined ? undefined : byWaiting.readCursor(cursor);
  const ids = { me: operatorId, nobody: null } as const;
  return {
    ...(after ? { afterSince: after.createdAt, afterId: after.id } : startPosition),
    latest: minAgeSeconds === undefined ? 'infinity' : new Date(now.getTime() - minAgeSeconds * 1000),
    family: filters.family ?? null,
    partnerId: filters.partnerId ?? null,
    policy: filters.reviewPolicy ?? null,
    assignedTo: assignedTo === 'me' || assignedTo === 'nobody' ? ids[assignedTo] : (assignedTo ?? null),
    isUnassigned: assignedTo === 'nobody',
    limit: filters.limit + 1,
  };
}

type ReviewQueue = OperatorUseCase<'reviews.queue'>;

/** Lists one page of waiting reviews, oldest first. */
export function createReviewQueue({
  database,
  clock,
  rows: guard,
}: Pick<DeskDeps, 'database' | 'clock' | 'rows'>): ReviewQueue {
  return async (filters, { caller: { operatorId } }) => {
    const now = clock();
    const params = toParams(filters, { operatorId, now });
    const rows = await find.run(database, params);
    const positioned = rows.map((row) => ({ row, id: row.id, createdAt: new Date(row.reviewSince) }));
    return byWaiting.page(positioned, filters.limit, ({ row }) => toReviewRow(row, { now, rows: guard }));
  };
}

import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { OperatorUseCase } from '@rubrica/wiring';
import { decodeCursor, toPage } from '@rubrica/wiring/database';
import type { IntakeDeps } from '../context.ts';
import { isWaitingSql, reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';

/** The index gives the order and leaves out what does not wait; what is filtered away costs no more than the queue. */
const text = `
select ${reviewColumns} from request
where ${isWaitingSql} and (review_since, request.id) > ($1::timestamptz, $2::uuid) and review_since <= $3::timestamptz
  and ($4::text is null or family = $4) and ($5::uuid is null or partner_id = $5)
  and ($6::text is null or review_policy = $6) and ($7::uuid is null or review_assigned_to = $7)
  and (not $8::boolean or review_assigned_to is null)
order by review_since, request.id limit $9`;

const beforeAll = ['-infinity', '00000000-0000-0000-0000-000000000000'];

type Filters = OperatorInput<'reviews.queue'>;

function paramsOf(filters: Filters, { operatorId, now }: { operatorId: string; now: Date }): unknown[] {
  const { cursor, minAgeSeconds, assignedTo } = filters;
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const ids = { me: operatorId, nobody: null } as const;
  return [
    ...(after ? [after.createdAt, after.id] : beforeAll),
    minAgeSeconds === undefined ? 'infinity' : new Date(now.getTime() - minAgeSeconds * 1000),
    filters.family ?? null,
    filters.partnerId ?? null,
    filters.reviewPolicy ?? null,
    assignedTo === 'me' || assignedTo === 'nobody' ? ids[assignedTo] : (assignedTo ?? null),
    assignedTo === 'nobody',
    filters.limit + 1,
  ];
}

type ReviewQueue = OperatorUseCase<'reviews.queue'>;

/** One page of what waits, oldest first. */
export function createReviewQueue({ database, clock }: Pick<IntakeDeps, 'database' | 'clock'>): ReviewQueue {
  return async (filters, { caller: { operatorId } }) => {
    const now = clock();
    const params = paramsOf(filters, { operatorId, now });
    const rows = await database.statement<StoredReview>({ name: 'review-queue', text, params });
    const positioned = rows.map((row) => ({ ...row, createdAt: new Date(row.review_since) }));
    return toPage(positioned, filters.limit, (row) => toReviewRow(row, now));
  };
}

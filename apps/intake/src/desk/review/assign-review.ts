import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { type AppError, invalidField } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import { OperatorEntity } from '../../access/operators/operator.entity.ts';
import type { DeskDeps } from '../deps.ts';
import { lockReview } from './lock-review.ts';
import { auditReview, noteReview, readReviewReason } from './note-review.ts';
import { reviewColumns, type StoredReview, toReviewRow } from './review-row.ts';

type AssignReviewDeps = Pick<DeskDeps, 'database' | 'clock' | 'rows'>;
type AssignReview = OperatorUseCase<'reviews.assign'>;

const findReview = statement<{ readonly requestId: string }, StoredReview>({
  name: 'review-row',
  sql: `select ${reviewColumns} from request where request.id = :requestId`,
});

interface Assignee {
  readonly id: string;
  readonly email: string;
}

function unknownOperator(email: string): AppError {
  return invalidField('operatorEmail', createText('operator.notReviewer', { email }));
}

async function findAssignee(
  em: EntityManager,
  email: string | null | undefined,
  operator: OperatorCaller,
): Promise<Assignee | null> {
  if (email === null) return null;
  if (email === undefined) return { id: operator.operatorId, email: operator.email };
  const found = await ifIntact(em.findOne(OperatorEntity, { email: email.toLowerCase(), enabled: true }));
  if (!found || found.role === 'viewer') throw unknownOperator(email);
  return found;
}

/**
 * Assigns a review to an operator. It informs colleagues and binds nobody: with four eyes two have to decide
 * anyway, and a request does not wait for an absent operator.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, FIELD_INVALID
 */
export function createAssignReview(deps: AssignReviewDeps): AssignReview {
  return (assignment, { caller: operator }) => {
    return deps.database.transaction(async (em) => {
      const request = await lockReview(em, assignment.requestId, operator);
      const assignee = await findAssignee(em, assignment.operatorEmail, operator);
      const now = deps.clock();
      request.reviewAssignedTo = assignee?.id ?? null;
      await em.flush();
      const details = { assignedTo: assignee?.email ?? null };
      const common = { action: 'reviews.assign', kind: 'assignReview' } as const;
      const step = { ...common, operator, reason: readReviewReason(assignment), now, details };
      await auditReview(em, request, step);
      await noteReview(em, request, { ...step, rows: deps.rows });
      const [row] = await findReview.run(em, { requestId: request.id });
      return toReviewRow(row as StoredReview, { now, rows: deps.rows });
    });
  };
}

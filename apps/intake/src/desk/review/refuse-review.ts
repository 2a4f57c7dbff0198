import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import { applyTransition } from '../../requests/request/apply-transition.ts';
import type { FailedStep, Trigger } from '../../requests/request/state-machine.ts';
import type { DeskDeps } from '../deps.ts';
import { selectFieldsToCorrect } from './fields-to-correct.ts';
import { findApprovals, lockReview } from './lock-review.ts';
import { auditReview, readReviewReason } from './note-review.ts';
import { assertUnchangedReview } from './review-digest.ts';
import { createCorrectionText, createRejectionText } from './review-verdict.ts';
import { type ReviewDecision, toReviewDecision, toTransitionOptions } from './transition-options.ts';

type RefuseReviewDeps = Pick<DeskDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows'>;
type RejectReview = OperatorUseCase<'reviews.reject'>;
type RequestCorrection = OperatorUseCase<'reviews.requestCorrection'>;

/** Effects of a reviewer's rejection on the request, and its texts for the partner. */
interface Rejection {
  readonly action: 'reviews.reject' | 'reviews.requestCorrection';
  readonly trigger: Extract<Trigger, 'refuse' | 'failValidation'>;
  readonly code: ErrorCode;
  readonly text: ErrorText;
  readonly failedStep?: FailedStep;
  /** Selects the fields that may be sent anew. @throws AppError */
  readonly selectFields?: (family: Family) => readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

type Input = Pick<OperatorInput<'reviews.reject'>, 'requestId' | 'comment' | 'reason' | 'shownSha256'>;

/**
 * Rejects a request. One operator is enough, under four eyes too: a rejection gives nobody a certificate. The
 * error or its refusal, the partner's event and the audit entry are one transaction.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, REVIEW_CHANGED
 */
function refuseReview(
  deps: RefuseReviewDeps,
  { input, rejection, operator }: { input: Input; rejection: Rejection; operator: OperatorCaller },
): Promise<ReviewDecision> {
  return deps.database.transaction(async (em) => {
    const request = await lockReview(em, input.requestId, operator);
    await assertUnchangedReview(em, request, { shownSha256: input.shownSha256, rules: deps.rules });
    const approvals = (await findApprovals(deps, em, request)).length;
    const { action, trigger, details, selectFields, ...fault } = rejection;
    const fields = selectFields?.(request.family);
    const step = { operator, action, reason: readReviewReason(input), now: deps.clock(), details };
    await auditReview(em, request, step);
    await applyTransition(em, request, trigger, { ...toTransitionOptions(deps, step), ...fault, fields });
    return toReviewDecision(request, approvals);
  });
}

export function createRejectReview(deps: RefuseReviewDeps): RejectReview {
  return (input, { caller: operator }) => {
    const { codes } = input;
    const rejection = {
      action: 'reviews.reject',
      trigger: 'refuse',
      code: 'REVIEW_REJECTED',
      text: createRejectionText(codes),
      details: { codes },
    } as const;
    return refuseReview(deps, { input, rejection, operator });
  };
}

export function createRequestCorrection(deps: RefuseReviewDeps): RequestCorrection {
  return (input, { caller: operator }) => {
    const { codes, fields } = input;
    const rejection = {
      action: 'reviews.requestCorrection',
      trigger: 'failValidation',
      code: codes[0] as ErrorCode,
      text: createCorrectionText(codes),
      failedStep: 'validation',
      selectFields: (family: Family) => selectFieldsToCorrect(family, input),
      details: { codes, ...(fields && { fields }) },
    } as const;
    return refuseReview(deps, { input, rejection, operator });
  };
}

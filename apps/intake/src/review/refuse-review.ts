import { type OperatorInput, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { OperatorCaller } from '@rubrica/process';
import { asOperator, type IntakeContext, procedure } from '../context.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { FailedStep, Trigger } from '../request/state-machine.ts';
import { fieldsToCorrect } from './fields-to-correct.ts';
import { approversOf, lockReview } from './lock-review.ts';
import { auditReview, reasonOf } from './note-review.ts';
import { correctionMessage, rejectionMessage } from './review-verdict.ts';
import { type Decided, toDecided, transitionOptions } from './transition-options.ts';

const reject = operatorProcedures['reviews.reject'];
const requestCorrection = operatorProcedures['reviews.requestCorrection'];

/** What a reviewer's no means for the request and says to the partner. */
interface No {
  readonly action: 'reviews.reject' | 'reviews.requestCorrection';
  readonly trigger: Extract<Trigger, 'refuse' | 'failValidation'>;
  readonly code: ErrorCode;
  readonly message: string;
  readonly failedStep?: FailedStep;
  /** What may be sent anew. @throws AppError */
  readonly fieldsOf?: (family: Family) => readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

type Input = Pick<OperatorInput<'reviews.reject'>, 'requestId' | 'comment' | 'reason'>;

/**
 * One operator is enough for a no, under four eyes too: it lets nobody have a certificate. The error or its refusal, the
 * partner's event and the audit row are one transaction.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
function refuseReview(
  ctx: IntakeContext,
  { input, no, operator }: { input: Input; no: No; operator: OperatorCaller },
): Promise<Decided> {
  return ctx.database.transaction(async (em) => {
    const request = await lockReview(em, input.requestId);
    const approvals = (await approversOf(em, request)).length;
    const { action, trigger, details, fieldsOf, ...fault } = no;
    const fields = fieldsOf?.(request.family);
    const step = { operator, action, reason: reasonOf(input), now: ctx.clock(), details };
    await auditReview(em, request, step);
    await applyTransition(em, request, trigger, { ...transitionOptions(ctx, step), ...fault, fields });
    return toDecided(request, approvals);
  });
}

export const rejectReviewProcedure = procedure
  .use(asOperator(reject.role))
  .input(reject.input)
  .output(reject.output)
  .mutation(({ ctx, input }) => {
    const { codes } = input;
    const no = {
      action: 'reviews.reject',
      trigger: 'refuse',
      code: 'REVIEW_REJECTED',
      message: rejectionMessage(codes),
      details: { codes },
    } as const;
    return refuseReview(ctx, { input, no, operator: ctx.caller });
  });

export const requestCorrectionProcedure = procedure
  .use(asOperator(requestCorrection.role))
  .input(requestCorrection.input)
  .output(requestCorrection.output)
  .mutation(({ ctx, input }) => {
    const { codes, fields } = input;
    const no = {
      action: 'reviews.requestCorrection',
      trigger: 'failValidation',
      code: codes[0] as ErrorCode,
      message: correctionMessage(codes),
      failedStep: 'validation',
      fieldsOf: (family: Family) => fieldsToCorrect(family, input),
      details: { codes, ...(fields && { fields }) },
    } as const;
    return refuseReview(ctx, { input, no, operator: ctx.caller });
  });

import type { apiFlowContract } from '@rubrica/contracts';
import { AppError, crashpoint } from '@rubrica/service';
import { crashPoints } from '../crash-points.ts';
import { applyTransition } from '../request/apply-transition.ts';
import type { Request } from '../request/request.entity.ts';
import { type FlowNeeds, lockFlow, refuseLate } from './flow.ts';
import { nextStepOf, stepNotDue } from './next-step.ts';

type Output = apiFlowContract.SignatureIssuance;

interface Input {
  readonly requestId: string;
  readonly sealedPassword?: string | undefined;
}

/**
 * Starts the generation of an approved request, once, under the row's lock; whoever comes again, or second, is told
 * how far it is. Passwords are sealed to generation, so that two of them cannot be compared here: the one that comes
 * with the start is taken, and none later.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export const createIssue =
  (deps: FlowNeeds) =>
  async ({ requestId, sealedPassword }: Input, partnerId: string): Promise<Output> => {
    const issued = await deps.database.transaction(async (em) => {
      const flow = await lockFlow(em, { requestId, partnerId });
      const { request, progress } = flow;
      if (request.status === 'GENERATING' || request.status === 'GENERATED')
        return { request, starts: false };
      refuseLate(flow, deps.clock());
      if (request.status === 'ERROR') throw failed(request);
      if (nextStepOf(progress) !== 'ISSUANCE') throw stepNotDue(progress);
      if (sealedPassword !== undefined) {
        request.sealedPassword = sealedPassword;
        request.passwordOrigin = 'PARTNER';
      }
      await applyTransition(em, request, 'issueStepwise', {
        now: deps.clock(),
        actor: 'partner',
        newId: deps.newId,
        errorWindowDays: deps.rules.errorWindowDays,
      });
      return { request, starts: true };
    });
    if (issued.starts) crashpoint(crashPoints.afterIssuanceStarts);
    return toOutput(issued.request);
  };

const failed = ({ errorCode, errorMessage }: Request): AppError =>
  new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    publicMessage: `The certificate could not be made (${errorCode}): ${errorMessage ?? ''}. An operator may have it made again`,
  });

const toOutput = (request: Request): Output => ({
  requestId: request.id,
  referenceTransaction: request.referenceTransaction,
  status: request.status,
  validationStatus: request.validationStatus,
  nextStep: nextStepOf({ ...request, hasOpenSession: false }),
  isPasswordOurs: request.passwordOrigin === 'SERVICE',
});

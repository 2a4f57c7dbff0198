import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { buildStatement } from '../request/one-statement.ts';
import { computePasswordSha256 } from '../request/registered/registered-data.ts';
import type { Request } from '../request/request.entity.ts';
import { readErrorText } from '../request/stored-text.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import { lockFlow, requireBeforeExpiry, type SignatureFlowDeps } from './flow.ts';
import { createStepNotDue, determineNextStep } from './next-step.ts';

type Issue = UseCase<'intake', 'signature.issue'>;
type Output = apiFlowContract.SignatureIssuance;
type IssueDeps = SignatureFlowDeps & Pick<RequestsDeps, 'keyring'>;

/**
 * Starts the generation of an approved request, once, under the row's lock. A repeat, or a concurrent call,
 * learns the progress. Passwords are sealed to generation, so that two of them cannot be compared here. The
 * password of the start counts, and no later one.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, CERTIFICATE_NOT_FOUND
 */
export function createIssue(deps: IssueDeps): Issue {
  return async ({ requestId, sealedPassword }, { caller: { partnerId, clientId } }) => {
    const issued = await deps.database.transaction(async (em) => {
      const flow = await lockFlow(em, { requestId, partnerId }, deps);
      const { request, progress } = flow;
      if (request.status === 'GENERATING' || request.status === 'GENERATED')
        return { request, isStarted: false };
      requireBeforeExpiry(flow, deps.clock());
      if (request.status === 'ERROR') throw generationFailed(request);
      if (determineNextStep(progress) !== 'ISSUANCE') throw createStepNotDue(progress);
      if (sealedPassword !== undefined) {
        request.sealedPassword = sealedPassword;
        request.passwordSha256 = computePasswordSha256(sealedPassword);
        request.passwordOrigin = 'PARTNER';
      }
      await applyTransition(em, request, 'issueStepwise', {
        now: deps.clock(),
        actor: 'partner',
        newId: deps.newId,
        rows: deps.rows,
        verified: flow,
        errorWindowDays: deps.rules.errorWindowDays,
      });
      return { request, isStarted: true };
    });
    if (issued.isStarted) crashpoint(crashPoints.afterIssuanceStarts);
    const { request } = issued;
    const grant = request.status === 'GENERATED' ? await grantRetrieval(deps, request, clientId) : null;
    return toOutput(request, grant);
  };
}

/**
 * Grants a retrieval. Generation releases the file itself, for a grant that is made after the retrieval is
 * recorded.
 * @throws AppError CERTIFICATE_NOT_FOUND once it is stored no longer
 */
async function grantRetrieval(deps: IssueDeps, request: Request, clientId: string): Promise<string> {
  const { id: requestId, partnerId, serialNumber } = request;
  const now = deps.clock();
  const audit = {
    actor: `partner:${clientId}`,
    action: 'certificates.retrieve',
    target: `request:${requestId}`,
    details: { serialNumber },
  };
  const note = timelineInsert({ ...request, requestId, trigger: 'retrieve', actor: 'partner', now });
  const change = {
    sql: 'select id from request where id = :requestId and retrieval_until > :now',
    params: { requestId, now },
  };
  const rows = await deps.database.statement(
    buildStatement(change, { inserts: [note, auditInsert(deps.database.entries, audit)], messages: [] }),
  );
  if (rows.length === 0 || serialNumber === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  const bundle = { requestId, partnerId, serial: serialNumber, occasion: `retrieval:${requestId}` };
  return writeGrant({ purpose: 'release', azp: 'gateway', ...bundle }, deps);
}

function generationFailed(request: Request): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('request.generationFailed', {
      code: request.errorCode ?? 'INTERNAL_ERROR',
      reason: readErrorText(request),
    }),
  });
}

function toOutput(request: Request, grant: string | null): Output {
  return {
    requestId: request.id,
    referenceTransaction: request.referenceTransaction,
    status: request.status,
    validationStatus: request.validationStatus,
    nextStep: determineNextStep({ ...request, hasOpenSession: false }),
    isPasswordOurs: request.passwordOrigin === 'SERVICE',
    grant,
  };
}

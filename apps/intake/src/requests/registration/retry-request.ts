import type { EntityManager } from '@mikro-orm/postgresql';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { invalidField } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { withoutBlankSurname } from '../../base/certified-text.ts';
import { refuseBody, stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { toEvidenceRows } from '../evidence/evidence-file.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { toChangedAnswer } from '../request/changed-request.ts';
import { digestEvidence, toOutline } from '../request/registered/evidence-outline.ts';
import { computePasswordSha256 } from '../request/registered/registered-data.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { type Details, EvidenceEntity, type Request } from '../request/request.entity.ts';
import { lockOwn } from '../request/request.repository.ts';
import { replaceTermsWrites } from '../request/search-terms.ts';
import {
  chooseRetryTrigger,
  type FailedStep,
  maxRequestRetries,
  type Trigger,
} from '../request/state-machine.ts';
import { readErrorText } from '../request/stored-text.ts';
import type { SideEffects } from '../request/write-transition.ts';
import { checkCorrections } from './family-rules.ts';
import { createLaterContext } from './rules.ts';

export type RetryInput = z.output<typeof requestsContract.retryInput>;
type RetryRequest = UseCase<'intake', 'requests.retry'>;

const identityFields = ['fingerCode', 'applicantName', 'applicantLastName', 'applicantSecondLastName'];

/**
 * Returns whether the correction voids an approval. Corrected identity data or evidence void what was
 * approved on the strength of the old. Any other correction, such as of the e-mail or the telephone, voids
 * only a claim or a review.
 */
function voidsApproval(
  request: Request,
  { corrections, evidence }: Pick<RetryInput, 'corrections' | 'evidence'>,
): boolean {
  const voidingFields = isClaimed(request) || isReviewed(request) ? Object.keys(corrections) : identityFields;
  return (
    evidence !== undefined ||
    voidingFields.some((name) => isCorrected(name, corrections[name], request.details))
  );
}

function isReviewed({ decision }: Request): boolean {
  return decision !== null && decision.approvals.length > 0;
}

/**
 * Returns whether the applicant has claimed: from then on the digest of the password is stored, under the MAC
 * of the request.
 */
function isClaimed({ passwordOrigin, passwordSha256: digest }: Request): boolean {
  return passwordOrigin === 'HOLDER' && digest !== null;
}

function isCorrected(name: string, value: unknown, details: Details): boolean {
  return value !== undefined && value !== details[name];
}

/**
 * Runs the failed step again, or refuses on the call that exceeds two retries. Retries are counted in the
 * transaction that starts them, under the row's lock: of two concurrent calls one runs and the other gets the
 * state.
 * @throws AppError 400 for faulty corrections, REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createRetryRequest(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'timeZone'>,
): RetryRequest {
  return async (given, { caller: { partnerId } }) => {
    refuseFaults(given, deps);
    const input = { ...given, corrections: withoutBlankSurname(given.corrections) };
    const retried = await deps.database.transaction(async (em) => {
      const request = await lockOwn(em, { ...input, partnerId });
      if (request.status !== 'ERROR') throw stateNotAllowed(request.status);
      const trigger = chooseRetryTrigger({
        retryCount: request.retryCount,
        failedStep: request.failedStep as FailedStep,
        voidsApproval: voidsApproval(request, input),
      });
      if (input.sealedPassword !== undefined) refuseAfterClaim(request, trigger);
      const common = {
        now: deps.clock(),
        actor: 'partner',
        newId: deps.newId,
        rows: deps.rows,
        errorWindowDays: deps.rules.errorWindowDays,
        retention: deps.rules.retention,
      };
      if (trigger === 'exceedRetries') {
        const text = limitText(request);
        await applyTransition(em, request, trigger, { ...common, code: 'RETRY_LIMIT_EXCEEDED', text });
        return request;
      }
      const verified = await verifyRequest(em, deps.rows, request);
      request.retryCount += 1;
      const sideEffects = await correct(em, request, input);
      await applyTransition(em, request, trigger, { ...common, verified, sideEffects });
      return request;
    });
    const { retryCount } = retried;
    return { ...toChangedAnswer(retried), retryCount, retriesRemaining: maxRequestRetries - retryCount };
  };
}

/**
 * Refuses a password after the claim. If generation runs again for the applicant's own password there was
 * one, whatever the row says.
 */
function refuseAfterClaim(request: Request, trigger: Trigger): void {
  const isGeneratedAgain = request.passwordOrigin === 'HOLDER' && trigger === 'retryGeneration';
  if (!isClaimed(request) && !isGeneratedAgain) return;
  const text = createFieldText('password', createText('field.passwordChosen'));
  throw invalidField('password', text, { code: 'REQUEST_STATE_NOT_ALLOWED' });
}

function limitText(request: Request): ErrorText {
  return createText('request.retryLimit', { count: maxRequestRetries, reason: readErrorText(request) });
}

function refuseFaults(input: RetryInput, deps: Pick<RequestsDeps, 'clock' | 'rules' | 'timeZone'>): void {
  const context = createLaterContext(deps);
  const faults = checkCorrections({ fields: input.corrections, found: input.faults, context });
  if (faults.length > 0) throw refuseBody(faults);
}

async function correct(em: EntityManager, request: Request, input: RetryInput): Promise<SideEffects> {
  const { fingerCode, ...others } = input.corrections;
  // The subscriber renewed with the data on file: other data are the subscriber's to confirm.
  if (request.claimedAtRegistration && voidsApproval(request, input)) request.claimedAtRegistration = false;
  request.details = {
    ...request.details,
    ...others,
    ...(typeof fingerCode === 'string' ? { fingerCode: fingerCode.toUpperCase() } : {}),
  };
  if (input.sealedPassword !== undefined) {
    request.sealedPassword = input.sealedPassword;
    request.passwordSha256 = computePasswordSha256(input.sealedPassword);
    request.passwordOrigin = 'PARTNER';
  }
  const writes = replaceTermsWrites(request.details);
  if (input.evidence === undefined) return { writes };
  const rows = toEvidenceRows(request.id, input.evidence);
  request.evidenceKey = input.evidence.key;
  request.evidenceSha256 = digestEvidence(rows.map(toOutline));
  await em.nativeDelete(EvidenceEntity, { requestId: request.id });
  return { writes, inserts: [{ table: 'evidence', rows }] };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { refuseBody, stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { toEvidenceRows } from '../evidence/evidence-file.ts';
import { applyTransition } from '../request/apply-transition.ts';
import { canRerun } from '../request/can-rerun.ts';
import { toCanonicalFields } from '../request/family-plans.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import {
  digestEvidence,
  type EvidenceOutline,
  outlineNames,
  toOutline,
} from '../request/registered/evidence-outline.ts';
import { verifyRequest } from '../request/registered/verify-request.ts';
import { EvidenceEntity, type Request } from '../request/request.entity.ts';
import { lockOwn } from '../request/request.repository.ts';
import { replaceTermsWrites } from '../request/search-terms.ts';
import { chooseRetryTrigger, type FailedStep } from '../request/state-machine.ts';
import { findShownCertificate } from '../request/status/certificate-state.ts';
import { listCorrectableFields } from '../request/status/correctable-fields.ts';
import { findStatusRow } from '../request/status/find-status-row.ts';
import { toStatusRecord } from '../request/status/status-record.ts';
import type { SideEffects } from '../request/write-transition.ts';
import {
  applyCorrection,
  checkIdentity,
  correctionRequired,
  findNotCorrectable,
  listSentFields,
  toFiles,
} from './correction-rules.ts';
import { checkCertificateFlag, checkCorrections } from './family-rules.ts';
import { createLaterContext, type RuleContext } from './rules.ts';

type Input = requestsContract.CorrectInput;
type CorrectRequest = UseCase<'intake', 'requests.correct'>;
type CorrectRequestDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'timeZone' | 'peers' | 'logger'
>;

/**
 * Corrects a request in error and starts it again from the beginning: earlier approvals rested on the earlier
 * data. With nothing to correct only the failed step runs again, if that may help. Corrections are not
 * counted: under the row's lock one of two concurrent calls runs, and the other gets the state.
 * @throws AppError 400 for faults of the body and fields that the error does not name, REQUEST_NOT_FOUND,
 *   REQUEST_STATE_NOT_ALLOWED, IDENTITY_CERTIFICATE_FLAG_REQUIRED
 */
export function createCorrectRequest(deps: CorrectRequestDeps): CorrectRequest {
  return async (input, { caller: { partnerId } }) => {
    const context = createLaterContext(deps, toFiles(input));
    refuseFaults(input, context);
    const row = await deps.database.transaction(async (em) => {
      const request = await lockOwn(em, { ...input, partnerId });
      if (request.status !== 'ERROR') throw stateNotAllowed(request.status);
      const verified = await verifyRequest(em, deps.rows, request);
      const isCorrected = listSentFields(input).length > 0;
      const sideEffects = isCorrected ? await correct(em, request, { input, context }) : rerun(request);
      const failedStep = request.failedStep as FailedStep;
      const trigger = chooseRetryTrigger({ retryCount: 0, failedStep, voidsApproval: isCorrected });
      await applyTransition(em, request, trigger, {
        now: context.now,
        actor: 'partner',
        newId: deps.newId,
        rows: deps.rows,
        verified,
        errorWindowDays: deps.rules.errorWindowDays,
        retention: deps.rules.retention,
        sideEffects,
      });
      // Shown as it was written: afterwards its validation may have begun.
      return findStatusRow(em, { partnerId, family: 'FR', requestId: request.id }, deps.database);
    });
    return toStatusRecord(row, await findShownCertificate(row, deps));
  };
}

function refuseFaults({ corrections: fields, faults }: Input, context: RuleContext): void {
  const found = checkCorrections({ fields, found: faults, context });
  if (found.length > 0) throw refuseBody([...found, ...checkCertificateFlag(fields, context)]);
}

function rerun(request: Request): SideEffects {
  if (canRerun(request)) return {};
  const required = correctionRequired(listCorrectableFields(request));
  if (required.length > 0) throw refuseBody(required);
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('request.notMendable', {
      code: request.errorCode ?? 'INTERNAL_ERROR',
    }),
  });
}

async function correct(
  em: EntityManager,
  request: Request,
  { input, context }: { input: Input; context: RuleContext },
): Promise<SideEffects> {
  const stored = await findAttachments(em, request.id);
  const files = new Map(stored.map(({ field, mediaType }) => [field, mediaType]));
  const corrected = applyCorrection(input, { fields: request.details, files });
  const refused = [
    ...findNotCorrectable(listSentFields(input), listCorrectableFields(request)),
    ...checkIdentity(corrected, context),
  ];
  if (refused.length > 0) throw refuseBody(refused);
  // The subscriber renewed with the data on file: data sent in their place are the subscriber's to confirm.
  request.claimedAtRegistration = false;
  const { fingerCode, isIdentityCertificate: _isIdentityCertificate, ...contact } = input.corrections;
  request.details = {
    ...corrected.fields,
    ...toCanonicalFields('FR', contact),
    ...(typeof fingerCode === 'string' ? { fingerCode: fingerCode.toUpperCase() } : {}),
  };
  const writes = replaceTermsWrites(request.details);
  if (input.evidence === undefined) return { writes };
  const { evidence: bundle } = input;
  const replaced = await replaceAttachments(em, { requestId: request.id, stored, bundle });
  request.evidenceSha256 = digestEvidence(replaced.outlines);
  return { writes, inserts: [replaced.insert] };
}

type StoredAttachment = EvidenceOutline & { readonly field: string };

async function findAttachments(em: EntityManager, requestId: string): Promise<StoredAttachment[]> {
  const stored = await em.find(
    EvidenceEntity,
    { requestId, field: { $ne: null } },
    { fields: outlineNames, orderBy: { position: 'asc' }, disableIdentityMap: true },
  );
  return stored.flatMap(({ field, ...outline }) => (field === null ? [] : [{ ...outline, field }]));
}

interface Replacement {
  readonly requestId: string;
  readonly stored: readonly StoredAttachment[];
  readonly bundle: evidenceContract.EvidenceBundle;
}

interface ReplaceResult {
  readonly insert: DependentInsert;
  /** All attachments of the request afterwards. */
  readonly outlines: readonly EvidenceOutline[];
}

/**
 * Deletes the attachments that were sent anew and returns the rows of the new ones, each with the key of its
 * own call. The others stay as they are. The sweep removes objects of the store that have no row.
 */
async function replaceAttachments(
  em: EntityManager,
  { requestId, stored, bundle }: Replacement,
): Promise<ReplaceResult> {
  const fields = bundle.items.flatMap(({ field }) => field ?? []);
  await em.nativeDelete(EvidenceEntity, { requestId, field: { $in: fields } });
  const positions = new Map(stored.map(({ field, position }) => [field, position]));
  const next = Math.max(-1, ...positions.values()) + 1;
  const rows = toEvidenceRows(requestId, bundle).map((row, index) => ({
    ...row,
    position: positions.get(String(row.field)) ?? next + index,
    key: bundle.key,
  }));
  const remaining = stored.filter(({ field }) => !fields.includes(field));
  return { insert: { table: 'evidence', rows }, outlines: [...remaining, ...rows.map(toOutline)] };
}

import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { RowGuard } from '@rubrica/database';
import type { RequestsDeps } from '../deps.ts';
import { toRequestFiles } from '../evidence/evidence-file.ts';
import type { RegisteredData } from '../request/registered/registered-data.ts';
import { toReviewPolicy } from '../validation/begin-validation.ts';
import type { PendingValidation, ValidationQueueDeps } from '../validation/local-validation-queue.ts';
import type { Inserted } from './insert-registration.ts';
import type { Registration } from './registration.ts';

type BeginRegisteredDeps = Pick<RequestsDeps, 'rows'> & ValidationQueueDeps;

/**
 * Registers, and begins the validation here if there is a free slot. The copy that stores a request has its
 * files in memory, so neither a message nor a second lease is needed.
 * @param insert writes the registration, with a begun validation if its argument is true
 * @returns undefined if the request existed before
 */
export async function registerAndBegin(
  { validations, rows }: BeginRegisteredDeps,
  { registration, data, evidence }: Registered,
  insert: (begins: boolean) => Promise<Inserted | undefined>,
): Promise<Inserted | undefined> {
  const reservation =
    registration.plan.trigger === 'register'
      ? validations.take(countBytes(evidence), data.partnerId)
      : undefined;
  if (reservation === undefined) return insert(false);
  const inserted = await insert(true).catch((error: unknown) => {
    // If the connection was lost after the commit, the lease expires and the sweeper wakes the request.
    reservation.release();
    throw error;
  });
  if (inserted === undefined) reservation.release();
  else {
    const { files, ...withoutFiles } = buildValidation({ registration, data, evidence }, inserted, rows);
    reservation.start(reservation.holdsFiles ? { ...withoutFiles, files } : withoutFiles);
  }
  return inserted;
}

interface Registered {
  readonly registration: Registration;
  readonly data: RegisteredData;
  readonly evidence: evidenceContract.EvidenceBundle | undefined;
}

function countBytes(evidence: Registered['evidence']): number {
  return (evidence?.items ?? []).reduce((sum, { file }) => sum + (file?.content?.length ?? 0), 0);
}

function buildValidation(
  { registration, data, evidence }: Registered,
  inserted: Inserted,
  rows: RowGuard,
): PendingValidation {
  const { id, plan, family, passwordOrigin, isClaimed } = registration;
  const { partner, fence, attempts, language } = inserted;
  const begun = {
    ...{ fence, attempts, language, family, data },
    failures: 0,
    identificationNumber: registration.identificationNumber,
    applicationType: registration.applicationType,
    details: registration.details,
    callbackUrl: registration.callbackUrl,
    observations: registration.observations,
    generationAttempt: plan.generationAttempt,
    needsClaim: passwordOrigin === 'HOLDER' && !isClaimed,
    reviewPolicy: toReviewPolicy(partner, rows),
    // An evidence error would have registered the request as an error.
    evidenceErrors: [],
    attachments: (evidence?.items ?? []).flatMap(({ field }) => field ?? []),
  };
  return {
    job: { requestId: id, attempt: plan.validationAttempt },
    begun,
    files: evidence && toRequestFiles(evidence),
  };
}

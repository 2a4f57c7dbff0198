import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { RowGuard } from '@rubrica/database';
import type { RequestsDeps } from '../deps.ts';
import { filesOfBundle } from '../evidence/evidence-file.ts';
import type { RegisteredData } from '../request/registered/registered-data.ts';
import { policyOf } from '../validation/begin-validation.ts';
import type { InHand, ValidationQueueDeps } from '../validation/validations-in-hand.ts';
import type { Inserted } from './insert-registration.ts';
import type { Registration } from './registration.ts';

type Needs = Pick<RequestsDeps, 'rows'> & ValidationQueueDeps;

/**
 * Registers, and begins the validation here where there is a place for it: the copy that stores a request has its files
 * in memory, and neither a message nor a second lease is needed to come back to it.
 * @param insert writes the registration; as begun, where it is told so
 * @returns undefined where it was there before
 */
export async function beginRegistered(
  { validations, rows }: Needs,
  { registration, data, evidence }: Registered,
  insert: (begins: boolean) => Promise<Inserted | undefined>,
): Promise<Inserted | undefined> {
  const place =
    registration.plan.trigger === 'register'
      ? validations.take(bytesOf(evidence), data.partnerId)
      : undefined;
  if (place === undefined) return insert(false);
  const inserted = await insert(true).catch((error: unknown) => {
    // Where the connection was lost after the commit, the lease runs out and the sweeper wakes the request.
    place.release();
    throw error;
  });
  if (inserted === undefined) place.release();
  else {
    const { files, ...known } = validationOf({ registration, data, evidence }, inserted, rows);
    place.start(place.holdsFiles ? { ...known, files } : known);
  }
  return inserted;
}

interface Registered {
  readonly registration: Registration;
  readonly data: RegisteredData;
  readonly evidence: evidenceContract.EvidenceBundle | undefined;
}

function bytesOf(evidence: Registered['evidence']): number {
  return (evidence?.items ?? []).reduce((sum, { file }) => sum + (file?.content?.length ?? 0), 0);
}

function validationOf(
  { registration, data, evidence }: Registered,
  inserted: Inserted,
  rows: RowGuard,
): InHand {
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
    reviewPolicy: policyOf(partner, rows),
    // With one of them it would have been registered as an error.
    evidenceErrors: [],
    attachments: (evidence?.items ?? []).flatMap(({ field }) => field ?? []),
  };
  return {
    job: { requestId: id, attempt: plan.validationAttempt },
    begun,
    files: evidence && filesOfBundle(evidence),
  };
}

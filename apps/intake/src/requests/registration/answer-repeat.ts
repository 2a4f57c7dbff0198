import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process/errors';
import type { z } from 'zod';
import type { RequestsDeps } from '../deps.ts';
import { determineKind, familyPlans, toBodyName, toCanonicalFields } from '../request/family-plans.ts';
import { type Evidence, EvidenceEntity, type Request, RequestEntity } from '../request/request.entity.ts';
import { readEvidenceText } from '../request/stored-text.ts';
import { normaliseField } from './registration.ts';

type Output = z.output<typeof requestsContract.registerOutput>;

/** Rebuilds the first answer: since then the request may have moved on. */
export async function answerRepeat(database: RequestsDeps['database'], stored: Request): Promise<Output> {
  const faulty = { requestId: stored.id, error: { $ne: null } };
  const evidences = await database.fork().find(EvidenceEntity, faulty);
  return {
    requestId: stored.id,
    referenceTransaction: stored.referenceTransaction,
    status: evidences.length > 0 ? ('ERROR' as const) : ('REGISTERED' as const),
    validationStatus: evidences.length > 0 ? ('ERROR' as const) : ('PENDING' as const),
    createdAt: stored.createdAt.toISOString(),
    ...toExpiry(stored.expiresAt),
    errors: evidences.map(evidenceFault),
  };
}

export function toExpiry(at: Date | null) {
  return at === null ? {} : { expiresAt: at.toISOString() };
}

function evidenceFault(evidence: Pick<Evidence, 'position' | 'error' | 'errorText'>): ErrorDetail {
  return errorDetail(
    'EVIDENCE_INVALID',
    `evidences[${evidence.position}].evidenceFile`,
    readEvidenceText(evidence),
  );
}

type Input = Pick<requestsContract.RegisterInput, 'family' | 'fields'>;
type Stored = Pick<
  Request,
  | 'family'
  | 'identificationNumber'
  | 'applicationType'
  | 'certificateType'
  | 'period'
  | 'callbackUrl'
  | 'details'
>;

/**
 * Creates the refusal of a referenceTransaction that is in use. If the body differs from the stored request
 * it names the fields. The caller then knows that it is no repeat, but another request under the same
 * reference.
 */
export async function createRepeatError(
  { database }: Pick<RequestsDeps, 'database'>,
  { input, partnerId }: { readonly input: Input; readonly partnerId: string },
): Promise<AppError> {
  const given = String(input.fields.referenceTransaction);
  const stored = await database.fork().findOne(RequestEntity, { partnerId, referenceTransaction: given });
  const fields = stored === null ? [] : findDifferences(input, stored);
  const text =
    fields.length === 0
      ? createText('request.referenceTaken', { given })
      : createText('request.referenceTakenDiffers', {
          given,
          fields: fields.join(', '),
        });
  return new AppError({ code: 'DUPLICATED_REFERENCE_TRANSACTION', text });
}

/**
 * Lists the fields, by the names of the family's body, whose values differ from the stored ones; files and
 * password are not compared.
 */
export function findDifferences({ family, fields }: Input, stored: Stored): string[] {
  // Erased requests keep nothing to compare with.
  if (stored.identificationNumber === '') return [];
  if (stored.family !== family) return ['family'];
  const { referenceTransaction: _reference, ...given } = toCanonicalFields(family, fields);
  const storedFields: Readonly<Record<string, unknown>> = {
    ...stored.details,
    identificationNumber: stored.identificationNumber,
    callbackUrl: stored.callbackUrl ?? undefined,
    ...pickKinds(stored),
  };
  const sentFields: Readonly<Record<string, unknown>> = { ...given, ...determineKind(family, given) };
  // Names that come from the registry are never in the body.
  const names = familyPlans[family].namesFromRegistry
    ? Object.keys(sentFields)
    : [...Object.keys(sentFields), ...Object.keys(storedFields)];
  return [...new Set(names)]
    .filter((name) => toComparableText(name, sentFields[name]) !== toComparableText(name, storedFields[name]))
    .map((name) => toBodyName(family, name))
    .sort();
}

function pickKinds({ certificateType, applicationType, period }: Stored) {
  return { certificateType, applicationType, period };
}

function toComparableText(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'boolean') return '';
  return String(normaliseField(name, value));
}

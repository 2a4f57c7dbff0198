import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { AppError } from '@rubrica/process';
import type { RequestsDeps } from '../deps.ts';
import { canonical, familyPlans, kindOf, ownNameOf } from '../request/family-plans.ts';
import { type Request, RequestEntity } from '../request/request.entity.ts';
import { normaliseField } from './registration.ts';

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
 * Refusal of a referenceTransaction that is in use. Where the body differs from what is stored it names the fields: the
 * caller then knows that it is no repeat of its own, but another request under the same reference.
 */
export async function refuseRepeat(
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

/** Names of fields, as the family's body has them, whose values differ from the stored ones; files and password aside. */
export function findDifferences({ family, fields }: Input, stored: Stored): string[] {
  // Erased requests keep nothing to compare with.
  if (stored.identificationNumber === '') return [];
  if (stored.family !== family) return ['family'];
  const { referenceTransaction: _reference, ...given } = canonical(family, fields);
  const before: Readonly<Record<string, unknown>> = {
    ...stored.details,
    identificationNumber: stored.identificationNumber,
    callbackUrl: stored.callbackUrl ?? undefined,
    ...kindsOf(stored),
  };
  const now: Readonly<Record<string, unknown>> = { ...given, ...kindOf(family, given) };
  // Names that come from the registry are never in the body.
  const names = familyPlans[family].namesFromRegistry
    ? Object.keys(now)
    : [...Object.keys(now), ...Object.keys(before)];
  return [...new Set(names)]
    .filter((name) => textOf(name, now[name]) !== textOf(name, before[name]))
    .map((name) => ownNameOf(family, name))
    .sort();
}

function kindsOf({ certificateType, applicationType, period }: Stored) {
  return { certificateType, applicationType, period };
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'boolean') return '';
  return String(normaliseField(name, value));
}

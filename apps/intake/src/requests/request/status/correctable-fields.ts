import { familyPlans } from '../family-plans.ts';
import type { Request } from '../request.entity.ts';

/**
 * Lists the fields that may be sent to correct the error of a request; an error that names none is repaired
 * by a rerun alone.
 */
export function listCorrectableFields({
  status,
  family,
  errorCode,
  errorFields,
}: Pick<Request, 'status' | 'family' | 'errorCode' | 'errorFields'>): readonly string[] {
  if (status !== 'ERROR' || errorCode === null) return [];
  return errorFields.length > 0 ? errorFields : (familyPlans[family].correctable[errorCode] ?? []);
}

import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process/errors';
import { familyPlans } from '../../requests/request/family-plans.ts';

function fault(field: string, index: number, known: readonly string[]): ErrorDetail {
  return errorDetail(
    'FIELD_INVALID',
    `fields[${index}]`,
    createText('operator.fieldNotOfFamily', { field, fields: known.join(', ') }),
  );
}

/**
 * Selects the fields that the partner may send after a reviewer's request for a correction. They are the
 * named fields, else those of the codes, else all that the family can correct, so that no correction leads
 * nowhere.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if the family has no correction, FIELD_INVALID for fields of
 *   another family
 */
export function selectFieldsToCorrect(
  family: Family,
  { codes, fields }: { codes: readonly ErrorCode[]; fields?: readonly string[] | undefined },
): readonly string[] {
  const { correctable } = familyPlans[family];
  const known = [...new Set(Object.values(correctable).flat())];
  if (known.length === 0)
    throw new AppError({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      text: createText('operator.familyNotCorrectable'),
    });
  if (fields === undefined) {
    const codeFields = [...new Set(codes.flatMap((code) => correctable[code] ?? []))];
    return codeFields.length === 0 ? known : codeFields;
  }
  const faults = fields.flatMap((field, index) =>
    known.includes(field) ? [] : [fault(field, index, known)],
  );
  const [first] = faults;
  if (first) throw new AppError({ code: first.code, text: first.text, details: faults });
  return [...new Set(fields)];
}

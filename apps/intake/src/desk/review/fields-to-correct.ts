import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError, errorDetail } from '@rubrica/process';
import { familyPlans } from '../../requests/request/family-plans.ts';

function fault(field: string, index: number, known: readonly string[]): ErrorDetail {
  return errorDetail(
    'FIELD_INVALID',
    `fields[${index}]`,
    createText('operator.fieldNotOfFamily', { field, fields: known.join(', ') }),
  );
}

/**
 * What the partner may send anew after a reviewer's request for a correction: the fields that were named, else those
 * that the codes stand for, else all that the family can correct, so that no correction leads nowhere.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED where the family has no correction, FIELD_INVALID for fields of another
 */
export function fieldsToCorrect(
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
    const meant = [...new Set(codes.flatMap((code) => correctable[code] ?? []))];
    return meant.length === 0 ? known : meant;
  }
  const faults = fields.flatMap((field, index) =>
    known.includes(field) ? [] : [fault(field, index, known)],
  );
  const [first] = faults;
  if (first) throw new AppError({ code: first.code, text: first.text, details: faults });
  return [...new Set(fields)];
}

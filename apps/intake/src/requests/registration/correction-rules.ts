import { createText } from '@rubrica/contracts/error-texts/create-text';
import { identityImages } from '@rubrica/contracts/rest/regular';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorDetail, fieldFault } from '@rubrica/process/errors';
import { checkCertificateFlag, checkIdentityFiles } from './family-rules.ts';
import type { Fields, Files, RuleContext } from './rules.ts';

type Input = Pick<requestsContract.CorrectInput, 'corrections' | 'files'>;

/** Flag that goes with an identity image and corrects nothing by itself. */
const flag = 'isIdentityCertificate';

export function toFiles({ files }: Pick<Input, 'files'>): Files {
  return new Map(files.map(({ field, mediaType }) => [field, mediaType]));
}

/** Lists the fields that a correction sends, by the names of the body. */
export function listSentFields({ corrections, files }: Input): readonly string[] {
  return [...Object.keys(corrections).filter((name) => name !== flag), ...files.map(({ field }) => field)];
}

export function findNotCorrectable(
  sent: readonly string[],
  correctable: readonly string[],
): readonly ErrorDetail[] {
  const fault =
    correctable.length > 0
      ? createText('field.notCorrectableSend', { fields: correctable.join(', ') })
      : createText('field.notCorrectableNow');
  return sent
    .filter((name) => !correctable.includes(name))
    .map((name) => fieldFault('FIELD_NOT_CORRECTABLE', name, fault));
}

/**
 * Returns the faults of a correction that corrects nothing, for an error that running the step again does not
 * repair.
 */
export function correctionRequired(correctable: readonly string[]): readonly ErrorDetail[] {
  return correctable.map((name) =>
    errorDetail(
      'FIELD_REQUIRED',
      name,
      createText('request.correctionRequired', { choices: [...correctable] }),
    ),
  );
}

/** State of the request as a whole once the correction is made. */
export interface CorrectedRequest {
  readonly fields: Fields;
  readonly files: Files;
}

/**
 * Applies the correction to the request. An identity image that is sent as a PDF must be declared an identity
 * certificate in the same call. For any other image the flag stays as it was, unless it is sent.
 */
export function applyCorrection(input: Input, stored: CorrectedRequest): CorrectedRequest {
  const sent = toFiles(input);
  const files = new Map([...stored.files, ...sent]);
  if (!identityImages.some((name) => sent.has(name))) return { fields: stored.fields, files };
  const isSentAsPdf = identityImages.some((name) => sent.get(name) === 'application/pdf');
  const value = input.corrections[flag] ?? (isSentAsPdf ? false : (stored.fields[flag] ?? false));
  return { fields: { ...stored.fields, [flag]: value }, files };
}

/** Applies the registration's rules on identity images to the state that a correction leaves. */
export function checkIdentity(
  { fields, files }: CorrectedRequest,
  context: RuleContext,
): readonly ErrorDetail[] {
  return [checkIdentityFiles, checkCertificateFlag].flatMap((rule) => rule(fields, { ...context, files }));
}

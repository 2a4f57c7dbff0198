import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { Period } from '@rubrica/contracts/shared/enumerations';
import { checkRuc } from '@rubrica/ecuador';
import { periodEnd } from '@rubrica/pki';
import { parseAppointmentEnd } from '../request/parse-appointment-end.ts';
import { findDecodingError } from './decoding-errors.ts';
import { type Fields, readFieldText } from './rules.ts';

interface FoundWarning {
  readonly code: string;
  /** Field of the body, if one is meant. */
  readonly field?: string;
  readonly text: ErrorText;
}

export interface Warning extends FoundWarning {
  /** English rendering, for the previous release. */
  readonly message: string;
}

export interface WarningContext {
  readonly now: Date;
  readonly timeZone: string;
  /** End of the issuer, if it is known. */
  readonly issuerEnd: Date | undefined;
  /** Name of `expirationDateAppointment` in the body. */
  readonly appointmentName?: string;
  /** True if a password is given where the applicant would have chosen one at the claim. */
  readonly passwordSkipsClaim?: boolean;
}

function rucCheckDigit({ companyRuc }: Fields): FoundWarning | undefined {
  const checked = typeof companyRuc === 'string' ? checkRuc(companyRuc) : undefined;
  if (!checked?.ok || !checked.warning) return undefined;
  return {
    code: 'RUC_CHECK_DIGIT',
    field: 'companyRuc',
    text: createText('request.rucCheckDigit', { given: `${companyRuc}` }),
  };
}

/**
 * Warns of a capped validity. The certificate will be issued later than now, and its period would end later
 * still: what is capped today is capped then.
 */
function validityCapped(
  fields: Fields,
  { now, timeZone, issuerEnd, appointmentName = 'expirationDateAppointment' }: WarningContext,
): FoundWarning | undefined {
  const { applicationType, period = 'ONE_WEEK', expirationDateAppointment: given } = fields;
  const periodEndsAt = periodEnd(period as Period, now, timeZone);
  const capped = (text: ErrorText, field?: string) => ({
    code: 'VALIDITY_CAPPED',
    ...(field === undefined ? {} : { field }),
    text,
  });
  const represents = applicationType === 'LEGAL_REPRESENTATIVE' && typeof given === 'string';
  const appointmentEnd = represents ? parseAppointmentEnd(given, timeZone) : undefined;
  const isIssuerFirst =
    issuerEnd && issuerEnd < periodEndsAt && !(appointmentEnd && appointmentEnd < issuerEnd);
  if (isIssuerFirst)
    return capped(
      createText('request.cappedByIssuer', {
        date: issuerEnd.toISOString(),
        period: `${period}`,
      }),
    );
  if (!appointmentEnd || appointmentEnd >= periodEndsAt) return undefined;
  return capped(
    createText('request.cappedByAppointment', {
      field: appointmentName,
      given: `${given}`,
      period: `${period}`,
    }),
    appointmentName,
  );
}

function passwordGiven(_fields: Fields, { passwordSkipsClaim }: WarningContext): FoundWarning | undefined {
  if (!passwordSkipsClaim) return undefined;
  return {
    code: 'PASSWORD_GIVEN',
    field: 'password',
    text: createText('request.passwordGiven'),
  };
}

/** Texts that people read in the certificate and its record. */
const readTexts = [
  'applicantName',
  'applicantLastName',
  'applicantSecondLastName',
  'positionCompany',
  'companySocialReason',
  'city',
  'address',
];

/** Warns of decoding errors. It quotes the part alone: the rest may be personal data. */
function decodingErrors(fields: Fields): readonly FoundWarning[] {
  return readTexts.flatMap((field) => {
    const part = findDecodingError(readFieldText(fields, field) ?? '');
    if (part === undefined) return [];
    const text = createText('request.decodingError', {
      field,
      part,
    });
    return [{ code: 'TEXT_DECODING', field, text }];
  });
}

const warningRules: readonly ((
  fields: Fields,
  context: WarningContext,
) => FoundWarning | readonly FoundWarning[] | undefined)[] = [
  rucCheckDigit,
  validityCapped,
  passwordGiven,
  decodingErrors,
];

/** Finds what is odd but never refused. The fields have passed every rule. */
export function findWarnings(fields: Fields, context: WarningContext): readonly Warning[] {
  return warningRules
    .flatMap((rule) => rule(fields, context) ?? [])
    .map((found) => ({ ...found, message: renderEnglish(found.text) }));
}

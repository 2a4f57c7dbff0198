import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { Period } from '@rubrica/contracts/shared/enumerations';
import { checkRuc } from '@rubrica/ecuador';
import { periodEnd } from '@rubrica/pki';
import { parseAppointmentEnd } from '../request/parse-appointment-end.ts';
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

/** Windows-1252 of the bytes 0x80 to 0xBF, which follow the first byte of a letter in UTF-8. */
const laterBytes = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 0x40 }, (_, index) => 0x80 + index),
);
const laterPattern = `[${laterBytes.replaceAll(/[\]\\^-]/g, '\\$&')}]`;

/** Mac OS Roman of the bytes 0xC2 to 0xC5, with which Latin letters begin in UTF-8. */
const macFirst = new TextDecoder('macintosh').decode(Uint8Array.of(0xc2, 0xc3, 0xc4, 0xc5));
const macLater = new TextDecoder('macintosh').decode(
  Uint8Array.from({ length: 0x40 }, (_, index) => 0x80 + index),
);

/**
 * Traces of text that was read in another encoding than it was written in, or escaped once too often. Each is
 * so particular that no name, company or address of Ecuador has it: two capital letters with a tilde are no
 * trace.
 */
const traces: readonly RegExp[] = [
  // UTF-8 as Windows-1252: the first byte of a Latin letter, then a sign.
  new RegExp(`[ÂÃÄÅ]${laterPattern}`, 'u'),
  new RegExp(`â${laterPattern}{1,2}`, 'u'),
  // UTF-8 as Mac OS Roman.
  new RegExp(`[${macFirst}][${macLater}]|‚Ä.`, 'u'),
  // UTF-8 or Windows-1252 as a code page of DOS: lines of boxes, and the sign of currency.
  /[\u2500-\u259f]+|¤/u,
  /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]{2,8}\d{0,2});/,
  /\\u[\dA-Fa-f]{4}/,
  /[%=](?:C[2-5]|E2)[%=][89AB][\dA-F]/i,
  // A letter that the sender's encoding did not have.
  /(?<=\p{L})\?|\?(?=\p{L})/u,
];

/** Finds the first part of a text that looks like a decoding error; it reveals nothing of the rest. */
export function findDecodingError(text: string): string | undefined {
  for (const trace of traces) {
    const [part] = trace.exec(text) ?? [];
    if (part !== undefined) return part;
  }
  return undefined;
}

import { say } from '@rubrica/contracts/error-texts/say';
import type { Period } from '@rubrica/contracts/shared/enumerations';
import { checkRuc } from '@rubrica/ecuador';
import { periodEnd } from '@rubrica/pki';
import { parseAppointmentEnd } from '../request/date-input.ts';
import { findDecodingError } from './decoding-errors.ts';
import { type Fields, textOf } from './rules.ts';

export interface Warning {
  readonly code: string;
  /** Where one of the body's fields is meant. */
  readonly field?: string;
  readonly message: string;
}

export interface WarningContext {
  readonly now: Date;
  readonly timeZone: string;
  /** Where it is known. */
  readonly issuerEnd: Date | undefined;
  /** What the body calls `expirationDateAppointment`. */
  readonly appointmentName?: string;
  /** A password is given where the applicant would have chosen one at the claim. */
  readonly passwordSkipsClaim?: boolean;
}

function rucCheckDigit({ companyRuc }: Fields): Warning | undefined {
  const checked = typeof companyRuc === 'string' ? checkRuc(companyRuc) : undefined;
  if (!checked?.ok || !checked.warning) return undefined;
  return {
    code: 'RUC_CHECK_DIGIT',
    field: 'companyRuc',
    message: say(
      'The check digit of companyRuc "{given}" does not match; newly issued numbers may not have one',
      { given: `${companyRuc}` },
    ),
  };
}

/** Issued later than now, as it will be, the period would end later still: what is capped today is capped then. */
function validityCapped(
  fields: Fields,
  { now, timeZone, issuerEnd, appointmentName = 'expirationDateAppointment' }: WarningContext,
): Warning | undefined {
  const { applicationType, period = 'ONE_WEEK', expirationDateAppointment: given } = fields;
  const wanted = periodEnd(period as Period, now, timeZone);
  const capped = (message: string, field?: string) => ({
    code: 'VALIDITY_CAPPED',
    ...(field === undefined ? {} : { field }),
    message,
  });
  const represents = applicationType === 'LEGAL_REPRESENTATIVE' && typeof given === 'string';
  const appointmentEnd = represents ? parseAppointmentEnd(given, timeZone) : undefined;
  const isIssuerFirst = issuerEnd && issuerEnd < wanted && !(appointmentEnd && appointmentEnd < issuerEnd);
  if (isIssuerFirst)
    return capped(
      say('The certificate will end with its issuer, on {date}, before a period of {period} is over', {
        date: issuerEnd.toISOString(),
        period: `${period}`,
      }),
    );
  if (!appointmentEnd || appointmentEnd >= wanted) return undefined;
  return capped(
    say(
      'The certificate will end with the appointment, {field} "{given}", before a period of {period} is over',
      { field: appointmentName, given: `${given}`, period: `${period}` },
    ),
    appointmentName,
  );
}

function passwordGiven(_fields: Fields, { passwordSkipsClaim }: WarningContext): Warning | undefined {
  if (!passwordSkipsClaim) return undefined;
  return {
    code: 'PASSWORD_GIVEN',
    field: 'password',
    message: say(
      'The password that was sent opens the file: the applicant does not claim and chooses none. Leave password out to have them choose it',
    ),
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

/** Quotes the part alone: the rest may be personal data. */
function decodingErrors(fields: Fields): readonly Warning[] {
  return readTexts.flatMap((field) => {
    const part = findDecodingError(textOf(fields, field) ?? '');
    if (part === undefined) return [];
    const message = say(
      '{field} contains "{part}", which looks like text decoded wrongly; send JSON in UTF-8',
      {
        field,
        part,
      },
    );
    return [{ code: 'TEXT_DECODING', field, message }];
  });
}

const warningRules: readonly ((
  fields: Fields,
  context: WarningContext,
) => Warning | readonly Warning[] | undefined)[] = [
  rucCheckDigit,
  validityCapped,
  passwordGiven,
  decodingErrors,
];

/** What is odd but never a refusal. The fields have passed every rule. */
export function findWarnings(fields: Fields, context: WarningContext): readonly Warning[] {
  return warningRules.flatMap((rule) => rule(fields, context) ?? []);
}
